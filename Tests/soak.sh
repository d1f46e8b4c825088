#!/usr/bin/env bash
# Campaigns with every option drawn at random, each in a second process that has another working
# directory and another environment, one in eight also as shards, of which one is stopped and resumed, merged,
# and one in twenty in the debug build: digests and reports must be the same. Ends after TIME; what is wrong
# ends it at once.
#
#   Tests/soak.sh RELEASE-TOOL DEBUG-TOOL TIME [SEED [-- OPTIONS OF fuzz…]]
#
# TIME is 30s, 30m or 2h. SEED, by default today's date, decides all that is drawn: the same one draws
# the same campaigns. Options behind -- take the place of those that are drawn, to look at one campaign
# many times. SOAK_LIMIT says how many seconds one process may take (900).
#
# Exit codes:
#   0    nothing was different
#   1    two processes differ
#   2    bad arguments, or no place to write
#   3    the tool crashed: a trap, a signal, an exit code that it does not have
#   4    a process took longer than SOAK_LIMIT
#   5    engine and reference disagree although nothing was planted
#   6    the tool refused its options: this script drew what it must not draw
#   7    a long campaign needs more and more memory
#   130  interrupted
set -euo pipefail
shopt -s nullglob

usage() {
  printf 'soak: %s\n' "$1" >&2
  echo "usage: Tests/soak.sh RELEASE-TOOL DEBUG-TOOL TIME [SEED [-- OPTIONS OF fuzz…]], TIME such as 30s, 30m or 2h" >&2
  exit 2
}

absolute_tool() {
  local path
  path=$(command -v -- "$1") || usage "'$1' is no program; give a built faultline"
  printf '%s/%s\n' "$(cd "$(dirname "$path")" && pwd)" "$(basename "$path")"
}

# A path that is one from here means the same from everywhere.
absolute() {
  if [ -e "$1" ]; then
    printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"
  else
    printf '%s\n' "$1"
  fi
}

[ $# -ge 3 ] || usage "three arguments are needed, and there are $#"
release=$(absolute_tool "$1")
debug=$(absolute_tool "$2")
if ! [[ $3 =~ ^([1-9][0-9]{0,5})([smh])$ ]]; then
  usage "'$3' is no time; write 30s, 30m or 2h"
fi
duration=${BASH_REMATCH[1]}
case ${BASH_REMATCH[2]} in
  m) duration=$((duration * 60)) ;;
  h) duration=$((duration * 3600)) ;;
