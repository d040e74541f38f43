# scripts/cluster/array-task.sh: jobs that are killed and ended midway, the same shard twice at a time, stores that fail,
# and the numbers that schedulers give to jobs. For .ci/cluster.

# task STORE SHARD WORD...: starts the job of a shard of N = 17 in 4 shards, as a scheduler does: in a process group of
# its own. The words are settings. Its id is in $task.
task() {
    env SYNC=1 SHARD="$2" "${@:3}" setsid "$root/scripts/cluster/array-task.sh" 17 4 "$1" --threads 1 --quiet \
        2>>"$work/stores/$2.log" &
    task=$!
    started+=("-$task")
}

# ended WHO CODE: waits for the job, and expects its exit code.
ended() {
    local code=0
    patiently 300 eval "! kill -0 $task 2>/dev/null"
    wait "$task" || code=$?
    [[ $code == "$2" ]] || fail "$1: expected the job to end with $2, it ended with $code"
}

# begun STORE SHARD: some of the shard is in the store.
begun() { store_copy "$1" && cat "$work/copy/$2".*.jsonl 2>/dev/null | grep -q '^{"first"'; }

# store_copy STORE: brings all records of a store to $work/copy, as a person would.
store_copy() {
    mkdir -p "$work/copy"
    case $1 in
    s3://*) aws s3 sync --only-show-errors --delete "$1" "$work/copy" ;;
    gs://*) cp "$BUCKETS/${1#gs://}"/* "$work/copy" 2>/dev/null || true ;;
    *:*) rclone sync "$1" "$work/copy" ;;
    *) cp "$1"/*.jsonl "$work/copy" 2>/dev/null || true ;;
    esac
}

# Units that stand in two records.
twice() { cat "$1"/*.jsonl | grep -o '^{"first":[0-9]*,"last":[0-9]*' | sort | uniq -d; }

# kept WHO STORE: counts N = 17 in a store. One job is killed with all that it has started, one terminated; both are
# started again. Nothing that is in the store is ever changed by another job or counted again.
kept() {
    local who=$1 store=$2 shard killed terminated machine jobs=() file code=0
    rm -rf "$work/copy" "$work/before"
    task "$store" 1
    killed=$task
    machine=$(mktemp -d -p "$work")
    task "$store" 2 SYNC=100000 TMPDIR="$machine"
    terminated=$task
    patiently 120 begun "$store" 1
    kill -9 -- "-$killed"
    wait "$killed" 2>/dev/null || true
    patiently 120 eval "more_than 1 $machine/*"
    # On a machine that is much faster than this loop, the job has ended already.
    kill -TERM "$terminated" || true
    wait "$terminated" || code=$?
    [[ $code == 143 || $code == 0 ]] || fail "$who: expected 143 after SIGTERM, the job ended with $code"
    begun "$store" 2 || fail "$who: a job that was terminated has put nothing"
    cp -r "$work/copy" "$work/before"
    say "$who: killed a job and terminated one, with $(entries "$work/before") entries in the store"
    for shard in 1 2 3 3 4; do
        task "$store" "$shard"
        jobs+=("$task")
    done
    for task in "${jobs[@]}"; do ended "$who" 0; done
    store_copy "$store"
    for file in "$work/before"/*; do
        cmp "$file" "$work/copy/${file##*/}" || fail "$who: a job has changed the record of another one"
    done
    cat "$work"/copy/3.*.jsonl >"$work/both"
    rm "$work"/copy/3.*.jsonl
    [[ -z $(twice "$work/copy") ]] || fail "$who: counted again: $(twice "$work/copy")"
    mv "$work/both" "$work/copy/3.jsonl"
    [[ $("$QUEENCOUNT" merge --n 17 "$work"/copy/*.jsonl 2>>"$work/stores/merge.log") == "$(solutions 17)" ]] ||
        fail "$who: expected $(solutions 17), found another total"
    # Of a shard that is complete, nothing is left to do, and nothing is put.
    task "$store" 1 SYNC=100000
    ended "$who, a complete shard" 0
    cp -r "$work/copy" "$work/complete"
    store_copy "$store"
    [[ $(find "$work/copy" -name '1.*' | wc -l) == $(find "$work/complete" -name '1.*' | wc -l) ]] ||
        fail "$who: a job without anything to do has put a record"
    rm -rf "$work/complete"
    say "$who: N = 17 is $(solutions 17)"
}

# shard_of EXPECTED WORD...: the shard that a job takes with these settings and no others. Its command is then in $found.
shard_of() {
    found=$(env -i PATH="$PATH" QUEENCOUNT="$work/stores/echo" "${@:2}" scripts/cluster/array-task.sh 18 100 "$work/stores/empty")
    [[ $found == "run 18 --shard $1/100 --record "* ]] || fail "stores: expected shard $1 of ${*:2}, found $found"
}

# refuses CODE TEXT STORE WORD...: a job with these settings and no others does nothing, and says why.
refuses() {
    local code=0
    env -i PATH="$PATH" QUEENCOUNT="$work/stores/echo" "${@:4}" scripts/cluster/array-task.sh 18 100 "$3" \
        >"$work/stores/refused" 2>&1 || code=$?
    [[ $code == "$1" ]] && grep -q "$2" "$work/stores/refused" ||
        fail "stores: expected $1 and '$2' of ${*:4}, found $code: $(cat "$work/stores/refused")"
}

numbers() {
    local variable
    printf '#!/bin/sh\necho "$*"\n' >"$work/stores/echo"
    chmod +x "$work/stores/echo"
    mkdir "$work/stores/empty"
    for variable in JOB_COMPLETION_INDEX AWS_BATCH_JOB_ARRAY_INDEX BATCH_TASK_INDEX CLOUD_RUN_TASK_INDEX; do
        shard_of 1 $variable=0
        shard_of 10 $variable=9
    done
    for variable in SLURM_ARRAY_TASK_ID PBS_ARRAY_INDEX PBS_ARRAYID LSB_JOBINDEX SGE_TASK_ID HQ_TASK_ID SHARD; do
        shard_of 9 $variable=9
    done
    shard_of 3 SLURM_ARRAY_TASK_ID=9 HQ_TASK_ID=3
    shard_of 5 SLURM_ARRAY_TASK_ID=9 HQ_TASK_ID=3 SHARD=5
    shard_of 7 JOB_COMPLETION_INDEX=1 LSB_JOBINDEX=0 SGE_TASK_ID=undefined ONLY=3,7,40-44
    seq 3 10000 >"$work/stores/only"
    shard_of 44 SLURM_ARRAY_TASK_ID=42 ONLY="@$work/stores/only"
    refuses 1 'expected a file with shards in ONLY=@none' "$work/stores/empty" SLURM_ARRAY_TASK_ID=8 ONLY=@none
    shard_of 3 SHARD=3 SITE='New York'
    [[ $found == *' --site New York' ]] || fail "stores: expected the site in $found"
    local store=$work/stores/empty
    refuses 2 'expected a job of an array, found none' "$store"
    refuses 2 'found none' "$store" LSB_JOBINDEX=0 SGE_TASK_ID=undefined
    refuses 2 'found JOB_COMPLETION_INDEX SLURM_ARRAY_TASK_ID' "$store" SLURM_ARRAY_TASK_ID=9 JOB_COMPLETION_INDEX=9
    refuses 2 'found job 8' "$store" SLURM_ARRAY_TASK_ID=8 ONLY=3,7,40-44
    refuses 2 'found 3,,7' "$store" SLURM_ARRAY_TASK_ID=8 ONLY=3,,7
    refuses 2 "found '0'" "$store" SHARD=0
    refuses 2 "found 'soon'" "$store" SHARD=1 SYNC=soon
    refuses 1 'expected the program no-such-program' "$store" SHARD=1 QUEENCOUNT=no-such-program
    mkdir "$work/stores/bare"
    ln -s "$(command -v env)" "$(command -v bash)" "$work/stores/bare"
    refuses 1 'expected the command aws' s3://bucket/q18 SHARD=1 PATH="$work/stores/bare"
    say 'stores: every scheduler numbers its jobs as expected'
}

stores() {
    need rclone rclone || { lack 'remotes of rclone' 'needs the package rclone'; return; }
    local dir=$work/stores file
    mkdir -p "$dir"/{folder,remote,none,damaged,bin,orphan,torn}
    # The real one, unless its store is down, or full, or names records and does not give them.
    cat >"$dir/bin/rclone" <<RCLONE
#!/bin/sh
[ ! -e "\${DOWN:-/none}" ] || exit 1
case "\$1 \$3" in "copyto remote:"*) [ ! -e "\${FULL:-/none}" ] || exit 1 ;; esac
case "\$1 \$2" in "copyto remote:"*) [ ! -e "\${MUTE:-/none}" ] || exit 1 ;; esac
exec $(command -v rclone) "\$@"
RCLONE
    chmod +x "$dir/bin/rclone"
    export PATH=$dir/bin:$PATH RCLONE_CONFIG=$dir/rclone.conf
    printf '[remote]\ntype = alias\nremote = %s\n' "$dir/remote" >"$RCLONE_CONFIG"
    # These try for half a minute, meanwhile the others run: a store that does not answer, one that takes nothing, one that
    # takes no more, and a folder that is not mounted. The first has a good record.
    mkdir "$dir/remote/down" "$dir/remote/full" "$dir/remote/filled" "$dir/remote/q17"
    "$QUEENCOUNT" run 17 --shard 1/4 --record "$dir/remote/down/1.jsonl" --quiet
    cp "$dir/remote/down/1.jsonl" "$dir/good"
    touch "$dir/down" "$dir/full"
    task remote:down 1 DOWN="$dir/down"
    local down=$task
    task remote:down 1 MUTE="$dir/down"
    local mute=$task
    # Days of work, which it must not begin.
    SHARD=1 SYNC=1 FULL="$dir/full" setsid scripts/cluster/array-task.sh 27 100 remote:full --threads 1 --quiet 2>"$dir/full.log" &
    local full=$!
    started+=("-$full")
    task remote:filled 2 FULL="$dir/filled" TMPDIR="$dir/none"
    local filled=$task
    patiently 120 begun remote:filled 2
    touch "$dir/filled"
    task "$dir/unmounted" 1
    local unmounted=$task

    numbers
    kept 'a folder' "$dir/folder"
    kept 'a remote of rclone' remote:q17

    # A store that fails while a job counts, and comes back.
    mkdir "$dir/remote/back"
    task remote:back 1 FULL="$dir/back"
    patiently 120 begun remote:back 1
    touch "$dir/back"
    sleep 3
    rm "$dir/back"
    ended 'a store that came back' 0
    [[ $(entries "$dir/remote/back") == "$(entries "$dir/remote/down")" ]] || fail 'stores: lost what was counted without the store'

    # A job that is killed alone, without its program, and what one has left that was killed when it put its record.
    rm -rf "$work/copy"
    touch -d '2 days ago' "$dir/orphan/.1.old.jsonl.part"
    touch "$dir/orphan/.1.new.jsonl.part"
    task "$dir/orphan" 1 TMPDIR="$dir/none"
    patiently 120 begun "$dir/orphan" 1
    kill -9 "$task"
    patiently 20 eval "! pgrep -f 'queencount-itself .*--record $dir/none/.*/1.jsonl'"
    [[ ! -e $dir/orphan/.1.old.jsonl.part && -e $dir/orphan/.1.new.jsonl.part ]] || fail 'stores: expected the old .part to be deleted'

    # A torn end is what a crash leaves; a damaged line is for a person, and the record is told by its name in the store.
    head -c -20 "$dir/good" >"$dir/torn/1.jsonl"
    sed -n '1p; 4,8p' "$dir/good" >"$dir/torn/1.more.jsonl"
    task "$dir/torn" 1
    ended 'a torn record' 0
    [[ $(cat "$dir"/torn/1.2*.jsonl | wc -l) == 2 ]] || fail 'stores: expected one entry beside a record that lacks one'
    sed '3s/"count":"./&9/' "$dir/good" >"$dir/damaged/1.jsonl"
    task "$dir/damaged" 1
    ended 'a damaged record' 3
    grep -q '1.jsonl.*line 3' "$dir/1.log" || fail 'stores: a damaged record is not named'

    task=$down
    ended 'a store that does not answer' 1
    task=$mute
    ended 'a store that names records and does not give them' 1
    [[ $(grep -c 'remote:down does not give them' "$dir/1.log") == 2 ]] ||
        fail 'stores: a store that did not answer was taken for an empty one'
    cmp "$dir/good" "$dir/remote/down/1.jsonl" && [[ $(ls "$dir/remote/down") == 1.jsonl ]] ||
        fail 'stores: a store that did not answer was written to'
    task=$unmounted
    ended 'a folder that is not there' 1
    [[ ! -e $dir/unmounted ]] || fail 'stores: a folder that was not there has been made'
    task=$full
    ended 'a store that takes nothing' 1
    grep -q 'did not take the record' "$dir/full.log" || fail 'stores: a store that takes nothing is not named'
    task=$filled
    ended 'a store that takes no more' 1
    file=$(sed -n 's/.*; it is in //p' "$dir/2.log")
    [[ $("$QUEENCOUNT" merge --shards 4 "$file" 2>/dev/null) == 1,3-4 ]] ||
        fail 'stores: what the store did not take is not where the job says'
    say 'stores: nothing is overwritten, and nothing lost, where a store fails'
}
