#!/usr/bin/env bash
# Counts on a Slurm cluster: a job array of shards, again while units are missing, then the total.
# shellcheck disable=SC2034,SC2154,SC2317 # what common.sh reads, sets and calls
set -euo pipefail

usage() {
    cat <<'END'
usage: slurm.sh N SHARDS DIR [SBATCH-OPTION...]

Counts the N-queens solutions as an array of SHARDS jobs. A job counts on as many
threads as --cpus-per-task says, or else on THREADS. With GPUS=1 each job asks for
a GPU (--gres=gpu:1). A job that is requeued goes on where its record ends.

  scripts/cluster/slurm.sh 22 200 /shared/q22 --partition=short --cpus-per-task=8
  GPUS=1 scripts/cluster/slurm.sh 27 5000 /shared/q27 --cpus-per-task=16
END
}

scheduler=sbatch

# Submits the shards 'todo' as an array of jobs. Ctrl-C waits until the array has its number. In the name of a log, %
# has to be doubled, and behind a backslash Slurm would not put the number of the job.
submit() {
    [[ $dir != *\\* ]] || { echo "$me: expected a DIR without a backslash, found $dir" >&2; exit 2; }
    ((gpus == 0)) || set -- --gres=gpu:"$gpus" "$@"
    job=$(
        trap '' INT
        {
            echo '#!/usr/bin/env bash'
            declare -p queencount n shards dir threads options
            # shellcheck disable=SC2016 # the shell of the job expands it
            echo 'exec "$queencount" run "$n" "${options[@]}" --threads "${SLURM_CPUS_PER_TASK:-$threads}" \
                --shard "$SLURM_ARRAY_TASK_ID/$shards" --record "$dir/$SLURM_ARRAY_TASK_ID.jsonl"'
        } | sbatch --parsable --requeue --array="$todo" --output="${dir//%/%%}/%a.log" --open-mode=append "$@"
    )
    # With several clusters, the name of the cluster stands behind the number.
    [[ $job != *';'* ]] || export SLURM_CLUSTERS=${job#*;}
    job=${job%%;*}
}

# Waits for the end of the jobs, whatever it is: what counts is what is on record. Slurm forgets jobs soon after their
# end; when it does not answer, it is asked again. Pauses grow up to half a minute, as Slurm's own do.
await() {
    local left pause=1
    while left=$(squeue --noheader --jobs="$job" 2>&1) || [[ $left != *'Invalid job id'* ]]; do
        [[ -n $left ]] || return 0
        sleep $((pause < 30 ? pause++ : pause)) &
        wait $!
    done
}

cancel() { scancel --quiet "$job"; }

# shellcheck source=scripts/cluster/common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
