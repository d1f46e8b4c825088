#!/usr/bin/env bash
# Checks Fixtures/CI/kubernetes.yaml against the schemas of Kubernetes, and runs the commands of its pods, one
# after the other, without a cluster: kubernetes.sh TOOL. Exit code 77 without Python or its package index.
# shellcheck source=Tests/ClusterJobs/common.sh
. "$(dirname "$0")/common.sh"
file=Fixtures/CI/kubernetes.yaml
version=1.37.0
home=.build/cluster/kubernetes-validate-$version
command -v python3 > /dev/null || skip "no python3; install Python 3.11 or later"

# Made aside and moved: another process may do the same at this moment.
if [ ! -x "$home/bin/python" ]; then
  mkdir -p .build/cluster
  made=$(mktemp -d .build/cluster/XXXXXX)
  drop_made() { rm -rf "$made"; }
  trap 'drop_made; clean' EXIT
  # unless_slow CODE WHY: a machine that is too slow for its time limit lacks nothing.
  unless_slow() {
    tail -n 3 "$folder/pip.log" >&2
    [ "$1" -ne 124 ] || fail "$2: took too long"
    skip "$2"
  }
  timeout 300 python3 -m venv "$made" > "$folder/pip.log" 2>&1 \
    || unless_slow $? "Python made no virtual environment; install its venv (Debian: python3-venv)"
  timeout 300 "$made/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
    "kubernetes-validate==$version" > "$folder/pip.log" 2>&1 \
    || unless_slow $? "kubernetes-validate $version cannot be installed with pip"
  "$made/bin/python" -c 'import os, sys; os.rename(*sys.argv[1:])' "$made" "$home" 2> "$folder/pip.log" \
    || [ -x "$home/bin/python" ] || fail "$(tail -n 1 "$folder/pip.log")"
fi

echo "== the schemas"
# The oldest version that has all of it as stable, and the newest that is known.
for kubernetes in 1.31 "${version%.*}"; do
  timeout 60 "$home/bin/python" -m kubernetes_validate --strict -k "$kubernetes" "$file"
done
sed 's/backoffLimit/backofLimit/' "$file" > "$folder/wrong.yaml"
if timeout 60 "$home/bin/python" -m kubernetes_validate --strict --quiet "$folder/wrong.yaml"; then
  fail "the check lets a word through that Kubernetes does not know"
fi

echo "== the pods"
mkdir "$folder/volume"
"$home/bin/python" Tests/ClusterJobs/kubernetes.py "$file" "$FAULTLINE" "$folder/volume"
mapfile -t options < "$folder/volume/options"
one_process one 0 "${options[@]}"
same one "$folder/volume/$(cat "$folder/volume/merged")"