esac
shift 3
seed_text=$(date +%Y%m%d)
if [ $# -gt 0 ] && [ "$1" != -- ]; then
  seed_text=$1
  shift
fi
is_seed() { [[ $1 =~ ^(0x[0-9a-fA-F]{1,16}|0|[1-9][0-9]{0,17})$ ]]; }
is_seed "$seed_text" \
  || usage "'$seed_text' is no seed; give a number such as 7 or 0x1f2e3d"
given=()
if [ $# -gt 0 ]; then
  if [ "$1" != -- ]; then usage "'$1' is one argument too many; options of fuzz stand behind --"; fi
  if [ $# -eq 1 ]; then usage "nothing stands behind --; give options of fuzz, or leave it out"; fi
  shift
  given=("$@")
fi
limit=${SOAK_LIMIT:-900}
[[ $limit =~ ^[1-9][0-9]{0,5}$ ]] || usage "SOAK_LIMIT=$limit is no number of seconds"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The folder that is tested need not be the one with this script.
[ -d "$root/Fixtures/Models" ] || root=$(pwd)
for name in Fixtures/Models Fixtures/Stacks Scenarios; do
  [ -d "$root/$name" ] || usage "no $name in $root; start it in a checkout"
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/faultline-soak.XXXXXX") || usage "no temporary folder can be made"
folder=$(cd "$folder" && pwd)
keeps_folder=no
child=

# ---------------------------------------------------------------------------------------------------
# Ending

# The tool takes SIGTERM as a wish to make its report first, so that only SIGKILL ends it at once.
end_child() {
  if [ -n "$child" ]; then
    kill -KILL "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    child=
  fi
}

clean_up() {
  end_child
  [ "$keeps_folder" = yes ] || rm -rf "$folder"
}

interrupted() {
  trap '' INT TERM HUP
  end_child
  echo
  echo "soak: interrupted"
  table
  exit 130
}

trap clean_up EXIT
trap interrupted INT TERM HUP

# stop CODE: with the files that show why.
stop() {
  keeps_folder=yes
  echo "soak: the reports are in $folder; the same draws: $(repeat_line)"
  table
  exit "$1"
}

repeat_line() {
  local words=("${BASH_SOURCE[0]}" "$release" "$debug" "${duration}s" "$seed_text")
  [ "${#given[@]}" -eq 0 ] || words+=(-- "${given[@]}")
  quote "${words[@]}"
}

quote() {
  local text
  text=$(printf ' %q' "$@")
  printf '%s\n' "${text# }"
}

# ---------------------------------------------------------------------------------------------------
# Chance: SplitMix64 in the shell's 64 bits, the way in which the tool derives seeds from seeds. So it
# can tell the seed of each run of a campaign, too.

mixed=0
state=0

# split_mix STATE: the scrambled value in `mixed`. Shifts of negative numbers fill up with ones.
split_mix() {
  local z=$1
  z=$(((z ^ ((z >> 30) & 0x3FFFFFFFF)) * 0xBF58476D1CE4E5B9))
  z=$(((z ^ ((z >> 27) & 0x1FFFFFFFFF)) * 0x94D049BB133111EB))
  mixed=$((z ^ ((z >> 31) & 0x1FFFFFFFF)))
}

next() {
  state=$((state + 0x9E3779B97F4A7C15))
  split_mix "$state"
}

# derive SEED INDEX: in `mixed`.
derive() {
  local from=$(($1 ^ ($2 * 0xD1B54A32D192ED03)))
  split_mix $((from + 2 * 0x9E3779B97F4A7C15))
}

# draw N: 0 to N-1 in `drawn`.
drawn=0
draw() {
  next
  drawn=$((((mixed >> 32) & 0xFFFFFFFF) % $1))
}

# one_in N
one_in() {
  draw "$1"
  [ "$drawn" -eq 0 ]
}

# pick WORD…: one of them in `picked`.
picked=
pick() {
  draw $#
  shift "$drawn"
  picked=$1
}

# ---------------------------------------------------------------------------------------------------
# What can be drawn: the tool lists it itself, in what it prints for shells.

completion=$("$release" completion bash) || usage "'$release completion bash' fails; give a built faultline"

# words_of OPTION: in `words`.
words=()
words_of() {
  local line
  line=$(sed -n "s/^ *--$1) COMPREPLY=(\$(compgen -W '\([^']*\)'.*/\1/p" <<<"$completion")
  read -r -a words <<<"$line"
  [ "${#words[@]}" -gt 0 ] || usage "'$release completion bash' lists nothing behind --$1"
}

words_of profile && profiles=("${words[@]}")
words_of with && quirks=("${words[@]}")
words_of strategy && strategies=("${words[@]}")
words_of policy && policies=("${words[@]}")
words_of workload && workloads=("${words[@]}")
words_of only-steps && kinds=("${words[@]}")
words_of plant && bugs=("${words[@]}")
models=("$root"/Fixtures/Models/*.model "$root"/Fixtures/Models/*.xcdatamodeld generated)
stacks=("$root"/Fixtures/Stacks/*.stack)
[ "${#models[@]}" -gt 1 ] || usage "no models in $root/Fixtures/Models"
[ "${#stacks[@]}" -gt 0 ] || usage "no stacks in $root/Fixtures/Stacks"
# The campaign as drawn: what a run is like, and what is fuzz's alone.
run_options=()
run_models=()
runs=0
steps=0
shard=
campaign_seed=
guidance=off
is_planted=no

# options_of_runs WORD… adds to them.
options_of_runs() { run_options+=("$@"); }

contains() {
  local word=$1 other
  shift
  for other in "$@"; do [ "$word" != "$other" ] || return 0; done
  return 1
}

# some COUNT WORD…: as many different ones, or fewer, in `chosen`, none of those in `taken`.
chosen=()
taken=()
some() {
  local count=$1 number
  shift
  chosen=()
  for ((number = 0; number < count; number++)); do
    pick "$@"
    contains "$picked" ${chosen[@]+"${chosen[@]}"} ${taken[@]+"${taken[@]}"} || chosen+=("$picked")
  done
}

# each OPTION: all that is chosen, behind it.
each() {
  local word
  for word in ${chosen[@]+"${chosen[@]}"}; do options_of_runs "$1" "$word"; done
}

draw_models() {
  local count
  run_models=()
  taken=()
  if one_in 6; then
    run_models=("${models[@]}")
  else
    draw 3
    count=$((drawn == 0 ? 2 : 1))
    some "$count" "${models[@]}"
    run_models=("${chosen[@]}")
  fi
}

# A stack that names entities goes with the model that its file says, and no other.
draw_stack() {
  local stack own
  pick "${stacks[@]}"
  stack=$picked
  options_of_runs --stack "$stack"
  own=$(sed -n 's/^model  *//p' "$stack" | head -n 1)
  if [ -n "$own" ]; then
    [ -e "$(dirname "$stack")/$own" ] && own=$(dirname "$stack")/$own
    run_models=("$(cd "$root" && absolute "$own")")
  fi
}

draw_steps() {
  draw 20
  if [ "$drawn" -eq 0 ]; then
    draw 4000 && steps=$((1001 + drawn))
  elif [ "$drawn" -lt 8 ]; then
    draw 20 && steps=$((1 + drawn))
  elif [ "$drawn" -lt 15 ]; then
    draw 80 && steps=$((21 + drawn))
  else
    draw 300 && steps=$((101 + drawn))
  fi
}

# So many that a campaign takes seconds, and few enough that hundreds of campaigns fit into an hour.
draw_runs() {
  local most=$((4000 / steps))
  if [ "$guidance" = on ]; then
    run_models=("${run_models[@]:0:2}")
    # Only from the second round on, of 64 runs for each model, do runs go back to others.
    [ "$steps" -le 60 ] || { draw 60 && steps=$((1 + drawn)); }
    draw 3
    runs=$((64 * ${#run_models[@]} * (1 + drawn)))
    draw 64
    runs=$((runs + drawn + 1))
    return
  fi
  [ "$most" -le 300 ] || most=300
  [ "$most" -ge 3 ] || most=3
  draw "$most" && runs=$((1 + drawn))
  # Each part gets a run.
  [ -z "$shard" ] || [ "$runs" -ge "${shard#*/}" ] || runs=${shard#*/}
}

draw_campaign() {
  local count
  run_options=()
  shard=
  guidance=off
  is_planted=no
  draw_models
  pick "${profiles[@]}"
  options_of_runs --profile "$picked"
  if one_in 3; then
    draw_stack
  else
    if one_in 2; then draw 8 && options_of_runs --contexts $((1 + drawn)); fi
    if one_in 2; then draw 4 && options_of_runs --roots $((1 + drawn)); fi
    if one_in 3; then pick "${policies[@]}" && options_of_runs --policy "$picked"; fi
  fi
  taken=()
  draw 3 && some "$drawn" "${quirks[@]}"
  each --with
  taken=(${chosen[@]+"${chosen[@]}"})
  draw 3 && some "$drawn" "${quirks[@]}"
  each --without
  if one_in 2; then pick "${strategies[@]}" && options_of_runs --strategy "$picked"; fi
  taken=()
  if one_in 4; then
    draw 2 && some $((1 + drawn)) "${workloads[@]}"
    each --workload
  fi
  if one_in 5; then
    draw 8 && some $((1 + drawn)) "${kinds[@]}"
    each --only-steps
  # Not both: some words are of one kind, as 'add' and 'remove' are, and one kind behind both is refused.
  elif one_in 4; then
    draw 5 && some $((1 + drawn)) "${kinds[@]}"
    each --without-steps
  fi
  taken=()
  if one_in 8; then
    draw 2 && some $((1 + drawn)) "${bugs[@]}"
    each --plant
    is_planted=yes
  fi
  draw_steps
  draw 10
  if [ "$drawn" -lt 2 ]; then
    guidance=on
  elif [ "$drawn" -lt 4 ]; then
    draw 4
    count=$((1 + drawn))
    draw "$count"
    shard=$((1 + drawn))/$count
  fi
  draw_runs
  options_of_runs --steps "$steps"
  if one_in 2; then
    options_of_runs --known none
  else
    options_of_runs --known "$root/Scenarios"
  fi
  next
  campaign_seed=$(printf '0x%x' "$mixed")
}

# take_campaign: what stands behind -- instead. What has to be known is taken out of it.
take_campaign() {
  local word name value index=0
  run_options=()
  run_models=()
  runs=5000
  steps=60
  shard=
  guidance=off
  is_planted=no
  next
  campaign_seed=$(printf '0x%x' "$mixed")
  while [ "$index" -lt "${#given[@]}" ]; do
    word=${given[index]}
    case $word in
      --*=*)
        name=${word%%=*}
        value=${word#*=}
        index=$((index + 1))
        ;;
      --*)
        name=$word
        [ $((index + 1)) -lt "${#given[@]}" ] || usage "'$word' behind -- needs a value"
        value=${given[index + 1]}
        index=$((index + 2))
        ;;
      *) usage "'$word' behind -- is no option of fuzz" ;;
    esac
    case $name in
      --model) run_models+=("$(absolute "$value")") ;;
      --runs)
        [[ $value =~ ^[1-9][0-9]{0,8}$ ]] || usage "'--runs $value' is no number of runs"
        runs=$value
        ;;
      --seed)
        is_seed "$value" || usage "'--seed $value' is no seed"
        campaign_seed=$value
        ;;
      --shard) shard=$value ;;
      --guidance) guidance=$value ;;
      --known | --stack) options_of_runs "$name" "$(absolute "$value")" ;;
      --jobs | --time | --format | --output | --resume | --failures | --html | --canary | --verbose)
        usage "'$name' behind -- is what this script says itself; leave it out" ;;
      --plant)
        is_planted=yes
        options_of_runs --plant "$value"
        ;;
      *) options_of_runs "$name" "$value" ;;
    esac
  done
  # Without --model a working directory outside of the checkout would mean other models.
  [ "${#run_models[@]}" -gt 0 ] || run_models=("${models[@]}")
  contains --known ${run_options[@]+"${run_options[@]}"} || options_of_runs --known "$root/Scenarios"
}

