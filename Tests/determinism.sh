#!/usr/bin/env bash
# One campaign by each of the given builds, from two folders: all must print one report, examples and
# all, but for the lines that say how the tool was called.
set -euo pipefail
models=$(pwd)/Fixtures/Models
known=$(pwd)/Scenarios
digests=""
for tool in "$@"; do
  tool=$(realpath "$tool")
  for folder in . /; do
    digest=$(cd "$folder" && { "$tool" fuzz --runs 60 --seed 7 --format json --failures none \
      --model "$models/EmployeeDepartment.model" --model "$models/Publication.model" \
      --model generated --known "$known" || [ $? -eq 1 ]; } | grep -v '"replay"' | sha256sum)
    echo "$tool in $folder:$digest"
    digests="$digests$digest
"
  done
done
[ "$(printf '%s' "$digests" | sort -u | wc -l)" -eq 1 ] || { echo "the reports differ"; exit 1; }
