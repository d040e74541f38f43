# The Dask example of docs/long-counts.md on three workers, one of which is killed. For .ci/cluster.

dask() {
    python dask distributed . ||
        { lack Dask 'needs Python with venv, and distributed from PyPI'; return; }
    local dir=$work/dask bin address worker victim
    bin=$(dirname "$python")
    address=tcp://127.0.0.1:$((20000 + RANDOM % 10000))
    mkdir "$dir/records"
    sed -n '/^```python$/,/^```$/p' docs/long-counts.md |
        sed "/^\`\`\`/d; s|24, 500, \"/shared/q24\"|20, 12, \"$dir/records\"|
            s|tcp://head:8786|$address|" >"$dir/count.py"
    grep -q '= 20, 12, ' "$dir/count.py" && grep -q "$address" "$dir/count.py" ||
        fail "dask: unexpected constants in the example of docs/long-counts.md: $(cat "$dir/count.py")"
    "$bin/dask" scheduler --host "$address" --no-dashboard >"$dir/scheduler.log" 2>&1 &
    started+=($!)
    for worker in 1 2 3; do
        setsid "$bin/dask" worker "$address" --nthreads 1 --no-dashboard \
            >"$dir/worker$worker.log" 2>&1 &
        victim=$!
        started+=("-$victim")
    done
    (cd "$dir" && exec "$python" count.py >total 2>client.log) &
    recipe=$!
    started+=("$recipe")
    patiently 120 more_than 20 "$dir/records"
    kill -9 -- "-$victim"
    wait "$victim" 2>/dev/null || true
    say "dask: killed a worker with $(entries "$dir/records") entries on record"
    check 'dask, three workers, one killed' "$dir" 20
    [[ -z $(twice "$dir/records") ]] || fail 'dask: units were counted twice'
}
