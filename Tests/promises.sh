#!/usr/bin/env bash
# Runs the promises of Fixtures/Promises: each has to be broken by the stack with two writers and kept by the one with
# one. Arguments: the tool, and how many programs the second stack gets (20,000).
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1
kept=${2:-20000}
failures=0

campaign() {
  "$tool" fuzz --stack "Fixtures/Promises/$1.stack" --model "Fixtures/Models/$2" --promise "$3" --runs "$4" --seed 3 \
    --only 'broken promise' --failures none 2>&1 || true
}

# The number of programs that showed a broken promise.
broken() {
  sed -n 's/^  broken promise  *\([0-9,]*\) .*/\1/p' | tr -d , | awk '{ sum += $1 } END { print sum + 0 }'
}

printf '%-10s %-10s %s\n' 'broken' 'kept' 'promise'
while IFS='|' read -r model promise; do
  case $model in '#'* | '') continue ;; esac
  two=$(campaign two-writers "$model" "$promise" 500)
  one=$(campaign one-writer "$model" "$promise" "$kept")
  n=$(broken <<< "$two")
  m=$(broken <<< "$one")
  printf '%-10s %-10s %s\n' "$n of 500" "$([ "$m" = 0 ] && echo yes || echo "no, $m")" "$promise"
  if [ "$n" = 0 ] || [ "$m" != 0 ] || ! grep -q '^PASS' <<< "$one"; then failures=$((failures + 1)); fi
done < Fixtures/Promises/promises.txt
[ "$failures" = 0 ] || { echo "$failures promises are not told as they should be" >&2; exit 1; }
