#!/usr/bin/env bash
# Measures workload S in other tools: a line of JSON for each sample on stdout, all else on stderr. README.md
# beside this file says what is measured.
set -euo pipefail

usage="usage: Tests/Peers/run.sh [--seconds N] [--samples N], by default five samples of a second each"
seconds=1
samples=5
while [ $# -gt 0 ]; do
  case $1 in
    --seconds)
      [ $# -ge 2 ] || { echo "--seconds: names no number; write --seconds 1" >&2; exit 2; }
      seconds=$2
      shift 2
      ;;
    --samples)
      [ $# -ge 2 ] || { echo "--samples: names no number; write --samples 5" >&2; exit 2; }
      samples=$2
      shift 2
      ;;
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    *)
      printf '%s: no such option\n%s\n' "$1" "$usage" >&2
      exit 2
      ;;
  esac
done
if ! [[ $seconds =~ ^([1-9][0-9]{0,3})$ ]]; then
  echo "--seconds $seconds: not a whole number from 1 to 9999" >&2
  exit 2
fi
if ! [[ $samples =~ ^([1-9][0-9]{0,3})$ ]]; then
  echo "--samples $samples: not a whole number from 1 to 9999" >&2
  exit 2
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/.build/peers
crates=/usr/share/cargo/registry
failed=0
mkdir -p "$built"

# skip TOOL WHY
skip() {
  printf '{"tool":"%s","skipped":"%s"}\n' "$1" "$2"
}

# fail TOOL WHY
fail() {
  printf '%s: %s\n' "$1" "$2" >&2
  failed=1
}

# measure TOOL COMMAND... A tool that overlooks the planted bug checks too little for its speed to count.
measure() {
  local tool=$1 line status=0 sample
  shift
  line=$("$@" --break --seconds 60) || status=$?
  if [ "$status" -ne 1 ] || [[ $line != *'"failure":['* ]]; then
    fail "$tool" "should find the bug that --break plants and exit with 1, but exits with $status: $line"
    return
  fi
  printf '%s finds the planted bug: %s\n' "$tool" "$line" >&2
  status=0
  for ((sample = 1; sample <= samples; sample++)); do
    line=$("$@" --seconds "$seconds" --seed "$sample") || status=$?
    if [ "$status" -ne 0 ]; then
      fail "$tool" "should find nothing and exit with 0, but exits with $status: $line"
      return
    fi
    printf '%s\n' "$line"
  done
}

hypothesis() {
  local venv=$built/venv wanted=$here/requirements.txt
  if ! command -v python3 >/dev/null || ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    skip Hypothesis "there is no python3 of version 3.10 or later; install python3 and python3-venv"
    return
  fi
  # The copy says what the environment holds, so that the next run needs no network.
  if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    if ! python3 -m venv "$venv" >&2; then
      skip Hypothesis "python3 makes no virtual environment; install python3-venv"
      return
    fi
    if ! "$venv/bin/python" -m pip install --disable-pip-version-check --quiet -r "$wanted" >&2; then
      skip Hypothesis "pip cannot install what Tests/Peers/requirements.txt names; give it a network or the wheels"
      return
    fi
    cp "$wanted" "$venv/installed.txt"
  fi
  # Hypothesis keeps notes of its own, by default in the folder it is called in.
  export HYPOTHESIS_STORAGE_DIRECTORY=$built/hypothesis
  measure Hypothesis "$venv/bin/python" "$here/hypothesis_workload.py"
}

proptest() {
  if ! command -v cargo >/dev/null || ! cargo --version >&2; then
    skip proptest "there is no cargo that runs; install cargo"
    return
  fi
  # The second crate is one that only proptest's std feature needs: it has a Debian package of its own.
  if ! compgen -G "$crates/proptest-*" >/dev/null || ! compgen -G "$crates/quick-error-*" >/dev/null; then
    skip proptest "$crates lacks proptest or what its std feature needs; install librust-proptest-dev and librust-proptest+std-dev"
    return
  fi
  # From its own folder, or cargo does not read the .cargo/config.toml there.
  if ! (cd "$here/proptest" && CARGO_TARGET_DIR=$built/proptest cargo build --release --offline >&2); then
    fail proptest "cargo cannot build Tests/Peers/proptest; see above"
    return
  fi
  measure proptest "$built/proptest/release/peer-proptest"
  measure "proptest with arrays" "$built/proptest/release/peer-proptest" --arrays
}

hypothesis
proptest
exit "$failed"
