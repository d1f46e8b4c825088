#!/usr/bin/env bash
# Runs Fixtures/CI/parallel.sh for real: parallel.sh TOOL. Exit code 77 without GNU parallel.
# shellcheck source=Tests/ClusterJobs/common.sh
. "$(dirname "$0")/common.sh"
command -v parallel > /dev/null || skip "no GNU parallel; install the package 'parallel'"
command -v pgrep > /dev/null || skip "no pgrep; install the package 'procps'"
export PARALLEL_HOME=$folder/parallel

# run NAME CODE [options]: three shards, the log of the jobs, and the exit code that is due.
run() {
  local name=$1 due=$2 code=0
  shift 2
  SHARDS=3 OUTPUT="$folder/$name" Fixtures/CI/parallel.sh "$@" > "$folder/$name.log" 2>&1 || code=$?
  grep '^shard' "$folder/$name.log" || :
  cat "$folder/$name/joblog"
  [ "$code" -eq "$due" ] || { cat "$folder/$name.log"; fail "exit code $code, not $due"; }
}

echo "== three shards"
one_process one 1 "${campaign[@]}"
run three 1 "${campaign[@]}" -- --format junit
same one "$folder/three/merged"
grep -q '<testsuite' "$folder/three.log" || fail "the merge was not given its options"

echo "== the same line again repeats nothing"
run three 1 "${campaign[@]}"
[ "$(grep -c 'had ended' "$folder/three.log")" -eq 3 ] || fail "shards that had ended ran again"
same one "$folder/three/merged"

echo "== another campaign in the same folder is refused"
run three 2 "${campaign[@]}" --contexts 2

echo "== shards that fail are not merged"
run bad 2 --runs 300 --nonsense 1
[ ! -e "$folder/bad/merged" ] || fail "shards that failed were merged"
rm -r "$folder/three/shard-2/ended"
code=0
Fixtures/CI/merge-shards.sh 3 "$folder/three" 2> "$folder/merge.log" || code=$?
cat "$folder/merge.log"
[ "$code" -eq 2 ] || fail "a shard that has not ended was merged: exit code $code"

echo "== a campaign that is stopped goes on"
long=(--runs 15000 --seed 8 --model Fixtures/Models/Note.model --known none --steps 10)
one_process long 1 "${long[@]}"
# stop SIGNAL CODE PATTERN: runs it until shard 2 is under way, and sends the signal to the one process whose
# command line matches. One shard at a time, so that parallel.sh has something left to do.
stop() {
  local code=0 job pid=
  SHARDS=3 JOBS=1 OUTPUT="$folder/stopped" Fixtures/CI/parallel.sh "${long[@]}" > "$folder/stopped.log" 2>&1 &
  job=$!
  for ((i = 0; i < 600; i++)); do
    # Shard 2's own process: by then its script is ready for signals.
    if [ -e "$folder/stopped/shard-2/campaign.json" ] && pgrep -f "fuzz .*=$folder/stopped/shard-2" > /dev/null \
      && pid=$(pgrep -f -- "$3"); then break; fi
    sleep 0.1
  done
  [ -n "$pid" ] || fail "shard 2 was not under way"
  kill "-$1" "$pid"
  wait "$job" || code=$?
  cat "$folder/stopped/joblog"
  [ "$code" -eq "$2" ] || { cat "$folder/stopped.log"; fail "exit code $code of a stopped shard, not $2"; }
  [ ! -e "$folder/stopped/merged" ] || fail "a campaign with a stopped shard was merged"
}
stop KILL 137 "fuzz .*--output=$folder/stopped/shard-2"
stop TERM 143 "^bash Fixtures/CI/shard.sh 2 3 $folder/stopped"
grep -q 'shard 2/3: stopped' "$folder/stopped.log" || fail "shard 2 did not say that it was stopped"
run stopped 1 "${long[@]}"
grep -q 'shard 1/3: had ended' "$folder/stopped.log" || fail "shard 1 was run again"
grep -q 'shard 2/3: goes on' "$folder/stopped.log" || fail "shard 2 did not go on"
same long "$folder/stopped/merged"
