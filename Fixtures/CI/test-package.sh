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
scratch=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.build
# Packages share the built modules, but not the build plan.
rm -f "$scratch/release.yaml"
${SWIFT:-swift} test --package-path "$package" --scratch-path "$scratch" -c release --disable-testable-imports "$@" || result=$?
rm -f "$scratch/release.yaml"
exit "${result:-0}"
