# scripts/cluster/gnu-parallel.sh: its master is killed midway, and later Ctrl-C. For .ci/cluster.

gnu_parallel() {
    need parallel parallel || { lack 'GNU parallel' 'needs the package parallel'; return; }
    local dir=$work/parallel code=0
    mkdir -p "$dir"
    recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2
    patiently 300 more_than 6 "$dir/$odd"
    # The master and all that it started.
    kill -9 -- "-$recipe"
    wait "$recipe" 2>/dev/null || true
    "$QUEENCOUNT" merge "$dir/$odd"/*.jsonl >/dev/null 2>&1 || code=$?
    [[ $code == 4 ]] || fail "parallel: expected an incomplete count, merge ended with $code"
    say "parallel: killed the master with $(entries "$dir/$odd") entries on record"
    recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2
    patiently 300 more_than 30 "$dir/$odd"
    ctrl_c parallel "$dir" PARALLEL_SEQ=
    refused parallel "$dir" gnu-parallel.sh
    SITE="New York {1} \$(touch ran)" recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2
    check "parallel, the master killed, then interrupted" "$dir" 17
    grep -qF '"site":"New York {1} $(touch ran)"' "$dir/$odd"/*.jsonl || fail 'parallel: the site is not on record'
    # GNU parallel grants nothing, so a host has a GPU or has none.
    (cd "$dir" && GPUS=1 "$root/scripts/cluster/gnu-parallel.sh" 12 6 none) >>"$dir/recipe.log" 2>&1 || code=$?
    [[ $code == 4 ]] || fail "parallel: expected 4 where jobs find no GPU, the recipe ended with $code"
    grep -q 'expected a device' "$dir/none/1.log" || fail 'parallel: a job without a GPU does not say so'
    CUDA_VISIBLE_DEVICES=0 gpus parallel "$dir" gnu-parallel.sh --jobs 1
}
