#!/usr/bin/env bash
# Counts with GNU parallel, on this machine or over ssh: a job for each shard, again while units are missing, then the total.
set -euo pipefail

usage() {
    cat <<'END'
usage: gnu-parallel.sh N SHARDS DIR [PARALLEL-OPTION...]

Counts the N-queens solutions as SHARDS jobs, and prints the total. DIR holds
one record for each shard, and the same command goes on from there after any
failure, its own included. A DIR with records of another plan is refused.

  scripts/cluster/gnu-parallel.sh 18 100 q18 --jobs 2
  scripts/cluster/gnu-parallel.sh 20 500 /shared/q20 --sshloginfile hosts --jobs 1
  GPUS=1 THREADS=16 scripts/cluster/gnu-parallel.sh 24 100 /shared/q24 --sshloginfile hosts --jobs 1

With several hosts, DIR has to be shared by all. The jobs are run up to three
times while units are missing. A job counts on THREADS threads (default 1);
QUEENCOUNT names the program (default: queencount). With GPUS=1 a job fails
where the program finds no GPU. It uses all GPUs of its host, and the threads
that do not feed them, so take --jobs 1. Ctrl-C ends the jobs, too.

exit codes:
  0         total printed
  1         the system failed: a file, or there is no GNU parallel; worth retrying
  2         usage
  3         records are damaged, contradict each other or are of another plan
  4         units are still missing; DIR/*.log has what the jobs said
  130, 143  interrupted by Ctrl-C, terminated by SIGTERM
END
}

scheduler=parallel

# Starts the shards 'todo' as jobs. What is an argument here, parallel quotes for the shell of the job.
submit() {
    parallel --will-cite "$@" --null \
        "(($gpus == 0)) || {1} plan $n --device gpu >/dev/null 2>>{2}/{3}.log || exit; \
        exec {1} run $n --threads $threads --shard {3}/$shards --record {2}/{3}.jsonl >>{2}/{3}.log 2>&1" \
        ::: "$queencount" ::: "$dir" :::: <(numbers) &
    job=$!
}

# The shards 'todo', each with a zero byte behind it.
numbers() {
    tr , '\n' <<<"$todo" | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done | tr '\n' '\0'
}

# Waits for the end of the jobs, whatever it is: what counts is what is on record.
await() { wait "$job" || true; }

# Nothing more to do: parallel is ended like everything that runs here, and ends its jobs.
cancel() { :; }

# ---- From here on the three scripts of this folder are the same. ----

me=${0##*/}
[[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
[[ $# -ge 3 && -n $3 ]] || { usage >&2; exit 2; }
n=$1 shards=$2 dir=$3
shift 3
queencount=${QUEENCOUNT:-queencount} threads=${THREADS:-1} gpus=${GPUS:-0} job=
[[ $gpus =~ ^[0-9]{1,3}$ ]] || { echo "$me: expected a number of GPUs in GPUS, found '$gpus'" >&2; exit 2; }

# What DIR has to hold. A board, a number of shards or of threads that there is not is an error here, before any job.
plan=$("$queencount" plan "$n" --threads "$threads" | sed -n 's/^plan *//p')
"$queencount" plan "$n" --shards "$shards" >/dev/null
command -v "$scheduler" >/dev/null || { echo "$me: expected the command $scheduler on the path, found none" >&2; exit 1; }

# Absolute names are the same for every job, and never begin with a dash.
[[ $dir == /* ]] || dir=$PWD/$dir
[[ $queencount != */* || $queencount == /* ]] || queencount=$PWD/$queencount
mkdir -p "$dir"
shopt -s nullglob

# Adds up the records, and refuses those of another plan. Without a record, all units are missing.
merge() {
    local records
    records=("$dir"/*.jsonl)
    ((${#records[@]})) || return 4
    "$queencount" merge --n "$n" --plan "$plan" "$@" "${records[@]}"
}

# Sets 'todo' to the shards that lack units, as 3,17,40-44. Fails when none does. Ends the script when no job can help,
# because a record is damaged, contradicts another one or is of another plan.
lacking() {
    local code=0
    todo=$(merge --shards "$shards") || code=$?
    # Empty records tell of no shard.
    todo=${todo:-1-$shards}
    case $code in
    0) return 1 ;;
    4) ;;
    *) exit "$code" ;;
    esac
}

# Ends the jobs, whatever runs here, and the script.
interrupted() {
    trap '' INT TERM
    [[ -z $job ]] || cancel || true
    # shellcheck disable=SC2046 # a word for each process
    kill $(jobs -p) 2>/dev/null || true
    wait
    echo "$me: interrupted; the same command goes on with $dir" >&2
    exit "$1"
}
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

for attempt in 1 2 3; do
    lacking || break
    echo "$me: attempt $attempt, shards $todo" >&2
    submit "$@"
    await
    job=
done
merge || {
    code=$?
    echo "$me: what the jobs said is in $dir/*.log" >&2
    exit "$code"
}
