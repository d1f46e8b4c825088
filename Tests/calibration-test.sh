#!/usr/bin/env bash
# Writes a calibration package, has it compiled with product CoreData instead of Apple's, and run here. Its
# report must confirm what passes, say of each quirk what profile 'current' has, and lose nothing to a
# file that does not compile. Takes about three minutes.
#
#   Tests/calibration-test.sh .build/release/faultline
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1
package=.build/calibration
flags="--scratch-path $PWD/.build -c release -j ${JOBS:-2}"

# Known to fail; see exported-tests.sh.
known_failures="ResultsAreFaultsTests EntryPointSavesWhatAnotherContextEditsTests FetchOvertakesTheSaveTests"
# The quirks of profile 'current'.
current="parentAwakensInsertedObject childKeepsTemporaryID childSaveIgnoresMergePolicy
  childSaveIgnoresEqualValues ancestorCacheHidesUpdates"

"$tool" calibration --to "$package"
# One test more, which does not compile.
echo 'final class BrokenTests { let value: NoSuchType }' > "$package/Tests/CalibrationTests/BrokenTests.swift"
sed 's|"tests" : \[|&{ "name": "BrokenTests", "source": "none", "facts": ["SV-04"] },|' \
  "$package/tests.json" > "$package/tests.json.part"
mv "$package/tests.json.part" "$package/tests.json"

# It shares the built modules, but not the build plan.
rm -f .build/release.yaml
status=0
SWIFT_BUILD_FLAGS=$flags FAULTLINE_CHECKOUT=$PWD "$package/calibrate" --timeout 30 \
  > "$package/summary.txt" 2> "$package/log.txt" || status=$?
rm -f .build/release.yaml
cat "$package/summary.txt"
[ "$status" = 1 ] || { tail -n 20 "$package/log.txt"; echo "calibrate ended with $status"; exit 1; }

failed=0
complain() { echo "failed: $1"; failed=1; }
broken=
while read -r name outcome; do
  if [ "$name" = BrokenTests ] && [ "$outcome" = "did not compile" ]; then broken=1
  elif [[ " $known_failures " != *" $name "* ]]; then complain "$name $outcome"; fi
done < <(sed -nE 's/^([A-Za-z0-9]+Tests): (failed|raised an exception|crashed|timed out|did not compile|did not run)$/\1 \2/p' "$package/log.txt")
[ -n "$broken" ] || complain "BrokenTests compiles"

decided=0
while read -r name observed; do
  case "$observed" in
    on) [[ " "$current" " == *[[:space:]]"$name"[[:space:]]* ]] || complain "$name is on" ;;
    off) [[ " "$current" " != *[[:space:]]"$name"[[:space:]]* ]] || complain "$name is off" ;;
    "not decided") continue ;;
    *) complain "$name is $observed" ;;
  esac
  decided=$((decided + 1))
done < <(sed -n '/^options:/,$s/^  \([A-Za-z]*\)  /\1 /p' "$package/summary.txt")
[ "$decided" -ge 14 ] || complain "only $decided quirks are decided"

confirmed=$(sed -nE 's/^facts: ([0-9]+) confirmed.*/\1/p' "$package/summary.txt")
[ "${confirmed:-0}" -ge 370 ] || complain "only $confirmed facts are confirmed"

# What the simulation says about itself is no evidence.
if "$tool" facts --observed "$package/report.json" 2> "$package/refusal.txt"; then
  complain "a report of the simulation is taken for one of Core Data"
fi
grep -q "system.framework: 'simulation'" "$package/refusal.txt" || complain "$(cat "$package/refusal.txt")"

# The same report as if a Mac had written it, in a checkout of its own.
checkout=$(mktemp -d)
trap 'rm -rf "$checkout"' EXIT
cp -R README.md Scenarios Fixtures Tests Sources "$checkout"
sed 's/"framework" : "simulation"/"framework" : "Core Data"/; s/"name" : "Linux"/"name" : "macOS"/' \
  "$package/report.json" > "$checkout/report.json"
"$tool" facts --root "$checkout" --observed "$checkout/report.json" > "$checkout/facts.txt" ||
  complain "$(tail -n 3 "$checkout/facts.txt")"
holding=$(grep -c '| holds on macOS' "$checkout/Scenarios/FACTS.md" || true)
[ "$holding" = "$confirmed" ] || complain "$holding facts hold by the page and $confirmed by the report"
cp "$checkout/Scenarios/FACTS.md" "$checkout/first.md"
"$tool" facts --root "$checkout" --write > /dev/null
cmp "$checkout/first.md" "$checkout/Scenarios/FACTS.md" || complain "the page cannot be made again"

[ "$failed" = 0 ] && echo "calibration: $confirmed facts confirmed, $decided quirks as profile 'current' has them"
