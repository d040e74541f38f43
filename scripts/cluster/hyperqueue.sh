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

exit codes: 0 total printed; 3 records that are damaged or contradict each
other; 4 units are still missing
EOF
}

[[ ${1:-} == -h || ${1:-} == --help ]] && { usage; exit; }
[[ $# -ge 3 ]] || { usage >&2; exit 2; }
n=$1 shards=$2 dir=$3
shift 3
queencount=${QUEENCOUNT:-queencount}
mkdir -p "$dir"

# Whether there is no more to do: every unit is on record, or records contradict each other and no retry can help.
finished() {
    local code=0
    "$queencount" merge --quiet "$dir"/*.jsonl >/dev/null 2>&1 || code=$?
    [[ $code == 0 || $code == 3 ]]
}

for attempt in 1 2 3; do
    finished && break
    echo "hyperqueue.sh: attempt $attempt" >&2
    # The client says nothing of failed tasks; the records do.
    "${HQ:-hq}" submit --wait --array="1-$shards" --stdout="$dir/%{TASK_ID}.log" --stderr="$dir/%{TASK_ID}.err" "$@" -- \
        bash -c 'exec "$0" run "$1" --threads "$2" --shard "$HQ_TASK_ID/$3" --record "$4/$HQ_TASK_ID.jsonl"' \
        "$queencount" "$n" "${THREADS:-1}" "$shards" "$dir" || true
done
exec "$queencount" merge "$dir"/*.jsonl
