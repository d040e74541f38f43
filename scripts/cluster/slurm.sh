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
    echo "slurm.sh: attempt $attempt" >&2
    # Failed jobs make sbatch fail, but what counts is what is on record.
    sbatch --quiet --wait --requeue --array="1-$shards" --output="$dir/%a.log" --open-mode=append "$@" <<EOF || true
#!/usr/bin/env bash
exec "$queencount" run $n --threads "\${SLURM_CPUS_PER_TASK:-1}" \\
    --shard "\$SLURM_ARRAY_TASK_ID/$shards" --record "$dir/\$SLURM_ARRAY_TASK_ID.jsonl"
EOF
done
exec "$queencount" merge "$dir"/*.jsonl