# What must not matter: the environment and how many threads there are, in `surroundings` and `jobs`.
draw_surroundings() {
  local zone language
  pick UTC Asia/Kathmandu America/St_Johns Pacific/Kiritimati
  zone=$picked
  pick C en_US.UTF-8 tr_TR.UTF-8 de_DE.UTF-8
  language=$picked
  draw 3
  jobs=$((1 + drawn))
  draw 6000
  surroundings=("TZ=$zone" "LC_ALL=$language" "SOAK_PADDING=$(printf '%0*d' $((1 + drawn)) 0)")
}

# ---------------------------------------------------------------------------------------------------
# Processes

started=$SECONDS
deadline=$((started + duration))
peaks=$folder/peaks
subject=
: >"$peaks"
child_status=0
child_end=
child_peak=0
child_samples=
sampled_seconds=0
on_linux=no
[ ! -r /proc/self/status ] || on_linux=yes

# resident PID: what it has now and what it had at most, in kilobytes. Where only the former can be had,
# it is the latter as well.
rss=0
peak=0
resident() {
  local name value rest
  rss=0
  peak=0
  if [ "$on_linux" = yes ]; then
    while read -r name value rest; do
      case $name in
        VmHWM:) peak=$value ;;
        VmRSS:) rss=$value ;;
      esac
    done 2>/dev/null <"/proc/$1/status" || true
  else
    rss=$(ps -o rss= -p "$1" 2>/dev/null | tr -d ' ') || rss=0
    rss=${rss:-0}
    peak=$rss
  fi
}

