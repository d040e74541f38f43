#!/usr/bin/env bash
# Counts with HyperQueue: an array of tasks, one for each shard, again while units are missing, then the total.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: hyperqueue.sh N SHARDS DIR [HQ-SUBMIT-OPTION...]

Counts the N-queens solutions as an array of SHARDS tasks on a running HyperQueue
server (https://it4innovations.github.io/hyperqueue), and prints the total. DIR
is a folder that all workers share; it holds one record for each shard, and the
same command goes on from there after any failure, its own included.

  THREADS=8 scripts/cluster/hyperqueue.sh 22 200 /shared/q22 --cpus=8

HyperQueue starts the tasks of a lost worker again, but not a task that fails:
the array is submitted up to three times while units are missing. A task counts
on THREADS threads (default 1); QUEENCOUNT names the program (default:
queencount), HQ the client (default: hq).

exit codes: 0 total printed; 2 usage; 3 records that are damaged or contradict each
other; 4 units are still missing
EOF
}

[[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
[[ $# -ge 3 ]] || { usage >&2; exit 2; }
n=$1 shards=$2 dir=$3
shift 3
queencount=${QUEENCOUNT:-queencount}
mkdir -p "$dir"

# Before any job: a board or a number of shards that there is not is an error now.
"$queencount" plan "$n" --shards "$shards" >/dev/null

# Sets 'todo' to the shards that lack units, as 3,17,40-44. Fails when no job can help: every unit is on record, or
# records are damaged or contradict each other.
lacking() {
    local code=0
    todo=$("$queencount" merge --shards "$shards" "$dir"/*.jsonl 2>/dev/null) || code=$?
    # No records yet, or empty ones.
    todo=${todo:-1-$shards}
    [[ $code != 0 && $code != 3 ]]
}

for attempt in 1 2 3; do
    lacking || break
    echo "hyperqueue.sh: attempt $attempt, shards $todo" >&2
    # The client says nothing of failed tasks; the records do.
    "${HQ:-hq}" submit --wait --array="$todo" --stdout="$dir/%{TASK_ID}.out" --stderr="$dir/%{TASK_ID}.log" "$@" -- \
        bash -c 'exec "$0" run "$1" --threads "$2" --shard "$HQ_TASK_ID/$3" --record "$4/$HQ_TASK_ID.jsonl"' \
        "$queencount" "$n" "${THREADS:-1}" "$shards" "$dir" || true
done
"$queencount" merge "$dir"/*.jsonl || {
    code=$?
    echo "hyperqueue.sh: what the jobs said is in $dir/*.log" >&2
    exit "$code"
}
