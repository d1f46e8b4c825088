#!/usr/bin/env python3
"""Compares four ways to find the bugs of Fixtures/Beside, for the page BesideOthers.

    Tests/beside.py [--runs N] [--seeds N] [--only PART] [--no-build]

PART is threads, hypothesis, faultline or tables. Each part keeps its results in
.build/beside/PART.json, and the tables of the page are written from these files. With --no-build,
Faultline runs the tests that an earlier call has built. Needs Linux, a Swift toolchain and the
Python module hypothesis. Nothing is downloaded.
"""

import argparse
import importlib.util
import json
import os
import re
import resource
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "Fixtures/Beside"
APP = FIXTURE / "Stockroom"
BUILD = ROOT / ".build/beside"
PAGE = ROOT / "Sources/Faultline/Faultline.docc/BesideOthers.md"

# The test, the name on the page, the bug in Stockroom.swift, and the operations of the test.
TESTS = [
    ("testTwoDeliveriesMakeOneItem", "duplicate insert", "duplicate", ["receive"]),
    ("testTwoSalesAreCounted", "lost update", "lostUpdate", ["sell"]),
    ("testARenameIsExported", "early completion", "earlyCompletion", ["rename"]),
    ("testARenameIsExportedAfterASemaphore", "the same, semaphore", None, []),
    ("testItemsAreCountedDuringNews", "deadlock", "deadlock", ["fetch_news", "item_count"]),
    ("testViewsAreCounted", "data race", "dataRace", ["view"]),
]
EXAMPLES = 1000
# A run that prints nothing and uses no processor time for so many seconds hangs.
SILENCE = 3
MOST_HANGS = 10
# With real threads, batches of runs differ, so there are several of them.
BATCHES = 3


def environment(**values):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FAULTLINE_", "BESIDE_"))}
    return kept | {name: str(value) for name, value in values.items() if value is not None}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def say(text):
    print(text, file=sys.stderr, flush=True)


# Real queues


def compile_with_threads(name, *options):
    """Compiles app and tests with the stand-in for Core Data, and returns the executable."""
    build = BUILD / name
    build.mkdir(parents=True, exist_ok=True)
    swiftc = os.environ.get("SWIFT", "swift") + "c"
    compiler = [swiftc, "-O", "-wmo", "-swift-version", "5", "-I", build, "-L", build, *options]

    def module(name, sources):
        library = ["-parse-as-library", "-emit-module", "-emit-library", "-static"]
        outputs = ["-emit-module-path", build / f"{name}.swiftmodule", "-o", build / f"lib{name}.a"]
        subprocess.run([*compiler, *library, *outputs, "-module-name", name, *sources], check=True)

    module("CoreData", sorted((FIXTURE / "Threads/CoreData").glob("*.swift")))
    module("Stockroom", [APP / "Sources/Stockroom/Stockroom.swift"])
    tests = [APP / "Tests/StockroomXCTests/StockroomXCTests.swift", FIXTURE / "Threads/main.swift"]
    libraries = ["-lStockroom", "-lCoreData", "-module-name", "StockroomXCTests"]
    subprocess.run([*compiler, "-o", build / "tests", *tests, *libraries], check=True)
    return build / "tests"


def used_ticks(process):
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    except FileNotFoundError:
        return None


def lines_of(process):
    """Yields the lines of the output, and None once if the process hangs."""
    buffer, silent_since, ticks = b"", time.monotonic(), None
    while True:
        if select.select([process.stdout], [], [], 0.5)[0]:
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace")
            silent_since = time.monotonic()
        elif (now := used_ticks(process)) != ticks:
            ticks, silent_since = now, time.monotonic()
        elif time.monotonic() - silent_since > SILENCE:
            yield None
            return


