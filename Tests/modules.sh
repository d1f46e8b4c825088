#!/usr/bin/env bash
# Tests/modules.sh BENCH: how many instructions each module spends on a step of the default campaign, with all
# that is generated before and checked after it. A line for each: its name, instructions a step, and per cent of all.
#
# Counted by valgrind, which says the same each time on the same system. What it takes to start, and to read the
# models, is in both of two runs of different length, and so in neither number. Exit code 77 without valgrind.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: Tests/modules.sh BENCH, BENCH being .build/release/faultline-bench" >&2
  exit 2
fi
bench=$(cd "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v valgrind > /dev/null || { echo "valgrind is missing; it counts the instructions" >&2; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
modules=$(find Sources -mindepth 1 -maxdepth 2 -type d -printf '%f ')

# count CASE: writes its modules to CASE.txt, and prints how many steps it takes.
count() {
  # The order of hash tables is chance, and chance takes another number of instructions each time.
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$folder/$1.out" \
    "$bench" --case "$1" 2> /dev/null | awk '{ print $1 }'
  awk -v modules="$modules" -f Tests/modules.awk "$folder/$1.out" > "$folder/$1.txt"
}

few=$(count fewsteps)
many=$(count steps)
[ -n "$few" ] && [ -n "$many" ] && [ "$many" -gt "$few" ] || { echo "valgrind counted nothing" >&2; exit 2; }
awk -v steps=$((many - few)) 'NR == FNR { before[$1] = $2; next }
  { spent = ($2 - before[$1]) / steps; all += spent; if (spent >= 1) print $1, spent }
  END { print "all", all }' "$folder/fewsteps.txt" "$folder/steps.txt" \
  | sort -k2,2nr -k1,1 | awk 'NR == 1 { all = $2 } { printf "%s %.0f %.1f\n", $1, $2, $2 * 100 / all }'