# start OUT FOLDER TOOL WORD…, in `surroundings`; waits. `child_end` says how it ended: report, or late for
# what took too long, or cut for what TIME cut off. If `stops_after` is a time, such as 0.04, the process is asked
# to stop then.
stops_after=
start() {
  local out=$1 where=$2 began=$SECONDS
  shift 2
  child_peak=0
  child_end=report
  (cd "$where" && exec env -u SWIFT_DETERMINISTIC_HASHING "${surroundings[@]}" "$@") \
    >"$out" 2>"$out.err" </dev/null &
  child=$!
  local pause=0.03
  [ -z "$stops_after" ] || pause=$stops_after
  while kill -0 "$child" 2>/dev/null; do
    sleep "$pause"
    pause=0.1
    if [ -n "$stops_after" ]; then
      kill -TERM "$child" 2>/dev/null || true
      stops_after=
    fi
    resident "$child"
    [ "$peak" -le "$child_peak" ] || child_peak=$peak
    if [ -n "$child_samples" ] && [ "$rss" -gt 0 ] && [ $((SECONDS - began)) -lt "$sampled_seconds" ]; then
      echo "$rss" >>"$child_samples"
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      child_end='cut'
    elif [ $((SECONDS - began)) -ge "$limit" ]; then
      child_end='late'
    else
      continue
    fi
    end_child
    return
  done
  child_status=0
  wait "$child" || child_status=$?
  child=
  [ "$child_peak" -eq 0 ] || echo "$child_peak $subject" >>"$peaks"
}

# judge OUT NAME LINE: ends all unless the process came to a report.
judge() {
  local code=
  if [ "$child_end" = late ]; then
    code=4
    printf 'soak: TIME-OUT: %s took longer than %s s\n' "$2" "$limit"
  elif [ "$child_status" -gt 128 ]; then
    code=3
    printf 'soak: CRASH: %s was ended by signal %s\n' "$2" $((child_status - 128))
  elif [ "$child_status" -eq 2 ]; then
    code=6
    printf 'soak: DEFECT OF THIS SCRIPT: %s refused its options\n' "$2"
  elif [ "$child_status" -gt 1 ]; then
    code=3
    printf 'soak: CRASH: %s ended with exit code %s\n' "$2" "$child_status"
  elif [ -z "$(value_of "$1" digest)" ]; then
    code=3
    printf 'soak: CRASH: %s ended with exit code %s and without a report\n' "$2" "$child_status"
  fi
  [ -n "$code" ] || return 0
  sed 's/^/  /' "$1.err" | tail -n 12
  printf '  again: %s\n' "$3"
  stop "$code"
}

# value_of REPORT KEY: at the top level of the JSON.
value_of() { sed -n "s/^  \"$2\" : \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -n 1; }

# The tool's own name is no part of what it found.
normalize() { sed 's/"replay" : ".* replay 0x/"replay" : "faultline replay 0x/' "$1" >"$1.normal"; }

# ---------------------------------------------------------------------------------------------------
# A campaign in one of its surroundings. `side` is a or b.

a_tool='' a_name='' a_folder='' a_jobs=1 a_environment=()
b_tool='' b_name='' b_folder='' b_jobs=1 b_environment=()

enter() {
  if [ "$1" = a ]; then
    tool=$a_tool name=$a_name where=$a_folder jobs=$a_jobs surroundings=("${a_environment[@]}")
  else
    tool=$b_tool name=$b_name where=$b_folder jobs=$b_jobs surroundings=("${b_environment[@]}")
  fi
}

# fuzz_words RUNS SHARD: in `line`, for the side entered.
line=()
fuzz_words() {
  local model
  line=("$tool" fuzz --format json --failures none --seed "$campaign_seed" --runs "$1")
  for model in "${run_models[@]}"; do line+=(--model "$model"); done
  line+=(${run_options[@]+"${run_options[@]}"})
  [ -z "$2" ] || line+=(--shard "$2")
  # A guided campaign goes on from what it has found, one program after the other.
  if [ "$guidance" = off ]; then line+=(--jobs "$jobs"); else line+=(--guidance "$guidance"); fi
}

# replay_words SEED MODEL
replay_words() {
  line=("$tool" replay "$1" --model "$2" ${run_options[@]+"${run_options[@]}"})
}

# shell_line: `line` in the surroundings entered, as it can be typed.
shell_line() {
  local word text=
  for word in "${surroundings[@]}"; do
    case $word in
      SOAK_PADDING=*) text+=" SOAK_PADDING=\$(printf %0$((${#word} - 13))d 0)" ;;
      *) text+=" $word" ;;
    esac
  done
  printf '(cd %q && env -u SWIFT_DETERMINISTIC_HASHING%s %s)\n' "$where" "$text" "$(quote "${line[@]}")"
}

