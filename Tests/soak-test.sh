#!/usr/bin/env bash
# Whether Tests/soak.sh sees what it is there for: each time it gets a tool that does one thing wrong, and
# has to end with the right exit code and say the right thing.
#
#   Tests/soak-test.sh TOOL
set -euo pipefail

if [ $# -ne 1 ] || ! command -v -- "$1" >/dev/null; then
  echo "usage: Tests/soak-test.sh TOOL, a built faultline" >&2
  exit 2
fi
tool=$(command -v -- "$1")
tool=$(cd "$(dirname "$tool")" && pwd)/$(basename "$tool")
soak=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/soak.sh
folder=$(mktemp -d "${TMPDIR:-/tmp}/faultline-soak-test.XXXXXX")
folder=$(cd "$folder" && pwd)
trap 'rm -rf "$folder"' EXIT
# What the soak leaves behind after a find goes there, too.
export TMPDIR=$folder

failures=0
# expect NAME CODE TEXT…: of the soak that ran last.
expect() {
  local name=$1 code=$2 text
  shift 2
  if [ "$status" -ne "$code" ]; then
    echo "FAILED: $name: exit code $status, and not $code"
    sed 's/^/    /' "$folder/out"
    failures=$((failures + 1))
    return
  fi
  for text in "$@"; do
    if ! grep -qF -- "$text" "$folder/out"; then
      echo "FAILED: $name: does not say '$text'"
      sed 's/^/    /' "$folder/out"
      failures=$((failures + 1))
      return
    fi
  done
  echo "passed: $name"
}

status=0
run_soak() {
  status=0
  "$soak" "$@" >"$folder/out" 2>&1 || status=$?
}

# wrapper NAME: a tool that does what standard input says, in a shell in which `tool` is the real one.
# `number` is what stands behind --runs, and `campaign` whether it is one that was drawn or given: the two
# that the soak makes for their memory are left alone.
wrapper() {
  {
    printf '#!/usr/bin/env bash\nset -uo pipefail\ntool=%q\nwork=%q\n' "$tool" "$folder"
    # shellcheck disable=SC2016
    echo 'number=0; before=; campaign=no; timed=no
      for word in "$@"; do
        [ "$before" != --runs ] || number=$word
        [ "$word" != --time ] || timed=yes
        [ "$word" != --contexts ] || campaign=yes
        before=$word
      done'
    cat
  } >"$folder/$1"
  chmod +x "$folder/$1"
}

options=(--model Fixtures/Models/EmployeeDepartment.model --model Fixtures/Models/Note.model
  --contexts 3 --steps 12 --known none)

# A seed whose sixth run, the third one of the second model, violates something: then the tool itself says
# what that run's seed is.
wanted=
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  wanted=$("$tool" fuzz --format json --failures none --seed "$seed" --runs 6 --shard 6/6 "${options[@]}" \
    | sed -n 's/^      "seed" : "\(0x[0-9a-f]*\)",\{0,1\}$/\1/p' | head -n 1) || true
  [ -z "$wanted" ] || break
done
[ -n "$wanted" ] || { echo "FAILED: no seed up to 20 has a sixth run that violates something"; exit 1; }
given=(--seed "$seed" --runs 9 "${options[@]}")

# The sixth run differs, by its digest and by an event.
# shellcheck disable=SC2016
differing='
  if [ "$1" = fuzz ] && [ "$campaign" = yes ] && [ "$number" -ge 6 ]; then
    "$tool" "$@" | sed "s/\"digest\" : \"...../\"digest\" : \"fffff/"
  elif [ "$1" = replay ]; then
    "$tool" "$@" | awk "/^ *> / && ++n == 2 { \$0 = \$0 \" (changed)\" } { print }"
  else
    "$tool" "$@"
  fi'

# shellcheck disable=SC2016
{ echo 'if [ "$PWD" = '"$(printf %q "$(pwd)")"' ]; then exec "$tool" "$@"; fi'; echo "$differing"; } \
  | wrapper elsewhere
run_soak "$folder/elsewhere" "$tool" 25s 1 -- "${given[@]}"
expect "another event in another working directory" 1 "soak: DIFFERENCE" "second process" \
  "first run that differs: 6 of 9" "its seed: $wanted, its model: $(pwd)/Fixtures/Models/Note.model" \
  "the first events that differ" "(changed)" "replay b: (cd" "replay $wanted --model"

wrapper other-build <<<"$differing"
# Of a debug build there are at most three runs: a difference in the first.
sed -i.bak 's/-ge 6/-ge 1/' "$folder/other-build"
run_soak "$tool" "$folder/other-build" 25s 1 -- "${given[@]}"
expect "another event in the debug build" 1 "soak: DIFFERENCE" "b is the debug build" \
  "first run that differs: 1 of" "(changed)"

# shellcheck disable=SC2016
wrapper other-report <<<'
  if [ "$PWD" = / ] || [ "$campaign" = no ]; then exec "$tool" "$@"; fi
  if [ ! -e "$work/once" ]; then touch "$work/once"; exec "$tool" "$@"; fi
  "$tool" "$@" | sed "s/\"explanation\" : /\"explanations\" : /"'
run_soak "$folder/other-report" "$tool" 25s 1 -- "${given[@]}"
expect "another report of the same runs" 1 "the runs are the same" '"explanations"'

# shellcheck disable=SC2016
wrapper other-merge <<<'
  if [ "$1" != merge ]; then exec "$tool" "$@"; fi
  "$tool" "$@" | sed "s/\"runs\" : 9,/\"runs\" : 8,/"'
run_soak "$folder/other-merge" "$tool" 25s 1 -- "${given[@]}"
expect "another report of the parts" 1 "soak: DIFFERENCE" "in parts, merged" '"runs" : 8' " merge "

# shellcheck disable=SC2016
wrapper forgetful <<<'
  if [ "$1 $2" = "fuzz --resume" ]; then echo "where was I?" >&2; exit 3; fi
  exec "$tool" "$@"'
run_soak "$folder/forgetful" "$tool" 40s 1 -- "${given[@]}"
expect "a shard that cannot be resumed" 3 "soak: CRASH" "a shard that was stopped, and resumed" "where was I?"

# shellcheck disable=SC2016
wrapper deaf <<<'
  case "$*" in *--output*) "$tool" "$@" >/dev/null; exit 143 ;; esac
  exec "$tool" "$@"'
