#!/usr/bin/env bash
# One campaign on an app's code by each of the given benches, twice each: all must come to one digest,
# and none may differ from the reference model. Then 10,000 runs that end in a deadlock: the threads must
# end, and each run may leave no more than what their stacks have held, some 6 kB: contexts and a container,
# but no world. RUNS says how many runs a campaign has. Linux only.
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "code is simulated on Linux only" >&2; exit 77; }
reports=$(for bench in "$@"; do for _ in first second; do "$bench" --live "${RUNS:-2000}" || exit 1; done; done)
echo "$reports"
[ "$(wc -l <<< "$reports")" -eq $((2 * $#)) ] || { echo "a campaign has not reported"; exit 1; }
[ "$(sort -u <<< "$reports" | wc -l)" -eq 1 ] || { echo "the digests differ"; exit 1; }
! grep -q disagreement <<< "$reports" || { echo "engine and reference model differ"; exit 1; }
deadlocks=$("$1" --deadlocks 10000)
echo "$deadlocks"
awk '
  { for (i = 1; i <= NF; i++) {
      if ($i == "deadlock") deadlocks += $(i + 1)
      if ($i == "VmRSS:") size[NR] = $(i + 1)
      if ($i == "Threads:") threads[NR] = $(i + 1)
  } }
  END {
    if (NR != 2) { print "the runs were not measured twice"; exit 1 }
    if (deadlocks != 10000) { print "not every run ends in a deadlock"; exit 1 }
    if (size[2] > size[1] + 9000 * 8 || threads[2] > threads[1] + 4) {
      print "deadlocks leave something behind"; exit 1
    }
  }' <<< "$deadlocks"
