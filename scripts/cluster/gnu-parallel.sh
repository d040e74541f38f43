#!/usr/bin/env bash
# Counts with GNU parallel, on this machine or over ssh.
set -euo pipefail

usage() {
    cat <<'END'
usage: gnu-parallel.sh N SHARDS DIR [PARALLEL-OPTION...] [-- RUN-OPTION...]

Counts the N-queens solutions as SHARDS jobs, on this machine or on several hosts,
and prints the total. With GPUs, use --jobs 1, because a job uses all GPUs of its host.

  scripts/cluster/gnu-parallel.sh 18 100 q18 --jobs 2
  scripts/cluster/gnu-parallel.sh 20 500 /shared/q20 --sshloginfile hosts --jobs 1 -- --threads 0
END
}

scheduler=parallel

submit() {
    parallel --will-cite "$@" --null < <(commands) &
    job=$!
}

# Prints a shell command for each shard.
commands() {
    local words=("$task" "$n" "$shards" "$dir" --threads 1 "${options[@]}") shard
    for shard in $(expand "$todo"); do
        printf 'exec env SHARD=%s QUEENCOUNT=%s %s >>%s.log 2>&1\0' \
            "$shard" "${QUEENCOUNT@Q}" "${words[*]@Q}" "${dir@Q}/$shard"
    done
}

await() { wait "$job" || true; }

# The end of parallel ends its jobs.
cancel() { :; }

source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
