#!/usr/bin/env bash
# Counts with GNU parallel, here or over ssh: a job for each shard, again while units are missing, then the total.
# shellcheck disable=SC2034,SC2154,SC2317 # what common.sh reads, sets and calls
set -euo pipefail

usage() {
    cat <<'END'
usage: gnu-parallel.sh N SHARDS DIR [PARALLEL-OPTION...]

Counts the N-queens solutions as SHARDS jobs, here or on several hosts. With
GPUS=1, take --jobs 1, because a job uses all GPUs of its host.

  scripts/cluster/gnu-parallel.sh 18 100 q18 --jobs 2
  scripts/cluster/gnu-parallel.sh 20 500 /shared/q20 --sshloginfile hosts --jobs 1
  GPUS=1 THREADS=16 scripts/cluster/gnu-parallel.sh 24 100 /shared/q24 --sshloginfile hosts --jobs 1
END
}

scheduler=parallel

# Starts the shards 'todo' as jobs. What is an argument here, parallel quotes for the shell of the job.
submit() {
    local option words='' sources=()
    for option in "${options[@]}"; do sources+=(::: "$option") words+=" {$((2 + ${#sources[@]} / 2))}"; done
    parallel --will-cite "$@" --null \
        "exec {1} run $n$words --threads $threads --shard {-1}/$shards --record {2}/{-1}.jsonl >>{2}/{-1}.log 2>&1" \
        ::: "$queencount" ::: "$dir" "${sources[@]}" :::: <(numbers) &
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

# shellcheck source=scripts/cluster/common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
