#!/usr/bin/env bash
# Fixtures/CI/test-package.sh PACKAGE [options of swift test]: runs the tests of a package that depends on this
# checkout, with the modules that 'make example' has built here. Only the package's own modules are compiled.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -f "$1/Package.swift" ]; then
  echo "usage: Fixtures/CI/test-package.sh PACKAGE, a folder with a Package.swift" >&2
  exit 2
fi
package=$(cd "$1" && pwd)
shift
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$checkout/.build
# SwiftPM does not compile a test module again if a module changes on which it depends only through another one. So
# the modules of packages that are older than a source of this checkout are removed.
for list in "$scratch"/release/*.build/sources; do
  if [ -f "$list" ] && ! grep -q "$checkout/Sources/" "$list" \
    && [ -n "$(find "$checkout/Sources" -name '*.swift' -newer "$list" -print -quit)" ]; then
    rm -rf "$(dirname "$list")"
  fi
done
# Packages share the built modules, but not the build plan.
rm -f "$scratch/release.yaml"
${SWIFT:-swift} test --package-path "$package" --scratch-path "$scratch" -c release --disable-testable-imports "$@" || result=$?
rm -f "$scratch/release.yaml"
exit "${result:-0}"
