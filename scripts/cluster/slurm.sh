#!/usr/bin/env bash
# Counts on a Slurm cluster, as a job array.
set -euo pipefail

usage() {
    cat <<'END'
usage: slurm.sh N SHARDS DIR [SBATCH-OPTION...] [-- RUN-OPTION...]

Counts the N-queens solutions as an array of SHARDS jobs, and prints the total. The
number of threads per job is set by --cpus-per-task.

  scripts/cluster/slurm.sh 22 200 /shared/q22 --partition=short --cpus-per-task=8
  scripts/cluster/slurm.sh 27 1000 /shared/q27 --cpus-per-task=16 --gres=gpu:1 \
      -- --device gpu
END
}

scheduler=sbatch

# Ctrl-C has no effect until the array has its number. In a file name % must be doubled, and after a
# backslash Slurm would not insert the shard.
submit() {
    [[ $dir != *\\* ]] || fail 2 "Slurm accepts no backslash in the name of a directory: $dir"
    job=$(
        trap '' INT
        sbatch --parsable --requeue --array="$todo" --output="${dir//%/%%}/%a.log" \
            --open-mode=append "$@" "$task" "$n" "$shards" "$dir" "${options[@]}"
    ) || fail 1 'sbatch refused the jobs; see docs/long-counts.md about MaxArraySize'
    # With several clusters, the name of the cluster follows the number.
    [[ $job != *';'* ]] || export SLURM_CLUSTERS=${job#*;}
    job=${job%%;*}
}

# Slurm forgets jobs soon after their end, and may not answer for a while.
await() {
    local left pause=1
    while left=$(squeue --noheader --jobs="$job" 2>&1) || [[ $left != *'Invalid job id'* ]]; do
        [[ -n $left ]] || return 0
        sleep $((pause < 30 ? pause++ : pause)) &
        wait $!
    done
}

cancel() { scancel --quiet "$job"; }

source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
