#!/usr/bin/env bash
# Makes the archive of a black-box fuzzer for ClusterFuzz: pack.sh TOOL ARCHIVE.tar.gz. The tool should need
# nothing that the bots have not; 'make clusterfuzz' builds one with the toolchain's libraries in it.
set -euo pipefail

[ $# -eq 2 ] || { echo "pack.sh: give the tool and the archive: pack.sh .build/release/faultline fuzzer.tar.gz" >&2; exit 2; }
[ -x "$1" ] || { echo "pack.sh: there is no tool $1; build it" >&2; exit 2; }
folder=$(mktemp -d "$2.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/faultline"
cp "$(dirname "$0")/run" "$folder/run"
# A reader never sees half an archive.
tar -czf "$folder.part" -C "$folder" run faultline
mv "$folder.part" "$2"
