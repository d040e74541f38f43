# Tests scripts/cluster/array-task.sh: jobs that are killed and terminated midway, two jobs for one
# shard, stores that fail, a full disk, and the job numbers of schedulers. For .ci/cluster.

# task STORE SHARD VARIABLE...: starts the job of a shard of N = 17 in 4 shards, in its own process
# group, like a scheduler. Sets $task to its ID.
task() {
    env SYNC=1 SHARD="$2" "${@:3}" setsid "$root/scripts/cluster/array-task.sh" 17 4 "$1" --threads 1 --quiet \
        2>>"$work/stores/$2.log" &
    task=$!
    started+=("-$task")
}

# ended WHO CODE: waits for the job, and checks its exit code.
ended() {
    local code=0
    patiently 300 eval "! kill -0 $task 2>/dev/null"
    wait "$task" || code=$?
    [[ $code == "$2" ]] || fail "$1: expected $2, the job ended with $code"
}

# begun STORE SHARD: checks whether the store has entries of the shard.
begun() { store_copy "$1" && cat "$work/copy/$2".*jsonl 2>/dev/null | grep -q '^{"first"'; }

# store_copy STORE: copies all records of a store to $work/copy, like a user.
store_copy() {
    mkdir -p "$work/copy"
    case $1 in
    *:*) rclone sync "$1" "$work/copy" ;;
    *) cp "$1"/*.jsonl "$work/copy" 2>/dev/null || true ;;
    esac
}

# kept WHO STORE: counts N = 17 in a store. One job is killed with all its processes, and one is
# terminated; both are started again. No job changes the lines of another job or repeats counts that
# are in the store.
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
    # In a directory, the record grows in its place.
    patiently 120 eval "more_than 1 $machine/tmp.* || begun '$store' 2"
    # On a much faster machine, the job may have finished already.
    kill -TERM "$terminated" || true
    wait "$terminated" || code=$?
    [[ $code == 143 || $code == 0 ]] || fail "$who: expected 143 after SIGTERM, the job ended with $code"
    begun "$store" 2 || fail "$who: a terminated job has put nothing"
    cp -r "$work/copy" "$work/before"
    say "$who: killed a job and terminated one, with $(entries "$work/before") entries in the store"
    for shard in 1 2 3 3 4; do
        task "$store" "$shard"
        jobs+=("$task")
    done
    # In a directory, only one of two jobs can write the record of shard 3.
    for task in "${jobs[@]}"; do wait "$task" || (($? == 1)) || fail "$who: a job has failed"; done
    store_copy "$store"
    for file in "$work/before"/*; do
        [[ -z $(comm -23 <(grep '}$' "$file" | sort) <(sort "$work/copy/${file##*/}")) ]] ||
            fail "$who: a job has changed the lines of another one"
    done
    cat "$work"/copy/3.*jsonl >"$work/both"
    rm "$work"/copy/3.*jsonl
    [[ -z $(twice "$work/copy") ]] || fail "$who: counted again: $(twice "$work/copy")"
    mv "$work/both" "$work/copy/3.jsonl"
    [[ $("$QUEENCOUNT" merge --n 17 "$work"/copy/*.jsonl 2>>"$work/stores/merge.log") == "$(solutions 17)" ]] ||
        fail "$who: expected $(solutions 17), found another total"
    # A job for a complete shard does nothing, and uploads no record.
    task "$store" 1 SYNC=100000
    ended "$who, a complete shard" 0
    find "$work/copy" -name '1.*' | sort >"$work/complete"
    store_copy "$store"
    find "$work/copy" -name '1.*' | sort | cmp "$work/complete" ||
        fail "$who: a job for a complete shard has put a record"
    refuses "$who, another number of shards" 2 'shards-4.jsonl, and this job to .*-shards-5.jsonl' \
        env SHARD=1 scripts/cluster/array-task.sh 17 5 "$store"
    refuses "$who, another board" 2 'use another store' env SHARD=1 scripts/cluster/array-task.sh 16 4 "$store"
    refuses "$who, another engine" 2 'use another store' env SHARD=1 QUEENCOUNT="$work/bin/queencount-itself" \
        scripts/cluster/array-task.sh 17 4 "$store" --engine rows
    say "$who: N = 17 is $(solutions 17)"
}

# shard_of EXPECTED VARIABLE...: checks the shard of a job with only these variables.
shard_of() {
    local found
    found=$(env -i PATH="$PATH" QUEENCOUNT="$work/stores/echo" "${@:2}" \
        scripts/cluster/array-task.sh 18 100 "$work/stores/empty" --memory 64M)
    [[ $found == "units 1$1-1$1" ]] ||
        fail "stores: expected shard $1 with ${*:2}, found $found"
}

# bad_task CODE TEXT VARIABLE...: checks that a job with only these variables is refused.
bad_task() {
    refuses "stores, ${*:3}" "$1" "$2" env -i PATH="$PATH" QUEENCOUNT="$work/stores/echo" "${@:3}" \
        scripts/cluster/array-task.sh 18 100 "$work/stores/empty"
}

numbers() {
    local variable
    # The units of shard K have the number 1K.
    cat >"$work/stores/echo" <<'PROGRAM'
#!/bin/sh
case "$*" in
"run 18 --units - --record "*" --memory 64M --quiet")
    echo '{"engine":"rows","plan":"0123456789abcdef"}' >"$6" ;;
"merge "*) echo 0-1000 && exit 4 ;;
"plan 18 --engine rows --shards 100 --format json")
    seq 100 | sed 's/.*/{"shard":"&\/100","units":"1&","share_of_work":0.01}/' ;;
"run 18 --units @"*" --memory 64M --quiet") echo "units $(cat "${4#@}")" ;;
esac
PROGRAM
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
    shard_of 7 JOB_COMPLETION_INDEX=1 LSB_JOBINDEX=0 SGE_TASK_ID=undefined ONLY=3,7,40-44
    seq 3 10000 >"$work/stores/only"
    shard_of 44 SLURM_ARRAY_TASK_ID=42 ONLY="@$work/stores/only"
    bad_task 1 'cannot read the shards in ONLY=@none' SLURM_ARRAY_TASK_ID=8 ONLY=@none
    bad_task 2 'this is not a job of an array' LSB_JOBINDEX=0 SGE_TASK_ID=undefined
    bad_task 2 ': JOB_COMPLETION_INDEX SHARD$' SHARD=9 JOB_COMPLETION_INDEX=9
    bad_task 2 'ONLY has fewer shards' SLURM_ARRAY_TASK_ID=8 ONLY=3,7,40-44
    bad_task 2 'found 3,,7' SLURM_ARRAY_TASK_ID=8 ONLY=3,,7
    bad_task 2 "found '0'" SHARD=0
    bad_task 2 'from 1 to 100, found 101' SHARD=101
    say 'stores: the job numbers of all schedulers are understood'
}

# full_disk DIR: checks that a job whose TMPDIR has 24 KiB uploads every line that it has written,
# and reports the full disk.
full_disk() {
    local dir=$1 small=$1/small
    unshare --map-root-user --mount true || { lack 'a full disk' 'needs user namespaces'; return; }
    mkdir "$small" "$dir/remote/disk"
    local job=(env SYNC=100000 SHARD=1 QUEENCOUNT="$work/bin/queencount-itself"
        scripts/cluster/array-task.sh 17 1 remote:disk --threads 1)
    local on_small=(unshare --map-root-user --mount bash -c
        'mount -t tmpfs -o size=24k none "$0" && TMPDIR=$0 exec "$@"' "$small")
    refuses 'a full disk' 1 "$small/.*No space left on device" "${on_small[@]}" "${job[@]}"
    (($(entries "$dir/remote/disk") > 10)) || fail "stores: $(entries "$dir/remote/disk") entries survived a full disk"
    say "stores: $(entries "$dir/remote/disk") entries survived a full disk"
    "${job[@]}" >/dev/null
    [[ -z $(twice "$dir/remote/disk") ]] || fail 'stores: counted again what was written before the disk was full'
    [[ $("$work/bin/queencount-itself" merge --quiet "$dir/remote/disk") == "$(solutions 17)" ]] ||
        fail "stores: expected $(solutions 17) after a full disk"
}

stores() {
    need rclone rclone || { lack 'remotes of rclone' 'needs the package rclone'; return; }
    local dir=$work/stores file
    mkdir -p "$dir"/{folder,remote,none,bin,orphan,torn}
    # Runs the real client, unless its store is down, full, or lists records that it cannot deliver.
    cat >"$dir/bin/rclone" <<RCLONE
#!/bin/sh
[ ! -e "\${DOWN:-/none}" ] || exit 1
case "\$1 \$2 \$3" in
"rcat remote:"*) [ ! -e "\${FULL:-/none}" ] || exit 1 ;;
"copyto remote:"*) [ ! -e "\${MUTE:-/none}" ] || exit 1 ;;
"moveto "*/plan-*) ;;
"moveto "*) [ ! -s "\${BACK:-/none}" ] || { sed -i 1d "\$BACK" && exit 1; } ;;
esac
exec $(command -v rclone) "\$@"
RCLONE
    chmod +x "$dir/bin/rclone"
    export PATH=$dir/bin:$PATH RCLONE_CONFIG=$dir/rclone.conf
    printf '[remote]\ntype = alias\nremote = %s\n' "$dir/remote" >"$RCLONE_CONFIG"
    # These stores retry for 31 seconds while the others run: one that does not answer, one that
    # cannot be written to, one that fails later, and a directory that is not mounted. The first has
    # a good record.
    mkdir "$dir/remote/down" "$dir/remote/full" "$dir/remote/filled" "$dir/remote/q17"
    "$QUEENCOUNT" run 17 --shard 1/4 --record "$dir/remote/down/1.jsonl" --quiet
    cp "$dir/remote/down/1.jsonl" "$dir/good"
    refuses 'stores, records without a marker' 2 'has records, but none named' \
        env SHARD=2 scripts/cluster/array-task.sh 17 4 remote:down
    SHARD=none scripts/cluster/array-task.sh 17 4 "$dir/torn"
    cp "$dir"/torn/plan-* "$dir/remote/down"
    touch "$dir/down" "$dir/full"
    task remote:down 1 DOWN="$dir/down"
    local down=$task
    task remote:down 1 MUTE="$dir/down"
    local mute=$task
    # This work would take days and must not start.
    SHARD=1 SYNC=1 FULL="$dir/full" setsid scripts/cluster/array-task.sh 27 100 remote:full \
        --threads 1 --quiet 2>"$dir/full.log" &
    local full=$!
    started+=("-$full")
    task remote:filled 2 FULL="$dir/filled" TMPDIR="$dir/none"
    local filled=$task
    patiently 120 begun remote:filled 2
    touch "$dir/filled"
    task "$dir/unmounted" 1
    local unmounted=$task

    numbers
    full_disk "$dir"
    kept 'a directory' "$dir/folder"
    kept 'a remote of rclone' remote:q17

    # This store refuses two uploads while a job counts, and recovers.
    mkdir "$dir/remote/back"
    seq 2 >"$dir/back"
    task remote:back 1 BACK="$dir/back"
    ended 'a store that came back' 0
    [[ ! -s $dir/back && $(entries "$dir/remote/back") == "$(entries "$dir/remote/down")" ]] ||
        fail 'stores: lost work that was finished while the store was down'

    # Only the job is killed, not its program.
    rm -rf "$work/copy"
    task "$dir/orphan" 1 TMPDIR="$dir/none"
    patiently 120 begun "$dir/orphan" 1
    kill -9 "$task"
    patiently 20 eval "! pgrep -f 'queencount-itself .*--record $dir/orphan/1[.]'"

    # Only what no sound line has is counted: not the lines of a compressed record, but those that a
    # crash has cut off, those that are damaged, and those of another plan.
    sed '3s/"count":"./&9/' "$dir/good" | head -c -20 >"$dir/torn/1.jsonl"
    sed -n '1p; 5,8p' "$dir/good" | gzip >"$dir/torn/1.more.jsonl.gz"
    echo text >"$dir/torn/1.text.jsonl"
    "$QUEENCOUNT" run 12 --quiet --record "$dir/torn/1.stray.jsonl"
    task "$dir/torn" 1
    ended 'a damaged store' 0
    [[ $(cat "$dir"/torn/1.2*.jsonl | wc -l) == 3 ]] || fail 'stores: expected two new entries in a damaged store'
    grep -q '1.jsonl line 3' "$dir/1.log" || fail 'stores: a damaged record is not named'
    "$QUEENCOUNT" merge --n 17 --shards 4 "$dir/torn" >"$dir/shards" 2>/dev/null || true
    [[ $(cat "$dir/shards") == 2-4 ]] || fail "stores: damage was not mended, found $(cat "$dir/shards")"

    task=$down
    ended 'a store that does not answer' 1
    grep -q 'cannot list remote:down' "$dir/1.log" || fail 'stores: a store that does not answer is not named'
    task=$mute
    ended 'a store that lists records and does not deliver them' 1
    grep -q 'cannot copy the records of shard 1 from remote:down' "$dir/1.log" ||
        fail 'stores: a store that delivers no records is not named'
    cmp "$dir/good" "$dir/remote/down/1.jsonl" && [[ $(ls -m "$dir/remote/down") == '1.jsonl, plan-'* ]] ||
        fail 'stores: a store that did not answer was written to'
    task=$unmounted
    ended 'a missing directory' 1
    [[ ! -e $dir/unmounted ]] || fail 'stores: a missing directory was created'
    task=$full
    ended 'a store that cannot be written to' 1
    grep -q 'cannot write to remote:full$' "$dir/full.log" || fail 'stores: a full store is not named'
    task=$filled
    ended 'a store that became full' 1
    file=$(sed -n 's/.*; the work is in //p' "$dir/2.log")
    [[ $("$QUEENCOUNT" merge --shards 4 "$file" 2>/dev/null) == 1,3-4 ]] ||
        fail 'stores: the work that the store did not take is not where the job says'
    say 'stores: nothing is overwritten or lost when a store fails'
}
