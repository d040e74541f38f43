#!/usr/bin/env bash
# Counts with HyperQueue: an array of tasks, one for each shard, again while units are missing, then the total.
# shellcheck disable=SC2034,SC2154,SC2317 # what common.sh reads, sets and calls
set -euo pipefail

usage() {
    cat <<'END'
usage: hyperqueue.sh N SHARDS DIR [HQ-SUBMIT-OPTION...]

Counts the N-queens solutions as an array of SHARDS tasks on a running HyperQueue
server (https://it4innovations.github.io/hyperqueue). HQ names the client
(default: hq). With GPUS=1 each task asks for an NVIDIA GPU (--resource
gpus/nvidia=1).

  THREADS=8 scripts/cluster/hyperqueue.sh 22 200 /shared/q22 --cpus=8
  GPUS=1 THREADS=16 scripts/cluster/hyperqueue.sh 27 5000 /shared/q27 --cpus=16
END
}

scheduler=${HQ:-hq}

# Submits the shards 'todo' as an array of tasks. Ctrl-C waits until the job has its number. The output goes where
# nothing in the name of a folder is a placeholder. Workers take tasks ahead, and start some of them although their job
# has been cancelled, so a task looks first whether its permit is still there. To open it is to ask the server of a
# shared folder, where a test for the file may be answered from memory.
submit() {
    ((gpus == 0)) || set -- --resource gpus/nvidia="$gpus" "$@"
    permit=$(mktemp "$dir/.permit-XXXXXX")
    job=$(
        trap '' INT
        # shellcheck disable=SC2016 # the shell of the task expands it
        "$scheduler" --output-mode=quiet submit --array="$todo" --stdout=none --stderr=none "$@" -- bash -c \
            '{ : <"$5"; } 2>/dev/null || exit
            exec "$0" run "$1" --threads "$2" --shard "$HQ_TASK_ID/$3" --record "$4/$HQ_TASK_ID.jsonl" "${@:6}" \
                >>"$4/$HQ_TASK_ID.log" 2>&1' "$queencount" "$n" "$threads" "$shards" "$dir" "$permit" "${options[@]}"
    )
}

# Waits for the end of the tasks, whatever it is: what counts is what is on record.
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