run_soak "$folder/deaf" "$tool" 40s 1 -- "${given[@]}"
expect "a shard that loses its report when it is stopped" 3 "soak: CRASH" "by signal 15"

# shellcheck disable=SC2016
wrapper crashing <<<'
  if [ "$campaign" = yes ]; then echo "the line that does it again" >&2; exit 3; fi
  exec "$tool" "$@"'
run_soak "$folder/crashing" "$tool" 25s 1 -- "${given[@]}"
expect "a trap" 3 "soak: CRASH" "exit code 3" "the line that does it again"

# shellcheck disable=SC2016
wrapper killed <<<'
  if [ "$campaign" = yes ]; then kill -SEGV $$; fi
  exec "$tool" "$@"'
run_soak "$folder/killed" "$tool" 25s 1 -- "${given[@]}"
expect "a signal" 3 "soak: CRASH" "by signal 11"

# shellcheck disable=SC2016
wrapper sleeping <<<'
  if [ "$campaign" = yes ]; then exec sleep 300; fi
  exec "$tool" "$@"'
SOAK_LIMIT=4 run_soak "$folder/sleeping" "$tool" 25s 1 -- "${given[@]}"
expect "a process without end" 4 "soak: TIME-OUT" "longer than 4 s"

run_soak "$tool" "$tool" 25s 1 -- "${given[@]}" --stack Fixtures/Stacks/proxy.stack
expect "options that exclude each other" 6 "refused its options" "--contexts"

# A bug that was not asked for.
# shellcheck disable=SC2016
wrapper broken <<<'
  if [ "$campaign" = yes ]; then exec "$tool" "$@" --plant forgetsAwakeFromFetch; fi
  exec "$tool" "$@"'
run_soak "$folder/broken" "$tool" 25s 1 -- "${options[@]:0:6}" --steps 60 --known none --runs 40
expect "engine and reference disagree" 5 "soak: DISAGREEMENT" '"replay"' "the campaign: (cd"

# Half a megabyte more with each tenth of a second.
# shellcheck disable=SC2016
wrapper growing <<<'
  [ "$timed" = yes ] || exec "$tool" "$@"
  text=$(printf "%0400000d" 0)
  end=$((SECONDS + 5))
  while [ "$SECONDS" -lt "$end" ]; do
    all="${all-}$text"
    sleep 0.1
  done
  exec "$tool" fuzz --runs 1 --format json --known none'
run_soak "$folder/growing" "$tool" 30s 1 -- "${given[@]}"
expect "more and more memory" 7 "soak: MEMORY GROWS" "last quarter"

run_soak "$tool" "$tool" 8s 1 -- "${given[@]}"
expect "nothing wrong" 0 "compared, release" "soak: no difference in"
if grep -q "compared, in parts *0$" "$folder/out"; then
  echo "FAILED: nothing wrong: no campaign was taken apart"
  failures=$((failures + 1))
fi

# shellcheck disable=SC2016
wrapper waiting <<<'
  if [ "$campaign" = yes ]; then echo $$ >"$work/pid"; exec sleep 300; fi
  exec "$tool" "$@"'
rm -f "$folder/pid"
status=0
"$soak" "$folder/waiting" "$tool" 25s 1 -- "${given[@]}" >"$folder/out" 2>&1 &
soaking=$!
for ((tenth = 0; tenth < 150 && status == 0; tenth++)); do
  [ ! -s "$folder/pid" ] || break
  sleep 0.1
done
kill -TERM "$soaking"
wait "$soaking" || status=$?
expect "an interruption" 130 "soak: interrupted" "soak of seed 1"
if [ ! -s "$folder/pid" ]; then
  echo "FAILED: an interruption: it came before the process that it should end"
  failures=$((failures + 1))
elif kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
  echo "FAILED: an interruption: its process goes on"
  kill -KILL "$(cat "$folder/pid")"
  failures=$((failures + 1))
fi

for words in "1x" "30s 0y" "30s 1 x" "30s 1 --"; do
  # shellcheck disable=SC2086
  run_soak "$tool" "$tool" $words
  expect "bad arguments: $words" 2 "soak: "
done

[ "$failures" -eq 0 ] || { echo "$failures of the tests failed"; exit 1; }
echo "soak-test: all passed"
