#!/usr/bin/env bash
# Runs the promises of Fixtures/Promises. Each of promises.txt has to be broken by the stack with two writers and kept by
# the one with one. Each of designs.txt has to tell a ready stack from an edit of it. Arguments: the tool, and how many
# programs the stacks that keep a promise get (20,000).
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1
kept=${2:-20000}
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Arguments: a stack, a model, a promise, and the number of programs.
campaign() {
  "$tool" fuzz --stack "$1" --model "Fixtures/Models/$2" --promise "$3" --runs "$4" --seed 3 --failures none \
    --only 'broken promise' --only 'broken promise of an entry point' --only 'broken promise of a context' 2>&1 || true
}

# The number of programs that showed a broken promise.
broken() {
  sed -n 's/^  broken promise[a-z ]*  \([0-9,]*\) .*/\1/p' | tr -d ', ' | awk '{ sum += $1 } END { print sum + 0 }'
}

# Arguments: the stack that breaks the promise, the one that keeps it, the model, and the promise.
compare() {
  local bad good n m
  bad=$(campaign "$1" "$3" "$4" 500)
  good=$(campaign "$2" "$3" "$4" "$kept")
  n=$(broken <<< "$bad")
  m=$(broken <<< "$good")
  printf '%-10s %-10s %s\n' "$n of 500" "$([ "$m" = 0 ] && echo yes || echo "no, $m")" "$4"
  # A promise that no program has put to the test is not kept.
  if [ "$n" = 0 ] || [ "$m" != 0 ] || ! grep -q '^PASS' <<< "$good" || grep -q 'never tested' <<< "$good"; then
    failures=$((failures + 1))
  fi
}

printf '%-10s %-10s %s\n' 'broken' 'kept' 'promise'
while IFS='|' read -r model promise; do
  case $model in '#'* | '') continue ;; esac
  compare Fixtures/Promises/two-writers.stack Fixtures/Promises/one-writer.stack "$model" "$promise"
done < Fixtures/Promises/promises.txt
while IFS='|' read -r stack model edit promise; do
  case $stack in '#'* | '') continue ;; esac
  ready="Fixtures/Stacks/$stack.stack"
  sed "${edit#+}" "$ready" > "$folder/$stack.stack"
  cmp -s "$ready" "$folder/$stack.stack" && { echo "$stack: the edit changes nothing: $edit" >&2; exit 1; }
  case $edit in
    '+'*) compare "$ready" "$folder/$stack.stack" "$model" "$promise" ;;
    *) compare "$folder/$stack.stack" "$ready" "$model" "$promise" ;;
  esac
done < Fixtures/Promises/designs.txt
[ "$failures" = 0 ] || { echo "$failures promises are not told as they should be" >&2; exit 1; }
