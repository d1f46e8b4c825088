#!/usr/bin/env bash
# Tests/instructions.sh BENCH [--update]: counts the instructions that fixed pieces of work take, and how often
# they call malloc, and compares them with Tests/instructions.txt, which --update writes. Exit code 1 if one
# takes over 2 % more, or over 5 % less, or what was won could be lost again unseen; 2 if the file lacks one; 77
# without valgrind or swift.
#
# Both, unlike seconds, are the same each time on the same system. Another toolchain may need others,
# so the file says which one it is for, and a difference between toolchains is told and is no failure.
set -euo pipefail

usage="usage: Tests/instructions.sh BENCH [--update], BENCH being .build/release/faultline-bench"
if [ $# -lt 1 ] || [ $# -gt 2 ] || { [ $# -eq 2 ] && [ "$2" != --update ]; }; then
  echo "$usage" >&2
  exit 2
fi
[ -x "$1" ] || { printf '%s: no program; make bench-instructions builds it\n%s\n' "$1" "$usage" >&2; exit 2; }
bench=$(cd "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
baseline=Tests/instructions.txt
command -v valgrind > /dev/null || { echo "valgrind is missing; it counts the instructions" >&2; exit 77; }
command -v swift > /dev/null || { echo "swift is missing; counts are compared within one toolchain" >&2; exit 77; }
toolchain=$(swift --version 2> /dev/null | head -n 1)
system=$(uname -sm)

profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

# count CASE: instructions, and calls of malloc.
count() {
  # The order of hash tables is chance, and chance takes another number of instructions each time.
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$profile" \
    "$bench" --case "$1" > /dev/null 2>&1 || return
  # Names are written out once, as in "cfn=(7) malloc", and are numbers from there on.
  awk '/^c?fn=/ { sub(/^c?fn=/, ""); called = $1; if (NF > 1) name[called] = $2 }
    /^calls=/ { sub(/^calls=/, ""); if (name[called] == "malloc") allocations += $1 }
    /^totals:/ { print $2, allocations + 0 }' "$profile"
}

# compare WHAT NOW BEFORE: sets status.
compare() {
  local thousandths=$((($2 - $3) * 1000 / $3)) sign=+
  # Rounded, 20.9 would pass.
  [ $((($2 - $3) * 50)) -le "$3" ] || status='more'
  [ $((($3 - $2) * 20)) -le "$3" ] || [ "$status" = 'more' ] || status='less'
  [ "$thousandths" -ge 0 ] || { sign=-; thousandths=$((-thousandths)); }
  echo "$1, $sign$((thousandths / 10)).$((thousandths % 10)) % of $3"
}

# What is fast because it checks nothing would not be worth counting.
"$bench" --case broken > /dev/null || { echo "$1 does not find a bug, or is of another day; make bench-instructions" >&2; exit 2; }
lines="$toolchain, $system"
status=0
missing=no
known=$(head -n 1 "$baseline" 2> /dev/null || true)
for case in verdict steps small schedules shrinking growth; do
  read -r instructions allocations <<< "$(count "$case")" || true
  [ -n "${allocations-}" ] || { echo "$case: valgrind counted nothing" >&2; exit 2; }
  lines+=$'\n'"$case $instructions $allocations"
  read -r before allocationsBefore <<< \
    "$(awk -v case="$case" '$1 == case { print $2, $3 }' "$baseline" 2> /dev/null)" || true
  if [ -z "${allocationsBefore-}" ]; then
    echo "$case: $instructions instructions, $allocations allocations; $baseline has none"
    missing=yes
    continue
  fi
  compare "$case: $instructions instructions" "$instructions" "$before"
  compare "$case: $allocations allocations" "$allocations" "$allocationsBefore"
done

if [ "${2-}" = --update ]; then
  printf '%s\n' "$lines" > "$baseline"
  echo "$baseline: written"
  exit 0
fi
if [ "$missing" = yes ]; then
  echo "$baseline is no baseline of all cases; have 'make bench-instructions UPDATE=1' write it anew" >&2
  exit 2
fi
if [ "$known" != "$toolchain, $system" ]; then
  echo "$baseline is for '$known'; here is '$toolchain, $system', so a difference says nothing"
  exit 0
fi
case $status in
  0) exit 0 ;;
  more) echo "more than 2 % more than $baseline; mend it, or say why in the commit that writes it anew" >&2 ;;
  less) echo "more than 5 % less than $baseline; have 'make bench-instructions UPDATE=1' write it anew" >&2 ;;
esac
exit 1
