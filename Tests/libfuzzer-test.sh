#!/usr/bin/env bash
# Has libFuzzer find a planted bug from an empty corpus: libfuzzer-test.sh FUZZER, which 'make libfuzzer' builds.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "$0: give the fuzzer; 'make libfuzzer' builds .build/libfuzzer/faultline-libfuzzer" >&2
  exit 2
fi
fuzzer=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir corpus found

fail() {
  echo "libfuzzer-test.sh: $*" >&2
  tail -20 "$folder/log" >&2
  exit 1
}

echo "== branches of the simulated Core Data lead on"
timeout 120 "$fuzzer" -seed=1 -runs=20000 -max_len=1024 corpus > log 2>&1 || fail "an engine without a bug fails"
# shellcheck disable=SC2012 # The names are hashes.
kept=$(ls corpus | wc -l)
grep -q 'NEW *cov: ' log || fail "branches are not counted"
[ "$kept" -ge 40 ] || fail "only $kept inputs were kept for what they cover"
echo "$kept inputs kept"

echo "== a planted bug"
code=0
FAULTLINE_PLANT=swapsTrumps timeout 300 "$fuzzer" -seed=1 -max_len=1024 -artifact_prefix=found/ \
  > log 2>&1 || code=$?
case $code in 0 | 124) fail "it was not found in five minutes: exit code $code" ;; esac
grep -q 'with the planted bug swapsTrumps' log || fail "what was found is not named"
artifact=$(find found -name 'crash-*')
[ -n "$artifact" ] || fail "the input was not kept"
awk -F '\t' '/^#[0-9]+\t/ { number = $1 } END { print "found after input " number }' log

echo "== its input, again, with the bug and without"
if FAULTLINE_PLANT=swapsTrumps "$fuzzer" "$artifact" > log 2>&1; then fail "the input does not show the bug again"; fi
"$fuzzer" "$artifact" > log 2>&1 || fail "the input fails without the bug, too"

echo "== what the environment says wrongly"
code=0
FAULTLINE_PLANT=nonsense "$fuzzer" -runs=1 > log 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "exit code $code, not 2"
grep -q "'nonsense' is not a planted bug" log || fail "it is not said what is wrong"
