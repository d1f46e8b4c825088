#!/usr/bin/env bash
# Fixtures/CI/install.sh TOOL PREFIX: copies the tool and the package to PREFIX/share/faultline, with a link to
# the tool in PREFIX/bin. The tool finds its stacks, models and scenarios there, and test packages can depend on
# the package by its path. An installation that is there already is replaced when the new one is complete.
set -euo pipefail

if [ $# -ne 2 ] || [ ! -f "$1" ] || [ ! -x "$1" ] || [ -z "$2" ]; then
  echo "usage: Fixtures/CI/install.sh TOOL PREFIX, such as .build/release/faultline /usr/local" >&2
  exit 2
fi
tool=$(cd "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
mkdir -p "$2/bin" "$2/share"
prefix=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

new=$(mktemp -d "$prefix/share/.faultline-XXXXXX")
trap 'rm -rf "$new"' EXIT
chmod 755 "$new"
tar --exclude=.build --exclude=.faultline -cf - Package.swift README.md Makefile Sources Tests Scenarios Fixtures \
  | tar --no-same-owner -xf - -C "$new"
mkdir "$new/bin"
cp "$tool" "$new/bin/faultline"
rm -rf "$prefix/share/faultline"
mv "$new" "$prefix/share/faultline"
ln -sfn ../share/faultline/bin/faultline "$prefix/bin/faultline"
echo "installed $prefix/bin/faultline; test packages depend on .package(name: \"Faultline\", path: \"$prefix/share/faultline\")"