def repeat(executable, test, runs, fixed):
    """Runs a test many times in one process, and in a new one after each hang."""
    result = {"runs": 0, "failed": 0, "hung": 0, "first": None, "seconds": 0.0, "reports": []}
    while result["runs"] < runs and result["hung"] < MOST_HANGS:
        start = processor_time()
        process = subprocess.Popen(
            [executable, f"StockroomXCTests.StockroomXCTests/{test}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(
                BESIDE_RUNS=runs - result["runs"],
                BESIDE_FIXED=1 if fixed else None,
                TSAN_OPTIONS="exitcode=0",
            ),
        )
        before, stack, line = result["runs"], [], ""
        for line in lines_of(process):
            if line is None:
                result["hung"] += 1
                process.kill()
                break
            if line.startswith("Test Case") and "started" in line:
                result["runs"] += 1
            failed = line.startswith("Test Case") and " failed (" in line
            result["failed"] += failed
            if failed and result["first"] is None:
                result["first"] = result["runs"]
            if line.startswith("WARNING: ThreadSanitizer"):
                stack = [line]
            elif stack:
                stack.append(line)
                if line.startswith("SUMMARY:"):
                    result["reports"].append(
                        {
                            "run": result["runs"],
                            "text": stack[0].split(": ", 1)[1].split(" (pid")[0],
                            # The innermost frames of both accesses.
                            "frames": [text.split()[1] for text in stack if "#0 " in text],
                        }
                    )
                    stack = []
        process.wait()
        process.stdout.close()
        if line is None and result["first"] is None:
            result["first"] = result["runs"]
        if line is not None and process.returncode < 0:
            raise SystemExit(f"{executable} ends by signal {-process.returncode} in {test}")
        result["seconds"] += processor_time() - start
        if result["runs"] == before:
            raise SystemExit(f"{executable} runs no test {test}")
    result["failed"] += result["hung"]
    return result


def measure_threads(options):
    results = {}
    for name, flags in [("plain", []), ("sanitizer", ["-sanitize=thread"])]:
        executable = compile_with_threads(name, *flags)
        for fixed in [False, True]:
            for test, *_ in TESTS:
                key = f"{name} {'fixed' if fixed else 'bugs'} {test}"
                results[key] = []
                for _ in range(1 if fixed else BATCHES):
                    result = repeat(executable, test, options.runs, fixed)
                    results[key].append(result)
                    say(f"{key}: {result | {'reports': len(result['reports'])}}")
    return results


# Hypothesis


def hypothesis(bug, seed, examples, operations):
    command = [sys.executable, "measure.py", bug, seed, examples, *operations]
    folder = FIXTURE / "Hypothesis"
    output = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(
            PYTHONDONTWRITEBYTECODE=1, HYPOTHESIS_STORAGE_DIRECTORY=BUILD / "storage"
        ),
    ).stdout
    return json.loads(output)


def measure_hypothesis(options):
    results = {}
    for _, _, bug, operations in TESTS:
        if bug is None:
            continue
        results[bug] = []
        for seed in range(1, options.seeds + 1):
            result = hypothesis(bug, seed, EXAMPLES, operations)
            results[bug].append(result)
            say(f"hypothesis {bug} {seed}: {result | {'steps': len(result['steps'])}}")
    results["none"] = [hypothesis("none", 1, EXAMPLES, [])]
    say(f"hypothesis none: {results['none']}")
    return results


# Faultline


def build_with_faultline():
    # Builds run the tests, too, and the deadlock may fail them.
    subprocess.run(
        [ROOT / "Fixtures/CI/test-package.sh", APP, "-j", os.environ.get("JOBS", "2")],
        check=False,
        stdout=sys.stderr,
        env=environment(),
    )


