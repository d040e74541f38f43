#!/usr/bin/env bash
# Counts one shard, as a job of an array on machines that share no directory.
#
# A job puts its lines into a record of its own. So nothing is lost if a job runs twice or a store
# shows an old state.
# shellcheck disable=SC2317 # 'patiently' calls functions by name
set -euo pipefail

usage() {
    cat <<'END'
usage: array-task.sh N SHARDS STORE [RUN-OPTION...]

Divides an N-queens count into SHARDS shards, and counts one of them, except for the
units in STORE: s3://bucket/q24 (requires the aws command), gs://bucket/q24 (gcloud),
remote:q24 (rclone) or an existing directory such as /mnt/q24. New results are saved
there every SYNC seconds (default 300), at the end and after SIGTERM.

  sbatch --array=1-500 scripts/cluster/array-task.sh 24 500 s3://bucket/q24 --threads 8
  SHARD=7 scripts/cluster/array-task.sh 18 100 /mnt/q18

The index of the job in its array selects the shard. With Slurm, PBS, LSF, Grid Engine
and HyperQueue, number the jobs from 1. Outside an array, set SHARD=K. RUN-OPTIONs are
options of 'queencount run'. Other settings are environment variables: ONLY
(see docs/cluster.md), and QUEENCOUNT, the path of the program.

Requires Bash 4.4. Exit codes are those of 'queencount run'.
END
}

say() { echo "$me: $*" >&2; }
fail() { say "${*:2}"; exit "$1"; }

