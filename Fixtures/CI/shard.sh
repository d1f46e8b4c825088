#!/usr/bin/env bash
# One shard of a campaign, for whatever hands out jobs: parallel.sh, slurm.sbatch and kubernetes.yaml call it.
#
#   shard.sh I N FOLDER [options of 'faultline fuzz' that say what the campaign is]
#
# It is kept in FOLDER/shard-I. Called again with the same words it goes on from where it was stopped, and
# does nothing if it had ended: a scheduler may run it as often as it likes. Two at once do no harm either,
# as files are written whole and say the same.
#
# FAULTLINE is the tool (.build/release/faultline).
#
# Exit code 0 when the shard has ended, also with finds, which the merged report is to judge; 2 for bad input,
# 3 for a defect of Faultline, 128 and the number of a signal if it was stopped.
set -euo pipefail

fail() {
  echo "shard.sh: $*" >&2
  exit 2
}

[ $# -ge 3 ] || fail "too few words; write shard.sh I N FOLDER [options of 'faultline fuzz']"
shard=$1/$2
folder=$3/shard-$1
shift 3
tool=${FAULTLINE:-.build/release/faultline}
command -v "$tool" > /dev/null || fail "there is no tool $tool; build it, or say in FAULTLINE where it is"

# The options of a campaign are in its record. How long it may take is not, and has to be said again.
time=()
previous=
for word in "$@"; do
  case $word in
    --format | --format=* | --verbose | --quiet | -v | -q | --html | --html=* | --failures | --failures=*)
      # Shards would write over each other's files, and their reports would not be read.
      fail "${word%%=*} is about the merged report; give it to the merge, after '--' or to merge-shards.sh" ;;
    --output | --output=* | --shard | --shard=* | --resume | --resume=*)
      fail "${word%%=*} is given by this script; leave it out" ;;
    --time=*) time=("$word") ;;
  esac
  if [ "$previous" = --time ]; then time=("--time=$word"); fi
  previous=$word
done

# To a stopped campaign the tool says what it found and ends well; it would be taken for a whole one.
child=
stop() {
  trap '' INT TERM
  if [ -n "$child" ]; then
    kill -TERM "$child" 2> /dev/null || :
    wait "$child" || :
  fi
  echo "shard $shard: stopped; goes on when it is run again"
  exit $((128 + $1))
}
trap 'stop 2' INT
trap 'stop 15' TERM

mkdir -p "$folder" || fail "$folder: cannot be made a folder; choose another"
options=$(printf '%q ' "$shard" "$@")
if [ -e "$folder/campaign.json" ]; then
  # Without this an older campaign would go on under a new seed's name.
  [ -e "$folder/options" ] || fail "$folder: is the output of another program; choose another folder"
  if [ "$(cat "$folder/options")" != "$options" ]; then
    fail "$folder: is of another campaign ($(cat "$folder/options")); choose another folder than for $options"
  fi
  if [ -e "$folder/ended" ]; then
    echo "shard $shard: had ended"
    exit 0
  fi
  words=(fuzz "--resume=$folder" ${time[@]+"${time[@]}"})
  echo "shard $shard: goes on"
else
  printf '%s\n' "$options" > "$folder/options"
  words=(fuzz "$@" "--shard=$shard" "--output=$folder")
  echo "shard $shard: begins"
fi

"$tool" "${words[@]}" > "$folder/report.txt" &
child=$!
code=0
wait "$child" || code=$?
if [ "$code" -lt 2 ] && [ ! -e "$folder/campaign.json" ]; then
  echo "shard.sh: shard $shard has run no campaign; the options are those of 'faultline fuzz': ${words[*]}" >&2
  exit 2
fi
case $code in
  0) echo "shard $shard: ended" ;;
  1) echo "shard $shard: ended, with finds" ;;
  *)
    echo "shard.sh: shard $shard failed: exit code $code of $tool ${words[*]}" >&2
    exit "$code" ;;
esac
printf '%s\n' "$code" > "$folder/ended"
