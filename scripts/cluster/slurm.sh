#!/usr/bin/env bash
# Counts on a Slurm cluster: a job array of shards, again while units are missing, then the total.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: slurm.sh N SHARDS DIR [SBATCH-OPTION...]

Counts the N-queens solutions as an array of SHARDS jobs, and prints the total.
DIR is a folder that all nodes share; it holds one record for each shard, and
the same command goes on from there after any failure, its own included.

  scripts/cluster/slurm.sh 22 200 /shared/q22 --partition=short --cpus-per-task=8

A job that is requeued goes on where its record ends, and one that finds its
record complete ends at once. The array is submitted up to three times while
units are missing. QUEENCOUNT names the program (default: queencount, which
every node must find).

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
    echo "slurm.sh: attempt $attempt, shards $todo" >&2
    # Failed jobs make sbatch fail, but what counts is what is on record.
    sbatch --quiet --wait --requeue --array="$todo" --output="$dir/%a.log" --open-mode=append "$@" <<EOF || true
#!/usr/bin/env bash
exec "$queencount" run $n --threads "\${SLURM_CPUS_PER_TASK:-1}" \\
    --shard "\$SLURM_ARRAY_TASK_ID/$shards" --record "$dir/\$SLURM_ARRAY_TASK_ID.jsonl"
EOF
done
"$queencount" merge "$dir"/*.jsonl || {
    code=$?
    echo "slurm.sh: what the jobs said is in $dir/*.log" >&2
    exit "$code"
}
