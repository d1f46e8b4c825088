#!/usr/bin/env bash
# Submits a campaign to Slurm: an array job, a task for each shard, and a job that merges when all have ended.
#
#   [SHARDS=N] [OUTPUT=DIR] slurm.sh [options of 'faultline fuzz'] [-- options of 'faultline merge']
#
#   SHARDS=64 OUTPUT=night Fixtures/CI/slurm.sh --runs 20000000 --seed 7 --model App.xcdatamodeld
#
# SHARDS     how many (4); the report is the same for every number
# OUTPUT     the folder for shards, logs and report (.build/campaign), on a disk that all nodes share; each
#            campaign needs its own
# FAULTLINE  the tool (.build/release/faultline)
# SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT and others are read by sbatch itself.
#
# Prints the numbers of both jobs. The merge job fails (1) with finds, as 'faultline merge' does; Slurm cancels
# it if a shard fails. The same line again then goes on, and repeats nothing that had ended.
set -euo pipefail

# The comment at the top is the help.
case ${1-} in
  -h | --help)
    awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
    exit 0
    ;;
esac
SCRIPTS=$(cd "$(dirname "$0")" && pwd)
export SCRIPTS FAULTLINE=${FAULTLINE:-.build/release/faultline}

fail() {
  echo "slurm.sh: $*" >&2
  exit 2
}

shards=${SHARDS:-4}
output=${OUTPUT:-.build/campaign}
case $shards in '' | 0* | *[!0-9]*) fail "SHARDS=$shards is no number of shards; write SHARDS=64 for 64" ;; esac
command -v sbatch > /dev/null || fail "there is no sbatch; call this where jobs are submitted"

fuzz=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  fuzz+=("$1")
  shift
done
if [ $# -gt 0 ]; then shift; fi

# Slurm makes no folders for its logs, and a job that has none fails without a word.
mkdir -p "$output" || fail "$output: cannot be made a folder; choose another in OUTPUT"
array=$(sbatch --parsable --array="1-$shards" --output="$output/slurm-shard-%a.log" \
  "$SCRIPTS/slurm.sbatch" "$output" ${fuzz[@]+"${fuzz[@]}"})
array=${array%%;*}
# Slurm would keep a merge for ever that can never begin.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --job-name=faultline-merge \
  --ntasks=1 --mem=1G --time=1:00:00 --open-mode=append --output="$output/slurm-merge.log" \
  "$SCRIPTS/merge-shards.sh" "$shards" "$output" "$@")
echo "shards: job $array, tasks 1 to $shards; logs: $output/slurm-shard-*.log"
echo "merge: job ${merge%%;*}, when all have ended; log: $output/slurm-merge.log; report: $output/merged"