def faultline(executable, test, schedules, fixed=False):
    start = processor_time()
    process = subprocess.run(
        [executable, f"StockroomXCTests.StockroomXCTests/{test}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(FAULTLINE_SCHEDULES=schedules, BESIDE_FIXED=1 if fixed else None),
    )
    if "Executed 1 test" not in process.stdout:
        raise SystemExit(f"{executable} runs no test {test}:\n{process.stdout}")
    return process.returncode != 0, process.stdout, processor_time() - start


def first_schedule(executable, test, most):
    """Returns the number of schedules that the test needs to fail."""
    least = 1
    while least < most:
        middle = (least + most) // 2
        if faultline(executable, test, middle)[0]:
            most = middle
        else:
            least = middle + 1
    return most


def findings(text):
    """Returns the findings of a report, each as a dictionary."""
    found = []
    sentence = r"in ([\d,]+) of ([\d,]+)\s+schedules,\s+shrunk to this one:\n"
    for match in re.finditer(sentence, text):
        start = text.rfind("error: ", 0, match.start())
        end = text.find("error: ", match.end())
        part = text[start : end if end > 0 else len(text)]
        certificate = re.search(r"(certified \w+)", part)
        run = text[match.end() : text.find("\ncause:", match.end())]
        cause = re.search(r"^cause: (.*(?:\n  \S.*)*)", part, re.M)
        found.append(
            {
                "sentence": part.split(" : ", 1)[-1].split("\n")[0],
                "failed": int(match[1].replace(",", "")),
                "lines": len(re.findall(r"^ +\S.*$", run, re.M)),
                "cause": " ".join(cause[1].split()) if cause else None,
                "certificate": certificate[1] if certificate else None,
                "steps": scenario_steps(part),
            }
        )
    return found


def scenario_steps(text):
    """Returns the number of steps of the scenario at the end of a finding, or None without one."""
    match = re.search(r"^steps\n((?:  .*\n?|\n)+)", text, re.M)
    if not match:
        return None
    return sum(1 for line in match[1].splitlines() if line.strip() and ">" not in line)


def measure_faultline(options):
    executable = ROOT / ".build/release/StockroomPackageTests.xctest"
    if not options.no_build:
        executable.unlink(missing_ok=True)
        build_with_faultline()
    if not executable.exists():
        raise SystemExit(f"no tests at {executable}: Faultline's package does not compile")
    results = {}
    for test, *_ in TESTS:
        failed, text, seconds = faultline(executable, test, options.runs)
        (BUILD / f"{test}.txt").write_text(text)
        results[test] = {
            "schedules": options.runs,
            "in order": faultline(executable, test, None)[0],
            "failed": failed,
            "seconds": seconds,
            "first": first_schedule(executable, test, options.runs) if failed else None,
            "findings": findings(text),
        }
        fixed_failed, text, _ = faultline(executable, test, options.runs, fixed=True)
        (BUILD / f"{test}-fixed.txt").write_text(text)
        results[test]["fixed failed"] = fixed_failed
        say(f"faultline {test}: {results[test]}")
    return results


# The page


def counted(*paths):
    """The number of lines that are neither empty nor comments."""
    texts = [re.sub(r'""".*?"""', "", path.read_text(), flags=re.S) for path in paths]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return sum(1 for line in lines if line and not line.startswith(("//", "#")))


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def seconds(value):
    return number(value, 1 if value < 10 else 0)


def spread(values):
    return f"{number(statistics.median(values))} ({min(values)}–{max(values)})"


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(header, rows):
    return "\n".join([row(*header), "|" + "---|" * len(header), *(row(*cells) for cells in rows)])


def found_in(batches):
    batches = sorted(batches, key=lambda batch: batch["failed"] / batch["runs"])
    runs = {number(batch["runs"]) for batch in batches}
    if len(runs) == 1:
        return ", ".join(number(batch["failed"]) for batch in batches) + f" of {runs.pop()}"
    return ", ".join(f"{number(batch['failed'])} of {number(batch['runs'])}" for batch in batches)


def named_reports(batches, named=True):
    return [
        report
        for batch in batches
        for report in batch["reports"]
        if any("9Stockroom" in frame for frame in report["frames"]) == named
    ]


def sanitizer_cell(batches):
    named = [batch for batch in batches if named_reports([batch])]
    return f"in {len(named)} of {len(batches)} batches" if named else "no report"


def total(batches, key):
    return sum(batch[key] for batch in batches)


def campaigns(results):
    if results is None:
        return "the same model"
    return f"in {sum(1 for result in results if result['first'])} of {len(results)} campaigns"


def found_table(threads, peers, faults):
    rows = []
    for test, name, bug, _ in TESTS:
        count = max([finding["failed"] for finding in faults[test]["findings"]], default=0)
        rows.append(
            (
                name,
                found_in(threads[f"plain bugs {test}"]),
                sanitizer_cell(threads[f"sanitizer bugs {test}"]),
                campaigns(peers.get(bug)),
                f"in {number(count)} of {number(faults[test]['schedules'])} schedules"
                if count
                else "no",
            )
        )
    return table(HEADERS["found"], rows)


def threads_table(threads):
    rows = []
    for test, name, _, _ in TESTS:
        plain, checked = threads[f"plain bugs {test}"], threads[f"sanitizer bugs {test}"]
        each = [total(batches, "seconds") / total(batches, "runs") for batches in (plain, checked)]
        rows.append(
            (
                name,
                found_in(plain),
                f"{1000 * each[0]:.1f} ms",
                found_in(checked),
                f"{1000 * each[1]:.1f} ms",
                len(named_reports(checked)),
                len(named_reports(checked, named=False)),
            )
        )
    return table(HEADERS["threads"], rows)


def hypothesis_table(peers):
    rows = []
    for _, name, bug, _ in TESTS:
        if bug is None:
            continue
        found = [result for result in peers[bug] if result["first"]]
        if not found:
            rows.append((name, "not found", "–", "–", "–"))
            continue
        rows.append(
            (
                name,
                spread([result["first"] for result in found]),
                seconds(statistics.median(result["seconds"] for result in found)),
                seconds(statistics.median(result["total"] for result in found)),
                spread([len(result["steps"]) for result in found]),
            )
        )
    return table(HEADERS["hypothesis"], rows)


def faultline_table(faults):
    rows = []
    for test, name, _, _ in TESTS:
        fault = faults[test]
        in_order = "fails" if fault["in order"] else "passes"
        if not fault["failed"]:
            time = seconds(fault["seconds"])
            rows.append((name, in_order, "no failure", "–", time, "–", "–", "–"))
        for index, finding in enumerate(fault["findings"]):
            steps = f"{finding['steps']} steps" if finding["steps"] else "none"
            # The report says in how many schedules the order is the cause, which `failed` has.
            cause = (finding["cause"] or "not named").split(": ")[0]
            rows.append(
                (
                    *((name, in_order) if index == 0 else ("", "")),
                    number(finding["failed"]),
                    *((fault["first"], seconds(fault["seconds"])) if index == 0 else ("", "")),
                    f"{finding['lines']} lines",
                    steps + (f", {finding['certificate']}" if finding["certificate"] else ""),
                    cause,
                )
            )
    return table(HEADERS["faultline"], rows)


def effort_table():
    model = FIXTURE / "Hypothesis"
    package = [APP / "Package.swift", *APP.glob("*/*/Simulated.swift")]
    core, room, machine = (
        counted(model / name) for name in ["contexts.py", "stockroom.py", "machine.py"]
    )
    return table(
        HEADERS["effort"],
        [
            ("running the tests, Thread Sanitizer", "0"),
            (
                "Hypothesis",
                f"{core + room + machine}: {core} for contexts, queues and store, {room} for the "
                f"app's operations, {machine} for the state machine",
            ),
            ("Faultline", f"{counted(*package)}, in `Package.swift`, and a file for each target"),
        ],
    )


def fixed_table(threads, peers, faults):
    plain, checked = (
        [batch for test, *_ in TESTS for batch in threads[f"{name} fixed {test}"]]
        for name in ["plain", "sanitizer"]
    )
    runs = number(total(plain, "runs"))
    reports = total(checked, "failed"), len([r for batch in checked for r in batch["reports"]])
    schedules = sum(fault["fixed failed"] for fault in faults.values())
    none = peers["none"][0]
    return table(
        HEADERS["fixed"],
        [
            ("running the tests", f"{total(plain, 'failed')} of {runs} runs fail"),
            (
                "Thread Sanitizer",
                f"{reports[0]} of {number(total(checked, 'runs'))} runs fail, {reports[1]} reports",
            ),
            (
                "Hypothesis, all operations",
                f"{'a failure' if none['first'] else 'no failure'} in {number(none['examples'])} "
                "examples",
            ),
            ("Faultline", f"{schedules} of {len(TESTS)} tests fail"),
        ],
    )


HEADERS = {
    "found": ["bug", "failing in 1,000 runs", "Thread Sanitizer", "Hypothesis", "Faultline"],
    "threads": [
        "bug",
        "failing",
        "time of a run",
        "failing with Thread Sanitizer",
        "its time of a run",
        "reports of the bug",
        "other reports",
    ],
    "hypothesis": ["bug", "examples until found", "seconds", "with shrinking", "shrunk steps"],
    "faultline": [
        "bug",
        "in order",
        "failing schedules",
        "first",
        "seconds in all",
        "shrunk run",
        "scenario without the code",
        "cause",
    ],
    "effort": ["tool", "lines to write"],
    "fixed": ["tool", "on the app without its bugs"],
}


def replace_table(page, key, text):
    """Replaces the table of the page that has the same header."""
    lines, header = page.split("\n"), row(*HEADERS[key])
    if header not in lines:
        raise SystemExit(f"{PAGE.name} has no table with the header {header}")
    start = end = lines.index(header)
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:start] + [text] + lines[end:])


