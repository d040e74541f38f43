# Tests scripts/cluster/gnu-parallel.sh: its master is killed midway and later interrupted;
# 5,000 shards. For .ci/cluster.

gnu_parallel() {
    need parallel parallel || { lack 'GNU parallel' 'needs the package parallel'; return; }
    local dir=$work/parallel code=0
    mkdir -p "$dir"
    recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2 -- "${engine[@]}"
    patiently 300 more_than 6 "$dir/$odd"
    # The master and all processes that it started.
    kill -9 -- "-$recipe"
    wait "$recipe" 2>/dev/null || true
    "$QUEENCOUNT" merge "$dir/$odd"/*.jsonl >/dev/null 2>&1 || code=$?
    [[ $code == 4 ]] || fail "parallel: expected an incomplete count, merge ended with $code"
    say "parallel: killed the master with $(entries "$dir/$odd") entries on record"
    recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2 -- "${engine[@]}"
    patiently 300 more_than 30 "$dir/$odd"
    ctrl_c parallel "$dir" PARALLEL_SEQ=
    refusals parallel "$dir" gnu-parallel.sh
    recipe "$dir" gnu-parallel.sh 17 12 "$odd" --jobs 2 -- "${engine[@]}"
    check "parallel, the master killed, then interrupted" "$dir" 17
    [[ -z $(twice "$dir/$odd") ]] || fail 'parallel: units were counted twice'
    many_shards "$dir"
}

# The records of 5,000 shards under a long path would not fit on a command line. Of the two shards
# in ONLY, one has been counted.
many_shards() {
    local dir code=0
    dir=$1/$(printf '%0200d/' 1 2 3 4 5)many
    mkdir -p "$dir"
    SHARD=none QUEENCOUNT=$work/bin/queencount-itself scripts/cluster/array-task.sh 23 5000 "$dir"
    seq -f '%.0f.jsonl' 5000 | (cd "$dir" && xargs touch)
    "$work/bin/queencount-itself" run 23 --quiet --shard 9/5000 --record "$dir/9.jsonl"
    QUEENCOUNT=$work/bin/queencount-itself ONLY=7,9 scripts/cluster/gnu-parallel.sh 23 5000 "$dir" \
        -- --quiet >"$1/many.log" 2>&1 || code=$?
    [[ $code == 4 && $(grep -c attempt "$1/many.log") == 1 ]] && grep -q 'attempt 1, shards 7$' "$1/many.log" ||
        fail "parallel: expected 4 and one attempt for shard 7 of 5,000, found $code: $(cat "$1/many.log")"
    [[ $("$work/bin/queencount-itself" merge --quiet --shards 5000 "$dir") == 1-6,8,10-* ]] ||
        fail 'parallel: expected shard 7 of 5,000 to be counted'
    say 'parallel: counted 1 of 5,000 shards under a long path'
}
