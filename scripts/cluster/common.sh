# The common part of slurm.sh and gnu-parallel.sh, which submit the shards with missing units as jobs
# of array-task.sh. A recipe defines these before it sources this file:
#
#   usage        prints the start of the help
#   scheduler    the command that it requires
#   submit       submits the shards 'todo' with the given options, and sets 'job'
#   await        waits until these jobs have ended
#   cancel       cancels them

me=${0##*/}

help() {
    usage
    cat <<'END'

DIR is a directory shared by all machines, which holds the records. To resume after any
failure, run the same command again. Shards with missing units are submitted up to three
times. Ctrl-C cancels the jobs, whose messages are in DIR/*.log.

RUN-OPTIONs are options of 'queencount run'. Other settings are environment
variables: ONLY (see docs/long-counts.md), and QUEENCOUNT, the path of the program on all
machines.

Requires Bash 4.4. Exit codes are those of 'queencount merge'.
END
}

fail() { echo "$me: ${*:2}" >&2; exit "$1"; }

# Prints each shard of a list such as 3,17,40-44.
expand() { echo "$1" | tr , '\n' | awk -F - '{ for (k = $1; k <= $NF; k++) print k }'; }

[[ ${1:-} == -h || ${1:-} == --help ]] && { help; exit; }
[[ $# -ge 3 && -n $3 ]] || { help >&2; exit 2; }
n=$1 shards=$2 dir=$3
shift 3
export QUEENCOUNT=${QUEENCOUNT:-queencount}
only=${ONLY:-} job='' to_scheduler=()
unset ONLY
while (($#)) && [[ $1 != -- ]]; do
    to_scheduler+=("$1")
    shift
done
options=("${@:2}")
[[ $only != @* ]] || only=$(paste -sd , -- "${only#@}") ||
    fail 1 "cannot read the shards in ONLY=$only"
[[ ! $only || $only =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] ||
    fail 2 "expected ONLY as in 3,17,40-44, found $only"
command -v "$scheduler" >/dev/null || fail 1 "no command $scheduler on the path"

# Absolute names are the same for every job, and do not begin with a dash.
[[ $dir == /* ]] || dir=$PWD/$dir
[[ $QUEENCOUNT != */* || $QUEENCOUNT == /* ]] || QUEENCOUNT=$PWD/$QUEENCOUNT
task=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/array-task.sh
mkdir -p "$dir"
# A wrong board, engine or number of shards must be found before any job is submitted. The other
# options are for machines that have devices.
requested=()
[[ ! " ${options[*]} " =~ ' --engine'[=\ ]([^ ]+)' ' ]] || requested=(--engine "${BASH_REMATCH[1]}")
SHARD=none "$task" "$n" "$shards" "$dir" "${requested[@]}"
engine=$(sed -n 's/.*"engine":"\([^"]*\)".*/\1/p' "$dir"/plan-*.jsonl)

merge() { "$QUEENCOUNT" merge --quiet --n "$n" --engine "$engine" "$@" "$dir"; }

# Sets 'todo' to the shards with missing units. Fails if there are none. Exits if no job can help.
lacking() {
    local code=0
    todo=$(merge --shards "$shards") || code=$?
    ((code)) || return 1
    ((code == 4)) || exit "$code"
    [[ ! $only ]] || todo=$(comm -12 <(expand "$todo" | sort) <(expand "$only" | sort) |
        sort -n | paste -sd ,)
    [[ $todo ]]
}

interrupted() {
    trap '' INT TERM
    [[ -z $job ]] || cancel || true
    # A word for each process.
    kill $(jobs -p) 2>/dev/null || true
    wait
    echo "$me: interrupted; run the same command again to resume" >&2
    exit "$1"
}
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

for attempt in 1 2 3; do
    lacking || break
    echo "$me: attempt $attempt, shards $todo" >&2
    submit "${to_scheduler[@]}"
    await
    job=
done
merge || {
    code=$?
    echo "$me: the jobs' messages are in $dir/*.log" >&2
    exit "$code"
}
exit
