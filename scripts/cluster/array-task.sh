#!/usr/bin/env bash
# Counts one shard, as a job of an array.
#
# A job counts the units of its shard that no sound line in the store has. It puts its lines into a
# record of its own, so nothing is lost if a job runs twice, if a record is damaged, or if a store
# shows an old state. Only in a directory it resumes the record of the shard, whose lock prevents
# that two jobs do the same work.
set -euo pipefail

usage() {
    cat <<'END'
usage: array-task.sh N SHARDS STORE [RUN-OPTION...]

Divides an N-queens count into SHARDS shards, and counts one of them, except for the
units in STORE: an existing directory such as /shared/q24, or a remote of rclone such as
s3:bucket/q24. A directory holds the record while it grows. In a remote, new lines are
saved every SYNC seconds (default 300), at the end and after SIGTERM.

  sbatch --array=1-500 scripts/cluster/array-task.sh 24 500 s3:bucket/q24 --threads 8
  SHARD=7 scripts/cluster/array-task.sh 18 100 /mnt/q18

The index of the job in its array selects the shard. With Slurm, PBS, LSF, Grid Engine
and HyperQueue, number the jobs from 1; PBS and Grid Engine pass ONLY on with -V.
Kubernetes (completionMode: Indexed), AWS Batch, Google Batch and Cloud Run number
them from 0. Outside an array, set SHARD=K; SHARD=none only checks that the store
belongs to this count. RUN-OPTIONs are options of 'queencount run'. Other settings are
environment variables: ONLY (see docs/long-counts.md), and QUEENCOUNT, the path of
the program.

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
    [[ $shard =~ ^([1-9][0-9]*|none)$ ]] || fail 2 "expected the number of a shard, found '$shard'"
}

# Sets 'remote' for a remote of rclone, and makes paths absolute.
choose_programs() {
    remote=''
    case $store in
    /* | ./* | ../*) ;;
    *:*) remote=1 ;;
    *) store=./$store ;;
    esac
    [[ -z $remote ]] || command -v rclone >/dev/null || fail 1 "$store requires the command rclone"
    command -v "$queencount" >/dev/null || fail 1 "no program $queencount; set QUEENCOUNT"
    queencount=$(realpath -s -- "$(command -v "$queencount")")
}

# Lists the names in the store that begin with $1, possibly after other text.
list() {
    if [[ $remote ]]; then
        rclone lsf --files-only --include "/$1*" "$store"
    else
        find "$store/" -mindepth 1 -maxdepth 1 -name "$1*"
    fi
}

get() {
    if [[ $remote ]]; then
        rclone copyto "$store/$1" "$2"
    else
        ln -sf -- "$(realpath -- "$store/$1")" "$2"
    fi
}

# Uploads stdin, which appears in the store as a whole or not at all.
put() {
    local part=$store/.$own.part
    if [[ $remote ]]; then
        rclone rcat "$part" && rclone moveto "$part" "$store/$1"
    else
        cat >"$part" && sync "$part" && mv -- "$part" "$store/$1"
    fi
}

mark() { put "$marker" <"$work/plan"; }

# Exits if the store belongs to another plan or number of shards, or to something else.
check_store() {
    local prefix names mark=''
    for prefix in plan- ''; do
        names=$(patiently list "$prefix") || fail 1 "cannot list $store"
        mark=$(grep -o 'plan-[0-9a-f]*-shards-[0-9]*\.jsonl$' <<<"$names") && break
    done
    [[ $mark || ! $names =~ \.jsonl(\.gz)?($|$'\n') ]] ||
        fail 2 "$store has records, but none named plan-*-shards-*.jsonl; use an empty store"
    [[ ! $mark || $mark == "$marker" ]] ||
        fail 2 "$store belongs to ${mark//$'\n'/, }, and this job to $marker; use another store"
}

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

# Prints the number of whole lines in the record.
lines() { { wc -l <"$record"; } 2>/dev/null || echo 0; }

# Uploads the record, up to line $1.
keep() (
    trap '' "${signals[@]}"
    head -n "$1" "$record" | put "$own"
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

# Starts to count the units in a record, and ends the program if this script is killed.
count() {
    record=$1
    "$queencount" run "$n" --units "@$work/units" --record "$record" "${options[@]}" --quiet </dev/null &
    running=$!
    (trap '' "${signals[@]}"
        while kill -0 "$running"; do
            kill -0 $$ || kill -TERM "$running"
            sleep 2
        done) >/dev/null 2>&1 &
    [[ -z $stopped ]] || stop
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

# Writes the units of the shard that are missing to the file 'units'.
find_units() {
    local code=0 first last
    # Error messages contain the names in the store.
    (shopt -s nullglob
        cd "$work/fetched"
        exec "$queencount" merge --quiet --n "$n" --engine "$engine" --missing -- "$work/plan" *
    ) >"$work/missing" 2>"$work/errors" || code=$?
    sed '/: incomplete: /d; s/; to find wrong lines: .*//' "$work/errors" >&2
    ((code == 0 || code == 4)) || fail "$code" "cannot use the records of shard $shard in $store; audit them"
    "$queencount" plan "$n" --engine "$engine" --shards "$shards" --format json >"$work/shards"
    IFS=- read -r first last < <(sed -n "${shard}s/.*\"units\":\"\([-0-9]*\)\".*/\1/p" "$work/shards")
    tr , '\n' <"$work/missing" | awk -F - -v first="${first:-1}" -v last="${last:-${first:-0}}" '
        NF {
            from = $1 < first ? first : $1
            to = $NF > last ? last : $NF
            if (from <= to) printf "%d-%d\n", from, to
        }' >"$work/units"
}