def replace_block(page, sentence, text):
    """Replaces the block of code that follows a sentence of the page."""
    start = page.find(sentence)
    if start < 0:
        raise SystemExit(f"{PAGE.name} has no sentence '{sentence}'")
    start = page.index("```\n", start) + len("```\n")
    return page[:start] + text + "\n" + page[page.index("```", start) :]


def shortest_example(results):
    example = min((result for result in results if result["first"]), key=lambda r: len(r["steps"]))
    return "\n".join(example["steps"] + [f"AssertionError: {example['reason']}"])


def printed_report(test):
    """Returns what Faultline prints about a failure, from the failed assertion to its schedule."""
    text = (BUILD / f"{test}.txt").read_text()
    return re.search(rf"{test} : (.*?\nagain: [^\n]*)", text, re.S)[1]


def write_tables():
    names = ["threads", "hypothesis", "faultline"]
    missing = [name for name in names if not (BUILD / f"{name}.json").exists()]
    if missing:
        raise SystemExit(f"no results of {', '.join(missing)}: run Tests/beside.py first")
    threads, peers, faults = (json.loads((BUILD / f"{name}.json").read_text()) for name in names)
    page = PAGE.read_text()
    for key, text in {
        "found": found_table(threads, peers, faults),
        "threads": threads_table(threads),
        "hypothesis": hypothesis_table(peers),
        "faultline": faultline_table(faults),
        "effort": effort_table(),
        "fixed": fixed_table(threads, peers, faults),
    }.items():
        page = replace_table(page, key, text)
    shown, _, bug, _ = TESTS[1]
    example = shortest_example(peers[bug])
    page = replace_block(page, "Hypothesis prints this for the lost update", example)
    page = replace_block(page, "Faultline prints this for the lost update", printed_report(shown))
    PAGE.write_text(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=1000, metavar="N")
    parser.add_argument("--seeds", type=int, default=5, metavar="N")
    parser.add_argument("--only", choices=["threads", "hypothesis", "faultline", "tables"])
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    if sys.platform != "linux":
        raise SystemExit("beside.py needs Linux: Faultline's product CoreData exists only there")
    if options.only in (None, "hypothesis") and importlib.util.find_spec("hypothesis") is None:
        raise SystemExit("no Python module hypothesis: install Tests/Peers/requirements.txt by pip")
    BUILD.mkdir(parents=True, exist_ok=True)
    parts = {
        "threads": measure_threads,
        "hypothesis": measure_hypothesis,
        "faultline": measure_faultline,
    }
    for name, measure in parts.items():
        if options.only in (None, name):
            (BUILD / f"{name}.json").write_text(json.dumps(measure(options), indent=1))
    if options.only in (None, "tables"):
        write_tables()


main()
