#!/usr/bin/env bash
# Exports all scenarios, compiles the files as the tests of a package that uses product CoreData, and runs
# each in a process of its own. Says of every other scenario why it is not exported.
#
#   Tests/exported-tests.sh .build/release/faultline
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1
package=.build/exported
tests=$package/Tests/ExportedTests

# Known to fail. ResultsAreFaults has found a gap of product CoreData: the rows that a fetch has brought into the row
# cache leave it before the code holds the objects. The others have found a gap of the export: the function of a called
# entry point makes no lane wait, so nothing forces the order of its steps among those of other lanes.
known_failures="ResultsAreFaultsTests EntryPointSavesWhatAnotherContextEditsTests FetchOvertakesTheSaveTests"

mkdir -p "$tests"
rm -f "$tests"/*.swift
cat > "$package/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Exported",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Faultline", path: "../..")],
  targets: [
    .testTarget(
      name: "ExportedTests",
      dependencies: [.product(name: "CoreDataXCTest", package: "Faultline")],
      sources: ["Simulated.swift"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-Onone"])],
      plugins: [.plugin(name: "FaultlinePrepare", package: "Faultline")])
  ]
)
PACKAGE
echo "// The other sources of this folder are prepared." > "$tests/Simulated.swift"
"$tool" export Scenarios --to "$tests"

# It shares the built modules, but not the build plan.
rm -f .build/release.yaml
result=0
${SWIFT:-swift} build --build-tests --package-path "$package" --scratch-path .build -c release \
  -j "${JOBS:-2}" --quiet || result=$?
rm -f .build/release.yaml
[ "$result" = 0 ] || exit "$result"

# The package has Swift's mode 5; mode 6 takes the files, too.
prepared=$(find .build/plugins/outputs -type d -path '*ExportedTests*' -name FaultlinePrepare | head -n 1)
"$(dirname "$(command -v "${SWIFT:-swift}")")"/swiftc -typecheck -swift-version 6 \
  -module-name ExportedTests -I .build/release/Modules "$prepared"/*.swift

passed=0 failed=0 known=0
for file in "$tests"/*Tests.swift; do
  name=$(basename "$file" .swift)
  status=0
  output=$(timeout 120 .build/release/ExportedPackageTests.xctest "ExportedTests.$name" 2>&1) ||
    status=$?
  # A filter that matches nothing would pass.
  if [ "$status" = 0 ] && grep -q "Executed 1 test, with 0 failures" <<< "$output"; then
    if [[ " $known_failures " == *" $name "* ]]; then
      failed=$((failed + 1))
      echo "passes, but is known to fail: $name; take it off the list in Tests/exported-tests.sh"
    else
      passed=$((passed + 1))
    fi
  elif [[ " $known_failures " == *" $name "* ]]; then
    known=$((known + 1))
    echo "known to fail: $name"
  else
    failed=$((failed + 1))
    echo "failed: $name (status $status)"
    grep -E "error:|Fatal error" <<< "$output" | head -n 5 || true
  fi
done
echo "exported tests: $passed passed, $failed failed, $known known to fail"
[ "$failed" = 0 ]
