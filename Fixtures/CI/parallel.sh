#!/usr/bin/env bash
# A campaign in shards, on all cores of this machine or on several machines, by GNU parallel; then the merge.
#
#   [SHARDS=N] [OUTPUT=DIR] parallel.sh [options of 'faultline fuzz'] [-- options of 'faultline merge']
#
#   OUTPUT=night Fixtures/CI/parallel.sh --runs 2000000 --seed 7 --model App.xcdatamodeld -- --failures Tests/Failures
#
# SHARDS     how many (as many as there are cores); the report is the same for every number
# OUTPUT     the folder for shards, log and report (.build/campaign); each campaign needs its own
# JOBS       how many run at once on a machine (as many as it has cores)
# HOSTS      machines besides or instead of this one, as --sshlogin of parallel takes them: HOSTS=:,ada,4/babbage
#            is this one (:), ada, and four jobs on babbage. Each needs this folder under the same path,
#            OUTPUT included, as on a shared disk.
# FAULTLINE  the tool (.build/release/faultline)
#
# Stopped, or after a shard failed: the same line again goes on, and repeats nothing that had ended.
# OUTPUT/joblog says of each shard where and how long it ran and how it ended.
#
# Exit code of the merge: 0, or 1 with finds; of the first failed shard if there is one, without a merge.
set -euo pipefail

# The comment at the top is the help.
case ${1-} in
  -h | --help)
    awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
    exit 0
    ;;
esac
scripts=$(dirname "$0")

fail() {
  echo "parallel.sh: $*" >&2
  exit 2
}

shards=${SHARDS:-$(getconf _NPROCESSORS_ONLN)}
output=${OUTPUT:-.build/campaign}
case $shards in '' | 0* | *[!0-9]*) fail "SHARDS=$shards is no number of shards; write SHARDS=8 for eight" ;; esac
command -v parallel > /dev/null || fail "there is no GNU parallel; install the package 'parallel'"

fuzz=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  fuzz+=("$1")
  shift
done
if [ $# -gt 0 ]; then shift; fi

mkdir -p "$output" || fail "$output: cannot be made a folder; choose another in OUTPUT"
hosts=()
if [ -n "${HOSTS:-}" ]; then hosts=(--sshlogin "$HOSTS" --workdir .); fi

# Neither --resume nor --resume-failed: a shard itself knows whether it has ended, and of which campaign it is.
# 'fuzz' that finds something ends with 1, which is no reason to stop the others; shard.sh sees to that.
code=0
seq "$shards" | parallel --will-cite --jobs "${JOBS:-100%}" ${hosts[@]+"${hosts[@]}"} --joblog "$output/joblog" \
  --line-buffer --halt soon,fail=1 --quote \
  env "FAULTLINE=${FAULTLINE:-.build/release/faultline}" \
  "$scripts/shard.sh" {} "$shards" "$output" ${fuzz[@]+"${fuzz[@]}"} || code=$?
if [ "$code" -ne 0 ]; then
  cat "$output/joblog" >&2
  echo "parallel.sh: not all of $shards shards have ended, and nothing was merged; the same line again goes on" >&2
  # Column 7 is the exit code, column 8 the signal that ended the job.
  exit "$(awk -F '\t' -v other="$code" \
    'NR > 1 && !code && ($7 || $8) { code = $7 ? $7 : 128 + $8 } END { print code ? code : other }' "$output/joblog")"
fi
FAULTLINE=${FAULTLINE:-.build/release/faultline} exec "$scripts/merge-shards.sh" "$shards" "$output" "$@"