# campaign_of SIDE OUT RUNS SHARD; false if TIME cut it off.
campaign_of() {
  enter "$1"
  fuzz_words "$3" "$4"
  start "$2" "$where" "${line[@]}"
  [ "$child_end" != cut ] || return 1
  judge "$2" "$name" "$(shell_line)"
  normalize "$2"
}

# campaign_in_parts OUT: that of side a as shards, one of which is stopped and resumed, and merged; false if
# TIME cut it off.
campaign_in_parts() {
  local count part stopped folders=()
  draw 3
  count=$((2 + drawn))
  [ "$count" -le "$runs" ] || count=$runs
  draw "$count"
  stopped=$((1 + drawn))
  rm -rf "$folder/parts"
  mkdir "$folder/parts"
  tool=$release name="a shard" where=$root
  for ((part = 1; part <= count; part++)); do
    draw_surroundings
    fuzz_words "$runs" "$part/$count"
    line+=(--output "$folder/parts/$part")
    if [ "$part" -eq "$stopped" ]; then
      stop_shard "$1" "$folder/parts/$part" $(((runs - part + count) / count)) || return 1
      if [ -e "$folder/parts/$part/campaign.json" ]; then
        line=("$tool" fuzz --resume "$folder/parts/$part" --format json --jobs "$jobs")
        name="a shard that was stopped, and resumed"
      fi
    fi
    start "$1" "$where" "${line[@]}"
    [ "$child_end" != cut ] || return 1
    judge "$1" "$name" "$(shell_line)"
    name="a shard"
    folders=("$folder/parts/$part" ${folders[@]+"${folders[@]}"})
  done
  draw_surroundings
  name="the merge"
  line=("$tool" merge "${folders[@]}" --format json --jobs "$jobs")
  start "$1" "$where" "${line[@]}"
  [ "$child_end" != cut ] || return 1
  judge "$1" "$name" "$(shell_line)"
  normalize "$1"
}

# stop_shard OUT ITS-FOLDER ITS-RUNS: begins what is in `line` and asks it to stop, later and later until it has
# listened; false if TIME cut it off.
stop_shard() {
  local delay
  draw 4
  for delay in 0.0$((1 + drawn)) 0.0$((5 + drawn)) 0.1$drawn 0.3$drawn 0.6$drawn; do
    stops_after=$delay
    start "$1" "$where" "${line[@]}"
    stops_after=
    [ "$child_end" != cut ] || return 1
    # Before it listens, what asks it to stop ends it, and it leaves nothing behind.
    if [ "$child_status" -eq 143 ] && [ ! -e "$2/campaign.json" ]; then continue; fi
    # While it makes small what it has found, there is no report, but how far it came.
    if [ "$child_status" -eq 2 ] && [ -e "$2/campaign.json" ] \
      && grep -qF "stopped before the report was ready" "$1.err"; then
      stops_while_shrinking=$((stops_while_shrinking + 1))
      return
    fi
    judge "$1" "a shard that was asked to stop" "$(shell_line)"
    [ "$(value_of "$1" runs)" -ge "$3" ] || stops_while_running=$((stops_while_running + 1))
    return
  done
}
stops_while_running=0
stops_while_shrinking=0

# ---------------------------------------------------------------------------------------------------
# Disagreements

# What stands between the brackets of a report's list KEY.
list_of() { awk -v key="  \"$2\" : [" '$0 == key { on = 1; next } on && /^  \],?$/ { exit } on' "$1"; }

check_agreement() {
  [ "$is_planted" = no ] || return 0
  local found
  found=$(list_of "$1" disagreements | sed '/^ *$/d')
  [ -n "$found" ] || return 0
  echo "soak: DISAGREEMENT: engine and reference differ, and nothing was planted"
  grep -E '^ *"(kind|details|replay)" : ' <<<"$found" | sed 's/^ */  /; s/,$//'
  enter a
  fuzz_words "$runs" "$shard"
  printf '  the campaign: %s\n' "$(shell_line)"
  stop 5
}

# ---------------------------------------------------------------------------------------------------
# Differences

# What depends on chance in the process may be equal now and then.
tries=3

