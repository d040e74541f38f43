# What the recipes for schedulers have in common: shards are submitted as jobs, those that lack units again, then the
# total is printed. A recipe ends with: source common.sh. Before, it has said
#
#   usage        how it is used; what is the same for all is told here
#   scheduler    the command without which it cannot work
#   submit       starts the shards 'todo' as jobs, and sets 'job' to what 'await' and 'cancel' need; its arguments are
#                those of the scheduler
#   await        waits for the end of the jobs, whatever it is
#   cancel       ends the jobs
# shellcheck shell=bash disable=SC2034,SC2154,SC2317 # the recipe sets scheduler and reads options; traps call functions

me=${0##*/}

help() {
    usage
    cat <<'END'

The total is printed. DIR is a folder that all machines share; it holds one
record for each shard, and the same command goes on from there after any failure,
its own included. A DIR with records of another plan is refused. Shards that lack
units are submitted up to three times. A job counts on THREADS threads (default
1); QUEENCOUNT names the program (default: queencount, which every machine must
find), SITE where it runs. With GPUS=1 a job counts on a GPU and on the threads
that do not feed it, and fails where the program finds none or the GPU fails.
Ctrl-C ends the jobs, too.

exit codes:
  0         total printed
  1         the system failed: a file, or the scheduler; worth retrying
  2         usage
  3         records are damaged, contradict each other or are of another plan
  4         units are still missing; DIR/*.log has what the jobs said
  130, 143  interrupted by Ctrl-C, terminated by SIGTERM
END
}

[[ ${1:-} == -h || ${1:-} == --help ]] && { help; exit; }
[[ $# -ge 3 && -n $3 ]] || { help >&2; exit 2; }
n=$1 shards=$2 dir=$3
shift 3
queencount=${QUEENCOUNT:-queencount} threads=${THREADS:-1} gpus=${GPUS:-0} job=
[[ $gpus =~ ^[0-9]{1,3}$ ]] || { echo "$me: expected a number of GPUs in GPUS, found '$gpus'" >&2; exit 2; }
# What each job is told. Without --require-device, one with a GPU would count for weeks on the CPU.
options=(${SITE:+--site "$SITE"})
((gpus == 0)) || options+=(--device auto --require-device)

command -v "$queencount" >/dev/null ||
    { echo "$me: expected the program $queencount, found none; name it by QUEENCOUNT" >&2; exit 1; }

# What DIR has to hold. A board, a number of shards or of threads that there is not is an error here, before any job.
plan=$("$queencount" plan "$n" --threads "$threads" | sed -n 's/^plan *//p')
"$queencount" plan "$n" --shards "$shards" >/dev/null
command -v "$scheduler" >/dev/null ||
    { echo "$me: expected the command $scheduler on the path, found none" >&2; exit 1; }

# Absolute names are the same for every job, and never begin with a dash.
[[ $dir == /* ]] || dir=$PWD/$dir
[[ $queencount != */* || $queencount == /* ]] || queencount=$PWD/$queencount
mkdir -p "$dir"
shopt -s nullglob

# Adds up the records, and refuses those of another plan. Without a record, all units are missing.
merge() {
    local records
    records=("$dir"/*.jsonl)
    ((${#records[@]})) || return 4
    "$queencount" merge --n "$n" --plan "$plan" "$@" "${records[@]}"
}

# Sets 'todo' to the shards that lack units, as 3,17,40-44. Fails when none does. Ends the script when no job can help,
# because a record is damaged, contradicts another one or is of another plan.
lacking() {
    local code=0
    todo=$(merge --shards "$shards") || code=$?
    # Empty records tell of no shard.
    todo=${todo:-1-$shards}
    case $code in
    0) return 1 ;;
    4) ;;
    *) exit "$code" ;;
    esac
}

# Ends the jobs, whatever runs here, and the script.
interrupted() {
    trap '' INT TERM
    [[ -z $job ]] || cancel || true
    # shellcheck disable=SC2046 # a word for each process
    kill $(jobs -p) 2>/dev/null || true
    wait
    echo "$me: interrupted; the same command goes on with $dir" >&2
    exit "$1"
}
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

for attempt in 1 2 3; do
    lacking || break
    echo "$me: attempt $attempt, shards $todo" >&2
    submit "$@"
    await
    job=
done
merge || {
    code=$?
    echo "$me: what the jobs said is in $dir/*.log" >&2
    exit "$code"
}
exit
