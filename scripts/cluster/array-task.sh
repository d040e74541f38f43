#!/usr/bin/env bash
# Counts one shard, as a job of an array on machines that share no folder. Its records are in a store.
#
# No job writes what another one has written: each has a record of its own in the store, with what it has counted beyond
# the records that were there when it began. So a job that runs twice, a machine that comes back from the dead, or a
# store that shows an old state cannot lose anything. A merge takes each unit once.
# shellcheck disable=SC2317 # the commands of the store are called by name
set -euo pipefail

usage() {
    cat <<'END'
usage: array-task.sh N SHARDS STORE [RUN-OPTION...]

Counts one of SHARDS shards of the N-queens solutions, from where its records in
STORE end. A record is put there every SYNC seconds (default 300), at the end,
and at SIGTERM: a machine that is taken away loses minutes. STORE has to exist:

  s3://bucket/q24     S3, by the command aws
  gs://bucket/q24     Google Cloud Storage, by the command gcloud
  remote:q24          a remote of rclone
  /mnt/q24            a folder

The scheduler numbers its jobs: a Kubernetes Indexed Job, AWS Batch, Google Batch
or Cloud Run from 0; Slurm, PBS, LSF, Grid Engine or HyperQueue from 1, which have
to be told so (Slurm: --array=1-500). Anything else sets SHARD=K. When few shards
are left, ONLY=3,17,40-44 has seven jobs count these, and ONLY=@FILE those in a
file that every machine has; so has ONLY=10001-20000 the second half, where a
scheduler takes no more than 10000 jobs at a time.

  sbatch --array=1-500 scripts/cluster/array-task.sh 24 500 s3://bucket/q24 --threads 8
  SHARD=7 scripts/cluster/array-task.sh 18 100 /mnt/q18

RUN-OPTIONs are those of 'queencount run'. QUEENCOUNT names the program (default:
queencount). SITE=lyon says in each line where it was counted: only counts of
different sites are a second count, and machines of clouds have random names.
Start the job as often as you like: what is on record is not counted again.

exit codes:
  0         the shard is in the store
  1         the system failed: the store, a file, no program; worth retrying
  2         usage
  3         records are damaged, contradict each other or are of another plan
  130, 143  interrupted, terminated; what was finished is in the store
END
}

say() { echo "$me: $*" >&2; }
fail() { say "${*:2}"; exit "$1"; }