# differ RUNS SHARD: whether the digests of the first runs do.
differ() {
  local try first=''
  for ((try = 0; try < tries; try++)); do
    campaign_of a "$folder/prefix-a" "$1" "$2"
    campaign_of b "$folder/prefix-b" "$1" "$2"
    [ -n "$first" ] || first=$(value_of "$folder/prefix-a" digest)
    [ "$(value_of "$folder/prefix-a" digest)" = "$first" ] || return 0
    [ "$(value_of "$folder/prefix-b" digest)" = "$first" ] || return 0
    # Where two equal runs are to be expected, more tries only take time.
    [ "$is_steady" = no ] || return 1
  done
  return 1
}

# first_difference A B: the number of the line and both lines, with what stands before. Of long lines, as
# programs in reports are, what stands around the first character that differs.
first_difference() {
  awk -v other="$2" '
    function part(text, from) {
      if (length(text) <= 240) return text
      return (from > 60 ? "…" : "") substr(text, from > 60 ? from - 60 : 1, 240) "…" }
    { more = (getline theirs < other) > 0
      if (!more || $0 != theirs) {
        number = NR; mine = $0; if (!more) theirs = "(ends here)"; exit }
      before[NR % 3] = $0 }
    END {
      if (number == 0) {
        number = NR + 1; mine = "(ends here)"
        if ((getline theirs < other) <= 0) exit }
      from = 1
      while (from < length(mine) && substr(mine, from, 1) == substr(theirs, from, 1)) from++
      for (i = number - 3; i < number; i++) if (i > 0) print "    " i "  " part(before[i % 3], 1)
      print "  a " number "  " part(mine, from)
      print "  b " number "  " part(theirs, from) }' "$1"
}

# The run after which the digests differ, from 1, in `first_run`: all runs up to `high` do.
first_run=0
bisect() {
  local low=0 high=$1 middle
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    if differ "$middle" "$shard"; then high=$middle; else low=$middle; fi
  done
  first_run=$high
}