# Bash reads a script while it runs, but this script may be replaced. So this is a function.
main() {
    me=${0##*/}
    [[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
    [[ $# -ge 3 && -n $3 ]] || { usage >&2; exit 2; }
    n=$1 shards=$2 store=${3%/} queencount=${QUEENCOUNT:-queencount} seconds=${SYNC:-300}
    shift 3
    choose_shard
    [[ $shards =~ ^[1-9][0-9]*$ ]] || fail 2 "expected a number of shards, found '$shards'"
    [[ $shard == none ]] || ((shard <= shards)) ||
        fail 2 "expected a shard from 1 to $shards, found $shard"
    choose_programs
    # In a job of Slurm, the program might see all CPUs of the node.
    [[ -z ${SLURM_JOB_ID:-} ]] || set -- --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
    options=("$@")

    running='' stopped='' code=0 signals=(TERM INT HUP USR1 USR2 XCPU)
    trap stop "${signals[@]}"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/fetched"
    own=$shard.$(date -u +%Y%m%dT%H%M%SZ)-${HOSTNAME:-host}-$RANDOM.jsonl

    # An empty record has the plan. It also shows whether the program accepts the options.
    "$queencount" run "$n" --units - --record "$work/plan" "$@" --quiet </dev/null
    engine=$(sed -n '1s/.*"engine":"\([^"]*\)".*/\1/p' "$work/plan")
    marker=plan-$(sed -n '1s/.*"plan":"\([^"]*\)".*/\1/p' "$work/plan")-shards-$shards.jsonl
    check_store
    patiently mark || fail 1 "cannot write to $store"
    # Another array may have begun at the same time.
    check_store
    [[ $shard != none ]] || exit 0
    patiently fetch || fail 1 "cannot copy the records of shard $shard from $store to $work"
    [[ -z $stopped ]] || exit 143
    find_units
    [[ -s $work/units ]] || exit 0

    if [[ ! $remote ]]; then
        count "$store/$shard.jsonl"
        await "$running" || code=$?
        # A record that cannot be resumed is left alone.
        if ((code == 3)); then
            code=0
            count "$store/$own"
            await "$running" || code=$?
        fi
        exit "$code"
    fi
    count "$work/$own"
    # Line 1 is the plan.
    kept=1
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
    await "$running" || code=$?
    new=$(lines)
    ((new <= kept)) || patiently keep "$new" || {
        trap - EXIT
        fail 1 "cannot write to $store; the work is in $record"
    }
    exit "$code"
}

main "$@"
