#!/usr/bin/env bash
# Counts with HyperQueue, as an array of tasks.
# shellcheck disable=SC2034,SC2154,SC2317 # what common.sh reads, sets and calls
set -euo pipefail

usage() {
    cat <<'END'
usage: hyperqueue.sh N SHARDS DIR [HQ-SUBMIT-OPTION...] [-- RUN-OPTION...]

Counts the N-queens solutions as an array of SHARDS tasks on a running HyperQueue
server (https://it4innovations.github.io/hyperqueue), and prints the total. HQ is
the client (default: hq).

  scripts/cluster/hyperqueue.sh 22 200 /shared/q22 --cpus=8 -- --threads 8
  scripts/cluster/hyperqueue.sh 27 5000 /shared/q27 --cpus=16 --resource gpus/nvidia=1 \
      -- --threads 16 --device auto --require-device
END
}

scheduler=${HQ:-hq}

# Submits the shards 'todo' as an array of tasks. Ctrl-C waits until the job has its number. The
# shell of a task redirects its output, because HyperQueue would expand placeholders in a name.
# Workers prefetch tasks and may start one of a cancelled job, so a task first checks that its
# permit still exists: it opens the file, because a test may be answered from a cache.
submit() {
    permit=$(mktemp "$dir/.permit-XXXXXX")
    job=$(
        trap '' INT
        # shellcheck disable=SC2016 # the shell of the task expands it
        "$scheduler" --output-mode=quiet submit --array="$todo" --stdout=none --stderr=none "$@" \
            -- bash -c '{ : <"$2"; } 2>/dev/null || exit
            exec "${@:3}" --shard "$HQ_TASK_ID/$0" --record "$1/$HQ_TASK_ID.jsonl" \
                >>"$1/$HQ_TASK_ID.log" 2>&1' \
            "$shards" "$dir" "$permit" "$queencount" run "$n" --threads 1 "${options[@]}"
    )
}

await() {
    "$scheduler" job wait "$job" >/dev/null &
    wait $! || true
    rm -f "$permit"
}

cancel() {
    rm -f "$permit"
    "$scheduler" job cancel "$job" >/dev/null
}

# shellcheck source=scripts/cluster/common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
