# Tests scripts/cluster/hyperqueue.sh on a server with three workers: all of them are killed midway,
# then the recipe is interrupted, then one task is killed. For .ci/cluster.

hq_server() {
    rm -f "$HQ_SERVER_DIR/ready"
    setsid "$HQ" server "$HQ_SERVER_DIR" 3 >>"$work/hyperqueue/server.log" 2>&1 &
    server=$!
    started+=("-$server")
    patiently 30 test -e "$HQ_SERVER_DIR/ready"
}

hyperqueue() {
    local dir=$work/hyperqueue server file code=0
    mkdir -p "$dir/server"
    python hyperqueue hyperqueue || { lack HyperQueue 'needs Python with venv, and hyperqueue from PyPI'; return; }
    printf '#!/bin/sh\nexec "%s" "%s/tests/cluster/hq" "$@"\n' "$python" "$root" >"$dir/hq"
    chmod +x "$dir/hq"
    export HQ=$dir/hq HQ_SERVER_DIR=$dir/server TQDM_DISABLE=1
    hq_server
    recipe "$dir" hyperqueue.sh 17 12 "$odd" --cpus=1
    patiently 300 more_than 6 "$dir/$odd"
    # The server, the workers and the recipe.
    kill -9 -- "-$server" "-$recipe"
    wait "$recipe" "$server" 2>/dev/null || true
    "$QUEENCOUNT" merge "$dir/$odd"/*.jsonl >/dev/null 2>&1 || code=$?
    [[ $code == 4 ]] || fail "hyperqueue: expected an incomplete count, merge ended with $code"
    say "hyperqueue: killed the server and all workers with $(entries "$dir/$odd") entries on record"
    hq_server
    recipe "$dir" hyperqueue.sh 17 12 "$odd" --cpus=1
    patiently 300 more_than 30 "$dir/$odd"
    ctrl_c hyperqueue "$dir" HQ_TASK_ID=
    # Tasks may start although their job has been cancelled.
    for file in "$dir"/server/cancelled-*; do "$HQ" job wait "${file##*-}" || true; done
    [[ ! -e $work/cancelled ]] || fail "hyperqueue: counted after Ctrl-C: $(cat "$work/cancelled")"
    refusals hyperqueue "$dir" hyperqueue.sh
    recipe "$dir" hyperqueue.sh 17 12 "$odd" --cpus=1
    # HyperQueue does not restart a failed task, but the recipe does.
    patiently 60 eval "job HQ_TASK_ID= >$dir/victim"
    kill -9 "$(cat "$dir/victim")"
    say "hyperqueue: killed a task"
    check "hyperqueue, three workers, all of it killed, interrupted, then a task killed" "$dir" 17
    grep -q 'attempt 2, shards [0-9]*$' "$dir/recipe.log" || fail "hyperqueue: no shard was submitted again"
    gpus hyperqueue "$dir" hyperqueue.sh --cpus=1 --resource gpus/nvidia=1
}
