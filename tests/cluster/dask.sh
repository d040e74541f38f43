# scripts/cluster/dask-count.py on three workers: one is killed midway, then Ctrl-C. For .ci/cluster.

# The process of a job, and so of a worker that has one.
dask_job() { job DASK_WORKER_HERE= >"$work/dask/victim"; }

dask() {
    python dask distributed || { lack Dask 'needs Python with venv, and distributed from PyPI'; return; }
    local dir=$work/dask bin address worker program timeout python_worker nanny
    # What begins with a dash is an option in Python.
    local odd=${odd#-}
    bin=$(dirname "$python")
    address=tcp://127.0.0.1:$((20000 + RANDOM % 10000))
    export PATH=$bin:$PATH
    "$bin/dask" scheduler --host "$address" --no-dashboard >"$dir/scheduler.log" 2>&1 &
    started+=($!)
    for worker in 1 2 3; do
        DASK_WORKER_HERE=1 setsid "$bin/dask" worker "$address" --nthreads 1 --no-dashboard >"$dir/worker$worker.log" 2>&1 &
        started+=("-$!")
    done
    # A task lasts three seconds at most.
    local count=(dask-count.py --scheduler "$address" --minutes 0.05 17 12)
    recipe "$dir" "${count[@]}" "$odd"
    patiently 120 more_than 6 "$dir/$odd"
    # The worker and what looks after it, but not the program, which has to end by itself.
    patiently 60 dask_job
    program=$(cat "$dir/victim")
    timeout=$(ps -o ppid= "$program")
    python_worker=$(ps -o ppid= "$timeout")
    nanny=$(ps -o ppid= "$python_worker")
    # shellcheck disable=SC2086 # without the spaces of ps
    kill -9 $nanny $python_worker
    wait $nanny 2>/dev/null || true
    say "dask: killed a worker with $(entries "$dir/$odd") entries on record"
    patiently 60 eval "! kill -0 $program 2>/dev/null"
    patiently 120 more_than 30 "$dir/$odd"
    ctrl_c dask "$dir" DASK_WORKER_HERE=
    refused dask "$dir" dask-count.py
    recipe "$dir" "${count[@]}" "$odd"
    check 'dask, three workers, one killed, then interrupted' "$dir" 17
    [[ -z $(cat "$dir/$odd"/*.jsonl | grep -o '^{"first":[0-9]*' | sort | uniq -d) ]] || fail 'dask: counted again what was on record'
    [[ $(scripts/cluster/dask-count.py 12 6 "$dir/here" 2>>"$dir/recipe.log") == "$(solutions 12)" ]] ||
        fail 'dask: expected the total without a scheduler, too'
}