# Sets 'number' to the number of this job, from 1. HyperQueue's workers may be jobs of another scheduler.
job_number() {
    local name found=()
    for name in JOB_COMPLETION_INDEX AWS_BATCH_JOB_ARRAY_INDEX BATCH_TASK_INDEX CLOUD_RUN_TASK_INDEX; do
        [[ ! ${!name:-} =~ ^[0-9]+$ ]] || { found+=("$name") number=$((10#${!name} + 1)); }
    done
    # LSF says 0 and Grid Engine 'undefined' where there is no array.
    for name in SLURM_ARRAY_TASK_ID PBS_ARRAY_INDEX PBS_ARRAYID LSB_JOBINDEX SGE_TASK_ID; do
        [[ ! ${!name:-} =~ ^[1-9][0-9]*$ ]] || { found+=("$name") number=${!name}; }
    done
    [[ ! ${HQ_TASK_ID:-} =~ ^[1-9][0-9]*$ ]] || { found=(HQ_TASK_ID) number=$HQ_TASK_ID; }
    ((${#found[@]})) || fail 2 'expected a job of an array, found none; name the shard, as in SHARD=3'
    ((${#found[@]} == 1)) || fail 2 "expected one number of the job, found ${found[*]}; name the shard, as in SHARD=3"
}

# Sets 'shard' to the shard of this job.
choose_shard() {
    local number list=${ONLY:-}
    shard=${SHARD:-}
    if [[ -z $shard ]]; then
        job_number
        shard=$number
        if [[ -n $list ]]; then
            [[ $list != @* ]] || list=$(paste -sd , -- "${list#@}") ||
                fail 1 "expected a file with shards in ONLY=$ONLY, found none"
            [[ $list =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] ||
                fail 2 "expected ONLY as in 3,17,40-44, found $list"
            shard=$(tr , '\n' <<<"$list" | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done |
                sed -n "${number}p")
            [[ -n $shard ]] || fail 2 "expected no more jobs than shards in ONLY=$list, found job $number"
        fi
    fi
    [[ $shard =~ ^[1-9][0-9]*$ ]] || fail 2 "expected the number of a shard, found '$shard'"
}

# Sets 'client' to the command that speaks to the store, and makes the name of the program absolute.
choose_clients() {
    client='cp'
    case $store in
    /* | ./* | ../*) ;;
    s3://*) client=aws ;;
    gs://*) client=gcloud ;;
    *:*) client=rclone ;;
    *) store=./$store ;;
    esac
    command -v "$client" >/dev/null || fail 1 "expected the command $client for $store, found none"
    command -v "$queencount" >/dev/null || fail 1 "expected the program $queencount, found none; name it by QUEENCOUNT"
    queencount=$(command -v "$queencount")
    [[ $queencount == /* ]] || queencount=$PWD/$queencount
}

# The store: each command fails when the store does, and only then.

# Names the records of the shard, and perhaps other things.
list() {
    local bucket path
    case $client in
    cp) ls -- "$store" ;;
    aws)
        path=${store#s3://}/
        bucket=${path%%/*}
        # Without a record it says None, where 'aws s3 ls' would fail.
        aws s3api list-objects-v2 --bucket "$bucket" --prefix "${path#*/}$shard." \
            --query 'Contents[].[Key]' --output text
        ;;
    gcloud)
        gcloud storage ls "$store/$shard.*" 2>"$work/said" || grep -q 'matched no objects' "$work/said" ||
            { cat "$work/said" >&2 && return 1; }
        ;;
    rclone) rclone lsf --files-only --include "/$shard.*jsonl" "$store" ;;
    esac
}

get() {
    case $client in
    cp) cp -- "$store/$1" "$2" ;;
    aws) aws s3 cp --only-show-errors "$store/$1" "$2" ;;
    gcloud) gcloud storage cp --quiet "$store/$1" "$2" ;;
    rclone) rclone copyto "$store/$1" "$2" ;;
    esac
}

# What is put appears whole or not at all. S3 and Google do so by themselves.
put() {
    case $client in
    cp) cp -- "$1" "$store/.$2.part" && sync "$store/.$2.part" && mv -- "$store/.$2.part" "$store/$2" ;;
    aws) aws s3 cp --only-show-errors "$1" "$store/$2" ;;
    gcloud) gcloud storage cp --quiet "$1" "$store/$2" ;;
    rclone) rclone copyto "$1" "$store/.$2.part" && rclone moveto "$store/.$2.part" "$store/$2" ;;
    esac
}

# Deletes what killed jobs of the shard have begun to put, a day ago and more: nothing that is put now.
tidy() {
    case $client in
    cp) find "$store/" -maxdepth 1 -name ".$shard.*.part" -mtime +0 -delete ;;
    rclone) rclone delete --min-age 1d --include "/.$shard.*.part" "$store" ;;
    esac
}

# Passes on the whole lines. What follows the last newline is not finished, or has been cut off by a crash.
whole_lines() {
    local line
    while IFS= read -r line; do printf '%s\n' "$line" || return; done
}

