#!/usr/bin/env bash
# Counts with GNU parallel, on this machine or over ssh: a job for each shard, again while units are missing, then the total.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: gnu-parallel.sh N SHARDS DIR [PARALLEL-OPTION...]

Counts the N-queens solutions as SHARDS jobs, and prints the total. DIR holds
one record for each shard, and the same command goes on from there after any
failure, its own included.

  scripts/cluster/gnu-parallel.sh 18 100 q18 --jobs 2
  scripts/cluster/gnu-parallel.sh 20 500 /shared/q20 --sshloginfile hosts --jobs 1

With several hosts, DIR has to be shared by all. The jobs are run up to three
times while units are missing. A job counts on THREADS threads (default 1);
QUEENCOUNT names the program (default: queencount).

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

# Those shards, a line each.
numbers() { tr , '\n' <<<"$todo" | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done; }

for attempt in 1 2 3; do
    lacking || break
    echo "gnu-parallel.sh: attempt $attempt, shards $todo" >&2
    numbers | parallel --will-cite "$@" "$queencount" run "$n" --threads "${THREADS:-1}" \
        --shard "{}/$shards" --record "$dir/{}.jsonl" ">>" "$dir/{}.log" "2>&1" || true
done
"$queencount" merge "$dir"/*.jsonl || {
    code=$?
    echo "gnu-parallel.sh: what the jobs said is in $dir/*.log" >&2
    exit "$code"
}
