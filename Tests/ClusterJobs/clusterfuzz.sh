#!/usr/bin/env bash
# Does what ClusterFuzz does with the archive of a black-box fuzzer: clusterfuzz.sh TOOL.
# shellcheck source=Tests/ClusterJobs/common.sh
. "$(dirname "$0")/common.sh"

echo "== the archive"
Fixtures/CI/clusterfuzz/pack.sh "$FAULTLINE" "$folder/fuzzer.tar.gz"
mkdir "$folder/fuzzer" "$folder/corpus" "$folder/bot"
tar -xzf "$folder/fuzzer.tar.gz" -C "$folder/fuzzer"
libraries=${LD_LIBRARY_PATH:-}

# generate NAME: test cases in a folder, from a folder that is not the project's, without its environment.
generate() {
  (cd "$folder/bot" && env -i "PATH=$PATH" "LD_LIBRARY_PATH=$libraries" "$folder/fuzzer/run" \
    --input_dir "$folder/corpus" --output_dir "$folder/$1" --no_of_files 5)
  [ "$(find "$folder/$1" -name 'fuzz-*.scenario' | wc -l)" -eq 5 ] || fail "there are not five test cases in $1"
}

echo "== test cases from an empty corpus, each run"
generate first
for case in "$folder"/first/fuzz-*; do
  "$folder/fuzzer/faultline" replay "$case" > "$folder/run.txt" || fail "$case: exit code $?"
done

echo "== others, from a corpus"
cp "$folder"/first/* "$folder/corpus"
generate second
! cmp -s "$folder/first/fuzz-1.scenario" "$folder/second/fuzz-1.scenario" || fail "the same test case twice"

echo "== a defect is told from others by its state"
trumps=Scenarios/Conflicts/conflict-under-mergeByPropertyObjectTrump.scenario
code=0
"$folder/fuzzer/faultline" replay --plant swapsTrumps "$trumps" > "$folder/run.txt" || code=$?
tail -n 1 "$folder/run.txt"
[ "$code" -eq 1 ] || fail "exit code $code of a defect, not 1"
# As the service's parser has it: a place behind a colon, in brackets, and what failed.
tail -n 1 "$folder/run.txt" | grep -Eq '^\[[^]]*:engine\] Check failed: disagreement on ' \
  || fail "a defect has no state that the service knows"

echo "== what cannot be written says so"
code=0
"$folder/fuzzer/run" --output_dir "$folder/fuzzer/run" --no_of_files 1 2> "$folder/error.txt" || code=$?
cat "$folder/error.txt"
[ "$code" -eq 2 ] || fail "exit code $code, not 2"