# Brings the records of the shard.
fetch() {
    local name names
    names=$(list </dev/null) || return
    while IFS= read -r name; do
        name=${name##*/}
        [[ $name != "$shard".*jsonl ]] || get "$name" "$work/fetched/$name" </dev/null || return
    done <<<"$names"
}

# Puts what this job has counted: the plan, and the lines behind what was fetched. Does nothing when nothing is new.
keep() {
    [[ -s $record ]] || return 0
    sed -n "1p; $((known + 1)),\$p" "$record" | whole_lines >"$work/new" || return
    ! cmp -s "$work/new" "$work/kept" || return 0
    put "$work/new" "$own" </dev/null || return
    mv "$work/new" "$work/kept"
}

# Waits for a process, whatever signals come meanwhile, and returns its exit code.
await() {
    wait "$1" || true
    while kill -0 "$1" 2>/dev/null; do wait "$1" || true; done
    wait "$1"
}

stop() {
    stopped=1
    [[ -z $running ]] || kill -TERM "$running" 2>/dev/null || true
}

# Tries a command of the store up to six times, within half a minute and what the store itself takes.
patiently() {
    local pause
    for pause in 1 2 4 8 16 ''; do
        "$@" &
        await $! && return
        [[ -n $pause ]] || return
        sleep "$pause" &
        wait $! || true
    done
}

# All of it stands in a function, because bash reads a script while it runs, and this one may be replaced meanwhile.
main() {
    me=${0##*/}
    [[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
    [[ $# -ge 3 && -n $3 ]] || { usage >&2; exit 2; }
    n=$1 shards=$2 store=${3%/} seconds=${SYNC:-300} queencount=${QUEENCOUNT:-queencount}
    shift 3
    [[ $seconds =~ ^[1-9][0-9]{0,5}$ ]] || fail 2 "expected seconds in SYNC, found '$seconds'"
    choose_shard
    choose_clients

    running='' stopped='' refused='' known=0
    trap stop TERM INT HUP USR1 USR2 XCPU
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/fetched"
    record=$work/$shard.jsonl
    own=$shard.$(date -u +%Y%m%dT%H%M%SZ)-${HOSTNAME:-host}-$RANDOM.jsonl

    patiently fetch || fail 1 "expected the records of shard $shard, $store does not give them"
    tidy 2>/dev/null || true
    [[ -z $stopped ]] || exit 143
    if [[ -n $(ls "$work/fetched") ]]; then
        # Damage is told by the name that the store has for it.
        code=0
        (cd "$work/fetched" && "$queencount" merge --n "$n" -- *) >/dev/null 2>"$work/said" || code=$?
        ((code == 0 || code == 4)) || { cat "$work/said" >&2 && fail "$code" "expected whole records in $store"; }
        for name in "$work/fetched"/*; do whole_lines <"$name"; done >"$record"
        known=$(wc -l <"$record")
    fi
    # A record of its own begins with a plan that is there already, or is written first.
    ((known)) || known=1

    # It would tell to go on with the record, which is a copy that ends with the job. The filter outlives a signal.
    mkfifo "$work/heard"
    (trap '' TERM INT HUP USR1 USR2 XCPU && grep --line-buffered -v '; resume with: ' <"$work/heard" >&2) &
    listener=$!
    "$queencount" run "$n" --shard "$shard/$shards" --record "$record" ${SITE:+--site "$SITE"} "$@" \
        </dev/null 2>"$work/heard" &
    running=$!
    # The program ends when this script has been killed: otherwise it would count for nobody.
    (trap '' TERM INT HUP USR1 USR2 XCPU
        while kill -0 "$running"; do kill -0 $$ || kill -TERM "$running"; sleep 2; done) 2>/dev/null >&2 &
    [[ -z $stopped ]] || stop
    # The first time after a moment: a store that takes nothing is better known now than after hours.
    pause=$((seconds < 10 ? seconds : 10))
    while kill -0 "$running" 2>/dev/null; do
        sleep "$pause" &
        timer=$!
        wait -n "$running" "$timer" || true
        kill "$timer" 2>/dev/null || true
        kill -0 "$running" 2>/dev/null || break
        keep &
        # What a signal has ended, which may be sent to all processes of the job, is put at the end.
        if ! await $! && [[ -z $stopped ]]; then
            say "$store did not take the record of shard $shard"
            [[ -e $work/kept ]] || { refused=1 && stop; }
        fi
        pause=$seconds
    done
    code=0
    await "$running" || code=$?
    await "$listener" || true
    [[ -z $refused ]] || code=1
    # A record without a count is not worth keeping.
    [[ -e $work/kept || ! -e $record ]] || head -n 1 "$record" >"$work/kept"
    if ! patiently keep; then
        trap - EXIT
        fail 1 "expected $store to take what was counted of shard $shard; it is in $record"
    fi
    [[ -z $stopped ]] || say "$store has what was finished of shard $shard; the same job goes on"
    exit "$code"
}

main "$@"
