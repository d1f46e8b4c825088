# shellcheck shell=bash
# What the scripts beside it share; they read it in, with the path of the tool as their first word. Each runs
# campaigns in a folder of its own, and leaves nothing behind.
set -euo pipefail

[ $# -eq 1 ] || { echo "$0: give the path of the tool, such as .build/release/faultline" >&2; exit 2; }
FAULTLINE=$(realpath "$1")
[ -x "$FAULTLINE" ] || { echo "$0: there is no tool $1; build it" >&2; exit 2; }
export FAULTLINE

# Whatever hangs is a failure. The script starts once more as what 'timeout' watches.
if [ "${CLUSTER_JOBS_PARENT:-}" != "$PPID" ]; then
  export CLUSTER_JOBS_PARENT=$$
  exec timeout --kill-after=30 "${CLUSTER_JOBS_TIME:-900}" bash "$0" "$1"
fi
cd "$(dirname "$0")/../.."

# Options of the caller's shell would be taken for those of these campaigns.
unset SHARDS OUTPUT JOBS HOSTS SCRIPTS

skip() {
  echo "skipped: $*" >&2
  exit 77
}

fail() {
  echo "$0: $*" >&2
  exit 1
}

folder=$(mktemp -d)
# What programs that are stopped halfway leave goes with it.
export TMPDIR=$folder
# A script that starts servers has its own 'stop_servers'.
stop_servers() { :; }
clean() {
  trap '' INT TERM
  stop_servers
  rm -rf "$folder"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck disable=SC2034 # Those that read this in use it.
# No scenario documents what it finds, so that finds, too, have to get through.
campaign=(--runs 300 --seed 7 --model Fixtures/Models/Note.model --known none --steps 10)

# one_process NAME CODE [options]: the campaign in one process, to NAME; what shards have to come to.
one_process() {
  local name=$1 due=$2 code=0
  shift 2
  "$FAULTLINE" fuzz "$@" --output "$folder/$name" > "$folder/$name.txt" || code=$?
  [ "$code" -eq "$due" ] || fail "the campaign in one process ended with exit code $code, not $due"
}

# same ONE MERGED: every file of the one must be a file of the other, to the byte.
same() {
  local file count=0
  for file in "$folder/$1"/*; do
    cmp "$file" "$2/${file##*/}" || fail "$2 is not what one process has come to"
    count=$((count + 1))
  done
  echo "the merged report is that of one process: $count files, report.json has $(sha256sum < "$2/report.json" | cut -c 1-16)"
}
