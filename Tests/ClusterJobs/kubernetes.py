"""Runs the pods of Fixtures/CI/kubernetes.yaml as processes: kubernetes.py FILE TOOL FOLDER.

Everything comes from the file but for the image, whose place this checkout and TOOL take, the volume, whose place
FOLDER takes, and the number of programs. FOLDER/options has what the campaign was, an option on each line.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import yaml

file, tool, folder = sys.argv[1:]
jobs = {}
for document in yaml.safe_load_all(pathlib.Path(file).read_text()):
    if document["kind"] == "Job":
        jobs[document["metadata"]["name"]] = document["spec"]
shards, merge = jobs["faultline-shards"], jobs["faultline-merge"]


def check(holds, message):
    if not holds:
        sys.exit(f"{file}: {message}")


def container(job):
    (only,) = job["template"]["spec"]["containers"]
    return only


def variables(job):
    return {entry["name"]: entry["value"] for entry in container(job)["env"]}


def claim(job):
    (volume,) = job["template"]["spec"]["volumes"]
    return volume["persistentVolumeClaim"]["claimName"]


def expanded(word, environment):
    """As Kubernetes does it: $(NAME) is a variable if there is one, and $$ is a $."""

    def replacement(match):
        if match[0] == "$$":
            return "$"
        return environment.get(match[1], match[0])

    return re.sub(r"\$\$|\$\(([^)]*)\)", replacement, word)


def start(job, index=None, more=(), runs=300):
    """A pod of the job; of the first with its index, as the controller of Jobs sets it."""
    pod = container(job)
    (mount,) = pod["volumeMounts"]

    def local(word):
        word = re.sub(rf"(?<![^=\s]){re.escape(mount['mountPath'])}(?=/|$)", str(folder), word)
        return re.sub(r"^--runs=\d+$", f"--runs={runs}", word)

    environment = {**os.environ, **{name: local(value) for name, value in variables(job).items()}}
    environment["FAULTLINE"] = tool
    if index is not None:
        environment["JOB_COMPLETION_INDEX"] = str(index)
    words = [expanded(local(word), environment) for word in pod["command"] + pod["args"]] + list(more)
    process = subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return process


def finish(name, process, due, seconds=300):
    """Its log and exit code, which has to be `due`."""
    begin = time.monotonic()
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.terminate()
        output, _ = process.communicate(timeout=20)
    lines = output.splitlines()
    print(f"{name}: exit code {process.returncode}, {time.monotonic() - begin:.1f} s; {lines[-1] if lines else ''}")
    check(process.returncode == due, f"{name} ended with {process.returncode}, not {due}: {output}")
    return output


# What stands in several places has to be the same.
count = shards["completions"]
check(shards["completionMode"] == "Indexed", "the Job of the shards has no indices")
check(shards["parallelism"] <= count, "more pods at once than shards")
check(merge["suspend"], "the merge would begin with the shards")
for name in ["OUTPUT", "SHARDS", "FAULTLINE"]:
    check(variables(shards)[name] == variables(merge)[name], f"the Jobs have not the same {name}")
check(variables(shards)["SHARDS"] == str(count), f"SHARDS is not the number of completions, {count}")
check(claim(shards) == claim(merge), "the Jobs have not the same volume")
check(container(shards)["image"] == container(merge)["image"], "the Jobs have not the same image")
check(":" in container(shards)["image"] and "latest" not in container(shards)["image"], "the image has no version")
(fatal,) = [rule["onExitCodes"] for rule in shards["podFailurePolicy"]["rules"] if "onExitCodes" in rule]
check(fatal["containerName"] == container(shards)["name"], "the rule on exit codes is about another container")
campaign = pathlib.Path(folder) / pathlib.PurePosixPath(variables(shards)["OUTPUT"]).name

# Bad input must end the Job, and leave nothing that the next try would trip over.
finish("a pod with a bad option", start(shards, 0, ["--nonsense=1"]), due=2)
check({2, 3} <= set(fatal["values"]), "bad input and defects would be tried again")

for index in range(count - 1):
    finish(f"pod {index}", start(shards, index), due=0)

# A lost pod: not fatal, not merged, and what takes its place goes on.
pod = start(shards, count - 1)
record = campaign / f"shard-{count}" / "campaign.json"
for _ in range(300):
    if record.exists():
        break
    time.sleep(0.02)
pod.send_signal(signal.SIGTERM)
finish(f"pod {count - 1}, evicted", pod, due=143)
check(143 not in fatal["values"], "an evicted pod would end the Job")
early = finish("the merge, too early", start(merge), due=2)
check(f"have not ended: {count};" in early, f"the merge does not say what is missing: {early}")
again = finish(f"pod {count - 1}, again", start(shards, count - 1), due=0)
check("goes on" in again, f"the shard began anew: {again}")

options = [re.sub(r"^--runs=\d+$", "--runs=300", word) for word in container(shards)["args"]]
(pathlib.Path(folder) / "options").write_text("".join(word + "\n" for word in options))
finish("the merge", start(merge), due=0)
(pathlib.Path(folder) / "merged").write_text(f"{campaign.name}/merged\n")
