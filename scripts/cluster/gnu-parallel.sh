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
    echo "gnu-parallel.sh: attempt $attempt" >&2
    # A shard that is on record already takes an instant, so no job log is needed to resume.
    seq "$shards" | parallel --will-cite "$@" "$queencount" run "$n" --threads "${THREADS:-1}" \
        --shard "{}/$shards" --record "$dir/{}.jsonl" ">>" "$dir/{}.log" "2>&1" || true
done
exec "$queencount" merge "$dir"/*.jsonl