# Sets 'shard' to the shard of this job.
choose_shard() {
    local name found=() list=${ONLY:-}
    for name in JOB_COMPLETION_INDEX AWS_BATCH_JOB_ARRAY_INDEX BATCH_TASK_INDEX \
        CLOUD_RUN_TASK_INDEX; do
        [[ -z ${!name:-} ]] || { found+=("$name") shard=$((${!name} + 1)); }
    done
    for name in SLURM_ARRAY_TASK_ID PBS_ARRAY_INDEX PBS_ARRAYID LSB_JOBINDEX SGE_TASK_ID; do
        # Outside an array LSF sets 0 and Grid Engine 'undefined'.
        [[ ${!name:-0} == [0u]* ]] || { found+=("$name") shard=${!name}; }
    done
    # HyperQueue's workers may be jobs of another scheduler.
    [[ -z ${HQ_TASK_ID:-} ]] || { found=(HQ_TASK_ID) shard=$HQ_TASK_ID; }
    [[ -z ${SHARD:-} ]] || { found+=(SHARD) shard=$SHARD list=; }
    ((${#found[@]})) || fail 2 'this is not a job of an array; choose a shard, as in SHARD=3'
    ((${#found[@]} == 1)) || fail 2 "more than one variable chooses the shard: ${found[*]}"
    if [[ -n $list ]]; then
        [[ $list != @* ]] || list=$(paste -sd , -- "${list#@}") ||
            fail 1 "cannot read the shards in ONLY=$ONLY"
        [[ $list =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] ||
            fail 2 "expected ONLY as in 3,17,40-44, found $list"
        name=$shard
        shard=$(echo "$list" | tr , '\n' |
            awk -F - '{ for (k = $1; k <= $NF; k++) print k }' | sed -n "${name}p")
        [[ -n $shard ]] || fail 2 "this is job $name, and ONLY has fewer shards"
    fi
    [[ $shard =~ ^[1-9][0-9]*$ ]] || fail 2 "expected the number of a shard, found '$shard'"
}

# Sets 'client' to the command that accesses the store, and makes paths absolute.
choose_programs() {
    client='cp'
    case $store in
    /* | ./* | ../*) ;;
    s3://*) client=aws ;;
    gs://*) client=gcloud ;;
    *:*) client=rclone ;;
    *) store=./$store ;;
    esac
    command -v "$client" >/dev/null || fail 1 "$store requires the command $client"
    command -v "$queencount" >/dev/null || fail 1 "no program $queencount; set QUEENCOUNT"
    queencount=$(realpath -s -- "$(command -v "$queencount")")
}

# Lists the names in the store that begin with $1, possibly after other text.
list() {
    local path names
    case $client in
    cp) find "$store/" -mindepth 1 -maxdepth 1 -name "$1*" ;;
    aws)
        path=${store#s3://}/
        # Prints None for an empty list, where 'aws s3 ls' would fail.
        aws s3api list-objects-v2 --bucket "${path%%/*}" --prefix "${path#*/}$1" \
            --query 'Contents[].[Key]' --output text
        ;;
    gcloud)
        names=$(gcloud storage ls "$store/$1*" 2>&1) || [[ $names == *'matched no objects'* ]] ||
            { echo "$names" >&2 && return 1; }
        echo "$names"
        ;;
    rclone) rclone lsf --files-only --include "/$1*" "$store" ;;
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

# Uploads stdin, which appears in the store as a whole or not at all.
put() {
    local part=$store/.$own.part
    case $client in
    cp) cat >"$part" && sync "$part" && mv -- "$part" "$store/$1" ;;
    aws) aws s3 cp --only-show-errors - "$store/$1" ;;
    gcloud) gcloud storage cp --quiet - "$store/$1" ;;
    rclone) rclone rcat "$part" && rclone moveto "$part" "$store/$1" ;;
    esac
}

marks() { echo "$names" | grep -o 'shards-[0-9]*$'; }

# Stores the number of shards, which also shows that the store can be written to.
mark() { echo "$shards" | put "shards-$shards"; }

# Copies the records of the shard to this machine.
fetch() {
    local name names
    names=$(list "$shard." </dev/null) || return
    while IFS= read -r name; do
        name=${name##*/}
        [[ $name != "$shard".*jsonl && $name != "$shard".*jsonl.gz ]] ||
            get "$name" "$work/fetched/$name" </dev/null || return
    done < <(echo "$names")
}

# Omits an unfinished line, which a crash can leave.
whole_lines() {
    local line
    while IFS= read -r line; do printf '%s\n' "$line" || return; done
}

# Prints the number of whole lines in the record.
lines() { { wc -l <"$record"; } 2>/dev/null || echo 0; }

# Uploads the plan and the lines of this job, up to line $1 of the record.
keep() (
    trap '' "${signals[@]}"
    sed -n "1p; $((known + 1)),$1p" "$record" | put "$own"
)

# Waits for a process, even if signals arrive meanwhile, and returns its exit code.
await() {
    while kill -0 "$1" 2>/dev/null; do wait "$1" || true; done
    wait "$1"
}

stop() {
    stopped=1
    [[ -z $running ]] || kill -TERM "$running" 2>/dev/null || true
}

# Tries a command up to six times, with 31 seconds of pauses.
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

# Bash reads a script while it runs, but this script may be replaced. So this is a function.
main() {
    me=${0##*/}
    [[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
    [[ $# -ge 3 && -n $3 ]] || { usage >&2; exit 2; }
    n=$1 shards=$2 store=${3%/} queencount=${QUEENCOUNT:-queencount} seconds=${SYNC:-300}
    shift 3
    choose_shard
    choose_programs

    running='' stopped='' known=1 signals=(TERM INT HUP USR1 USR2 XCPU)
    trap stop "${signals[@]}"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/fetched"
    record=$work/$shard.jsonl
    own=$shard.$(date -u +%Y%m%dT%H%M%SZ)-${HOSTNAME:-host}-$RANDOM.jsonl

    names=$(patiently list shards-) || fail 1 "cannot list $store"
    marks=$(marks) || {
        # Older versions did not store the number of shards.
        names=$(patiently list '') || fail 1 "cannot list $store"
        marks=$(marks) || ! grep -Eq '\.jsonl(\.gz)?$' <(echo "$names") ||
            fail 2 "$store has records, but no file shards-M;" \
                "if it was begun with $shards shards, create shards-$shards there"
    }
    other=$(echo "$marks" | grep -vx "shards-$shards") || true
    [[ -z $other ]] || fail 2 "$store was begun with ${other#shards-} shards, not with $shards"
    patiently fetch || fail 1 "cannot copy the records of shard $shard from $store to $work"
    patiently mark || fail 1 "cannot write to $store"
    [[ -z $stopped ]] || exit 143
    if [[ -n $(ls "$work/fetched") ]]; then
        code=0
        # Error messages contain the names in the store.
        errors=$(cd "$work/fetched" &&
            "$queencount" merge --n "$n" -- * 2>&1 >/dev/null) || code=$?
        ((code == 0 || code == 4)) ||
            { echo "$errors" >&2 && fail "$code" "cannot use the records in $store"; }
        for name in "$work/fetched"/*; do
            gzip -cdf -- "$name" | whole_lines >>"$record" ||
                fail 1 "cannot copy the records of shard $shard to $work"
        done
        rm -r "$work/fetched"
        # Line 1 is the plan, which every record repeats.
        known=$(lines)
        ((known)) || known=1
    fi

    "$queencount" run "$n" --shard "$shard/$shards" --record "$record" "$@" --quiet </dev/null &
    running=$!
    # Ends the program if this script is killed.
    (trap '' "${signals[@]}"
        while kill -0 "$running"; do
            kill -0 $$ || kill -TERM "$running"
            sleep 2
        done) >/dev/null 2>&1 &
    [[ -z $stopped ]] || stop
    kept=$known
    while kill -0 "$running" 2>/dev/null; do
        sleep "$seconds" &
        timer=$!
        wait -n "$running" "$timer" || true
        kill "$timer" 2>/dev/null || true
        new=$(lines)
        if ((new > kept)); then
            keep "$new" &
            if await $!; then kept=$new; else say "cannot write to $store"; fi
        fi
    done
    code=0
    await "$running" || code=$?
    new=$(lines)
    ((new <= kept)) || patiently keep "$new" || {
        trap - EXIT
        fail 1 "cannot write to $store; the work is in $record"
    }
    exit "$code"
}

main "$@"
