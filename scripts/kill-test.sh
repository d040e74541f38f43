#!/usr/bin/env bash
# Kills a recorded count at random moments, again and again, and checks that nothing is lost and nothing counted twice.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: kill-test.sh [--kills COUNT] [--signal NAME] [--n N] [--threads T] [--pause MS]
       [--seed S]

Runs 'queencount run N' again and again and ends it by a signal after a random
time of up to MS milliseconds (default: 200 times KILL, N = 20, 2 threads,
200 ms), until so many have been ended. After every signal

  - every line that was on record still is, byte for byte,
  - the record is whole but for an unfinished last line,
  - no unit is on record twice,

and every run says that it holds what the one before has left on record, and
that the rest of the plan is left to count, no unit more and none less.

With N = 20 a group of units takes some milliseconds, so some are finished
between two signals, and a slow enough machine ends 200 runs of one record.
Whenever a record is complete its total is checked, and a new one is begun; the
last is completed in the end. QUEENCOUNT names the program (default:
target/release/queencount).
EOF
}

kills=200 signal=KILL n=20 threads=2 pause=200 seed=1
while (($#)); do
    case $1 in
    --kills) kills=$2 ;;
    --signal) signal=$2 ;;
    --n) n=$2 ;;
    --threads) threads=$2 ;;
    --pause) pause=$2 ;;
    --seed) seed=$2 ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
    esac
    shift 2
done
queencount=${QUEENCOUNT:-$(dirname "$0")/../target/release/queencount}
dir=$(mktemp -d)
record=$dir/record
trap 'rm -rf "$dir"' EXIT
RANDOM=$seed

fail() {
    echo "kill-test: kill $kill: $*; the record is in kill-test-record.jsonl" >&2
    cp "$record" kill-test-record.jsonl
    exit 1
}

run() { exec "$queencount" run "$n" --threads "$threads" --record "$record"; }

# A number of the record's merge as JSON.
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$dir/merged"; }

# What the run has said that it holds and has left, checked against the record before it.
check_what_was_left() {
    local said=" holds $(number done) units already; $(($(number units) - $(number done))) are left to count"
    grep -qF "$said" "$dir/errors" || fail "expected '$said', found: $(cat "$dir/errors")"
}

# The record without the unfinished line that may end it.
whole_lines() { head -c "$(($(grep -abo '}$' "$record" | tail -1 | cut -d: -f1) + 2))" "$record"; }

total=$("$queencount" count "$n" --quiet)
killed=0 completed=0 torn=0
: >"$dir/before"
for ((kill = 1; killed < kills; kill++)); do
    (run) >"$dir/total" 2>"$dir/errors" &
    pid=$!
    sleep "$(printf '%d.%03d' $((RANDOM % pause / 1000)) $((RANDOM % pause % 1000)))"
    kill -"$signal" "$pid" 2>/dev/null || true
    code=0
    wait "$pid" 2>/dev/null || code=$?
    case $code in
    0) ;;
    137 | 130 | 143) ((killed += 1)) ;;
    *) fail "the run ended with $code: $(cat "$dir/errors")" ;;
    esac
    [[ -s $record ]] || continue
    # A run that was killed before it came to say it has said nothing.
    [[ ! -s $dir/errors || ! -s $dir/before ]] || check_what_was_left
    head -c "$(stat -c %s "$dir/before")" "$record" | cmp -s - "$dir/before" || fail "lines that were there are not"
    [[ -z $(tail -c 1 "$record") ]] || ((torn += 1))
    code=0
    "$queencount" merge --quiet --format json "$record" >"$dir/merged" 2>/dev/null || code=$?
    [[ $code == 0 || $code == 4 ]] || fail "merge ends with $code"
    [[ ! -s $dir/merged || $(number repeated) == 0 ]] || fail "a unit is on record twice"
    whole_lines >"$dir/before"
    if [[ $code == 0 ]]; then
        [[ $("$queencount" merge "$record") == "$total" ]] || fail "the total is wrong"
        ((completed += 1))
        rm "$record" "$dir/merged"
        : >"$dir/before"
    fi
done
kept=$(grep -c "^{\"first\"" "$record" || true)
[[ $(run 2>/dev/null) == "$total" && $("$queencount" merge "$record") == "$total" ]] || fail "the total is wrong"
echo "kill-test: N = $n is $total; ended $killed runs by SIG$signal; $((completed + 1)) records completed, all exact, the last from $kept entries on; $torn torn lines"
