#!/usr/bin/env bash
# Puts the shards that shard.sh ran together, if all have ended: 'faultline merge' also takes some of them,
# and a report on these is easily taken for one on the campaign.
#
#   merge-shards.sh N FOLDER [options of 'faultline merge', such as --failures DIR or --format junit]
#
# Writes FOLDER/merged, with the report as a page in report.html. FAULTLINE is the tool
# (.build/release/faultline).
#
# Exit code 0 if nothing was found that is not documented, 1 if something was, 2 for bad input, which shards
# that have not ended are, 3 for a defect of Faultline.
set -euo pipefail

fail() {
  echo "merge-shards.sh: $*" >&2
  exit 2
}

[ $# -ge 2 ] || fail "too few words; write merge-shards.sh N FOLDER [options of 'faultline merge']"
count=$1
output=$2
shift 2
case $count in '' | 0* | *[!0-9]*) fail "'$count' is no number of shards; write 3 for three" ;; esac
tool=${FAULTLINE:-.build/release/faultline}
command -v "$tool" > /dev/null || fail "there is no tool $tool; build it, or say in FAULTLINE where it is"

folders=()
missing=()
for ((shard = 1; shard <= count; shard++)); do
  folder=$output/shard-$shard
  folders+=("$folder")
  if [ ! -e "$folder/ended" ]; then
    missing+=("$shard")
  elif read -r part _ < "$folder/options" && [ "$part" != "$shard/$count" ]; then
    fail "$folder: is shard $part, not $shard/$count; say the number of shards that there were"
  fi
done
if [ ${#missing[@]} -gt 0 ]; then
  fail "$output: of $count shards these have not ended: ${missing[*]}; run them again, they go on from where they were"
fi
exec "$tool" merge "${folders[@]}" --output "$output/merged" --html "$output/merged/report.html" "$@"