# The first events of the run that differ.
show_events() {
  local index=$(((first_run - 1) / ${#run_models[@]}))
  local model=$(((first_run - 1) % ${#run_models[@]}))
  local source=${run_models[model]} run_seed lines_a lines_b try
  derive "$((campaign_seed))" "$model"
  derive "$mixed" "$index"
  run_seed=$(printf '0x%x' "$mixed")
  echo "  its seed: $run_seed, its model: $source"
  enter a
  replay_words "$run_seed" "$source"
  lines_a=$(shell_line)
  enter b
  replay_words "$run_seed" "$source"
  lines_b=$(shell_line)
  for ((try = 0; try < tries; try++)); do
    enter a
    replay_words "$run_seed" "$source"
    start "$folder/replay-a" "$where" "${line[@]}"
    [ "$child_end" = late ] || [ "$child_status" -le 1 ] || echo "  a ends with exit code $child_status"
    enter b
    replay_words "$run_seed" "$source"
    start "$folder/replay-b" "$where" "${line[@]}"
    [ "$child_end" = late ] || [ "$child_status" -le 1 ] || echo "  b ends with exit code $child_status"
    if ! cmp -s "$folder/replay-a" "$folder/replay-b"; then
      echo "  the first events that differ:"
      first_difference "$folder/replay-a" "$folder/replay-b"
      break
    fi
  done
  if [ "$try" -eq "$tries" ]; then
    echo "  its transcript was the same in $tries replays by each"
    if [ "$guidance" = on ]; then
      echo "  (a guided run may go on from an earlier one; then its seed is longer, and only the campaign shows it)"
    fi
  fi
  echo "  replay a: $lines_a"
  echo "  replay b: $lines_b"
}

# explain_difference A B, both normalized reports.
explain_difference() {
  local digest_a digest_b
  digest_a=$(value_of "$1" digest)
  digest_b=$(value_of "$2" digest)
  # What TIME cuts off would not be explained.
  deadline=$((SECONDS + 1000000))
  keeps_folder=yes
  echo "soak: DIFFERENCE: a is $a_name, b is $b_name"
  echo "  a: digest $digest_a"
  echo "  b: digest $digest_b"
  echo "  the first lines of the reports that differ:"
  first_difference "$1" "$2"
  enter a
  fuzz_words "$runs" "$shard"
  echo "  campaign a: $(shell_line)"
  enter b
  fuzz_words "$runs" "$shard"
  echo "  campaign b: $(shell_line)"
  if [ "$digest_a" = "$digest_b" ]; then
    echo "  the runs are the same, so what differs is what was made of them: shrinking, causes or the report"
    stop 1
  fi
  is_steady=no
  if ! differ "$runs" "$shard"; then
    echo "  not again in $tries tries: it depends on chance in the process; $1 and $2 are what differed"
    stop 1
  fi
  # Once more: if it is there at the first try twice, it is there each time.
  campaign_of a "$folder/prefix-a" "$runs" "$shard"
  campaign_of b "$folder/prefix-b" "$runs" "$shard"
  if [ "$(value_of "$folder/prefix-a" digest)" = "$digest_a" ] \
    && [ "$(value_of "$folder/prefix-b" digest)" = "$digest_b" ]; then
    is_steady=yes
  fi
  bisect "$runs"
  echo "  the first run that differs: $first_run of $runs"
  show_events
  stop 1
}
is_steady=no

# compare_parts WHOLE MERGED
compare_parts() {
  if cmp -s "$1.normal" "$2.normal"; then return 0; fi
  echo "soak: DIFFERENCE: a is the campaign in one process, b is the same in parts, merged"
  first_difference "$1.normal" "$2.normal"
  echo "  the parts: $(shell_line)"
  enter a
  fuzz_words "$runs" ""
  echo "  campaign a: $(shell_line)"
  stop 1
}

# compare A B, of one campaign.
compare() {
  if cmp -s "$1.normal" "$2.normal"; then return 0; fi
  explain_difference "$1.normal" "$2.normal"
}

# ---------------------------------------------------------------------------------------------------
# Memory

fixed_peaks=$folder/fixed-peaks
: >"$fixed_peaks"
fixed_digest=
fixed_interval=$((duration / 10 < 180 ? duration / 10 : 180))
[ "$fixed_interval" -ge 20 ] || fixed_interval=20
last_fixed=0

# The same campaign each time: small, but with stacks, failures and shrinking.
run_fixed() {
  last_fixed=$SECONDS
  subject='the fixed campaign'
  tool=$release where=$root surroundings=(TZ=UTC LC_ALL=C SOAK_PADDING=0)
  line=("$tool" fuzz --format json --failures none --seed 7 --runs 60 --steps 15 --known none --model
    "$root/Fixtures/Models/Note.model")
  start "$folder/fixed" "$root" "${line[@]}"
  [ "$child_end" != cut ] || return 0
  judge "$folder/fixed" "the fixed campaign" "$(shell_line)"
  [ "$child_peak" -eq 0 ] || echo "$child_peak $subject" >>"$fixed_peaks"
  normalize "$folder/fixed"
  if [ -z "$fixed_digest" ]; then
    fixed_digest=$(value_of "$folder/fixed" digest)
    cp "$folder/fixed.normal" "$folder/fixed-first.normal"
  elif ! cmp -s "$folder/fixed.normal" "$folder/fixed-first.normal"; then
    echo "soak: DIFFERENCE: the fixed campaign, now and at the beginning"
    first_difference "$folder/fixed-first.normal" "$folder/fixed.normal"
    echo "  again: $(shell_line)"
    stop 1
  fi
}

# One campaign for a tenth of the time, and no longer than two minutes. Its first quarter is left out: the
# allocator's pools fill up then, and most abstract states are new, each of which is kept. Later new ones
# are rare: from the second quarter to the last, half of the campaign, 30,000 programs added one or two in
# a hundred. A tenth is well above that, and well below a leak: of such a campaign it is some hundred bytes
# for each program, less than any program takes. Sampled only while programs run; making failures small, at
# the end, needs more for a while, and is in the peaks.
long_line="not run: TIME is too short"
run_long() {
  local seconds=$((duration / 10)) figures second last
  [ "$seconds" -le 120 ] || seconds=120
  [ "$seconds" -ge 3 ] || return 0
  tool=$release where=$root surroundings=(TZ=UTC LC_ALL=C SOAK_PADDING=0)
  line=("$tool" fuzz --format json --failures none --seed 7 --time "${seconds}s" --known none --profile documented
    --model "$root/Fixtures/Models/Note.model")
  subject='the long campaign'
  child_samples=$folder/samples
  sampled_seconds=$seconds
  : >"$child_samples"
  start "$folder/long" "$root" "${line[@]}"
  child_samples=
  [ "$child_end" != cut ] || return 0
  judge "$folder/long" "the long campaign" "$(shell_line)"
  figures=$(awk '{ rss[n++] = $1 } END {
    if (n < 8) exit
    for (i = int(n / 4); i < int(n / 2); i++) { a += rss[i]; k++ }
    for (i = int(3 * n / 4); i < n; i++) { b += rss[i]; l++ }
    printf "%d %d %d\n", a / k, b / l, n }' "$folder/samples")
  [ -n "$figures" ] || return 0
  read -r second last _ <<<"$figures"
  long_line="$(value_of "$folder/long" runs) programs in $seconds s: second quarter $second kB, last quarter $last kB"
  if [ $((last * 10)) -gt $((second * 11)) ]; then
    echo "soak: MEMORY GROWS: the long campaign, $long_line, more than a tenth"
    echo "  again: $(shell_line)"
    stop 7
  fi
}

# median_and_worst FILE
median_and_worst() {
  sort -n "$1" | awk '{ v[NR] = $1; $1 = ""; where = $0 } END {
    if (NR == 0) print "none was sampled"
    else printf "median %d kB, worst %d kB (%s), of %d processes", v[int((NR + 1) / 2)], v[NR],
      substr(where, 2), NR }'
}

# ---------------------------------------------------------------------------------------------------
# Counting

campaigns=0
programs=0
steps_done=0
finds=0
repeats_release=0
repeats_in_parts=0
repeats_debug=0

table() {
  local row='  %-26s %s\n'
  echo
  printf '%s\n' "soak of seed $seed_text"
  # shellcheck disable=SC2059
  {
    printf "$row" campaigns "$campaigns"
    printf "$row" "with a find" "$finds"
    printf "$row" programs "$programs"
    printf "$row" steps "$steps_done"
    printf "$row" "compared, release" "$repeats_release"
    printf "$row" "compared, in parts" "$repeats_in_parts"
    printf "$row" "stopped and resumed" "$stops_while_running among runs, $stops_while_shrinking while shrinking"
    printf "$row" "compared, debug" "$repeats_debug"
    printf "$row" "peak memory" "$(median_and_worst "$peaks")"
    printf "$row" "of the fixed campaign" "$(median_and_worst "$fixed_peaks")"
    printf "$row" "of the long campaign" "$long_line"
    printf "$row" time "$((SECONDS - started)) s"
  }
}

# ---------------------------------------------------------------------------------------------------
# One campaign and its repeats

# set_side SIDE TOOL NAME FOLDER, in surroundings that are drawn.
set_side() {
  draw_surroundings
  if [ "$1" = a ]; then
    a_tool=$2 a_name=$3 a_folder=$4 a_jobs=$jobs a_environment=("${surroundings[@]}")
  else
    b_tool=$2 b_name=$3 b_folder=$4 b_jobs=$jobs b_environment=("${surroundings[@]}")
  fi
}

# False if TIME is up.
soak_one() {
  subject="campaign $1"
  local number=$1 elsewhere in_debug=no in_parts=no describes
  derive "$((seed_text))" "$number"
  state=$mixed
  if [ "${#given[@]}" -gt 0 ]; then take_campaign; else draw_campaign; fi
  pick / "$folder" "$root/Fixtures"
  elsewhere=$picked
  # The first, so that short soaks look at the debug build, too.
  if one_in 20 || [ "$number" -eq 1 ]; then in_debug=yes; fi
  # A guided campaign is one process, and of a shard there are no shards.
  if [ "$guidance" = off ] && [ -z "$shard" ] && [ "$runs" -gt 1 ]; then
    if one_in 8 || [ "$number" -eq 1 ]; then in_parts=yes; fi
  fi
  set_side a "$release" "the release build's first process" "$root"
  set_side b "$release" "the release build's second process" "$elsewhere"
  enter a
  fuzz_words "$runs" "$shard"
  describes=$(quote "${line[@]:4}")
  printf 'campaign %s: %s\n' "$number" "${describes//"$root/"/}"

  campaign_of a "$folder/a" "$runs" "$shard" || return 1
  check_agreement "$folder/a"
  local status=$child_status
  campaign_of b "$folder/b" "$runs" "$shard" || return 1
  compare "$folder/a" "$folder/b"
  same_status "$status"
  campaigns=$((campaigns + 1))
  programs=$((programs + $(value_of "$folder/a" runs)))
  steps_done=$((steps_done + $(value_of "$folder/a" steps)))
  [ "$status" -eq 0 ] || finds=$((finds + 1))
  repeats_release=$((repeats_release + 1))
  if [ "$in_parts" = yes ]; then
    campaign_in_parts "$folder/c" || return 1
    compare_parts "$folder/a" "$folder/c"
    same_status "$status"
    repeats_in_parts=$((repeats_in_parts + 1))
  fi
  [ "$in_debug" = yes ] || return 0

  # A debug build is some thirty times slower, and making failures small costs it the most.
  draw 3
  [ "$runs" -le $((1 + drawn)) ] || runs=$((1 + drawn))
  shard=
  if [ "$steps" -gt 60 ] && [ "${#given[@]}" -eq 0 ]; then shorten; fi
  set_side b "$debug" "the debug build" "$elsewhere"
  campaign_of a "$folder/a" "$runs" "" || return 1
  check_agreement "$folder/a"
  status=$child_status
  campaign_of b "$folder/b" "$runs" "" || return 1
  compare "$folder/a" "$folder/b"
  same_status "$status"
  repeats_debug=$((repeats_debug + 1))
}

shorten() {
  local index
  for index in "${!run_options[@]}"; do
    if [ "${run_options[index]}" = --steps ]; then run_options[index + 1]=60; fi
  done
}

same_status() {
  [ "$child_status" -eq "$1" ] && return 0
  echo "soak: DIFFERENCE: equal reports, and exit codes $1 and $child_status"
  echo "  campaign: $(shell_line)"
  stop 1
}

echo "soak: seed $seed_text, $duration s, release $release, debug $debug"
run_fixed
run_long
number=0
while [ "$SECONDS" -lt "$deadline" ]; do
  number=$((number + 1))
  soak_one "$number" || break
  if [ $((SECONDS - last_fixed)) -ge "$fixed_interval" ]; then run_fixed; fi
done
table
echo "soak: no difference in $campaigns campaigns"
