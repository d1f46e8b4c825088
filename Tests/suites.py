#!/usr/bin/env python3
"""Runs public test suites on the simulated Core Data, and writes their rows of Tests/SUITES.md.

    Tests/suites.py [--schedules N] RECIPE.json=CHECKOUT...

RECIPE.json describes a suite, CHECKOUT is a folder with the files of the recipe's repository at the
recipe's commit. No recipe is part of this repository. Each suite becomes a package in
.build/suites/NAME, where NAME is the recipe's file name. All packages are built in
.build/suites/build. With --schedules, the tests run again in N orders of their queues. Rows of
other suites stay as they are. The exit code is 1 if a suite does not compile, or if a test fails
for which the recipe has no reason.

A recipe is an object with:
  repository, commit, licence   as the row shows them
  languageMode                  "5" or "6"; upcomingFeatures is a list of names
  targets                       a list of objects, in order of dependency:
    name, test                  the target, and whether it has the tests
    modules, products           the targets and the products of Faultline that it uses
    sources, leftOut            paths in the checkout, and paths below them that do not compile
    resources                   paths of files that the tests read
    standIns, preparedStandIns  file names with lines of Swift, for missing frameworks
    edits                       changes of the sources for a new compiler: a file, and either text
                                to replace or the numbers of lines, with the new text
  failures                      a list of objects with the names of tests and a reason
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Tests" / "SUITES.md"
PACKAGES = ROOT / ".build" / "suites"
SCRATCH = PACKAGES / "build"
MODELS = (".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel")
BUILD = ["-c", "release", "--scratch-path", str(SCRATCH), "-j", "1", "-Xswiftc", "-enable-testing"]
LONGEST_RUN = 3600  # Seconds, of a build or of all tests of a suite.
# Core Data itself does these in nested contexts, whatever the app's code does.
ALLOWED = "duplicate awakeFromInsert, temporary ID leak"

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [%(features)s]

let package = Package(
  name: "%(name)s",
  dependencies: [.package(name: "Faultline", path: "%(faultline)s")],
  targets: [
%(targets)s
  ],
  swiftLanguageModes: [.v%(mode)s]
)
"""

HEAD = """\
# Public test suites on the simulated Core Data

These libraries and apps with public sources run their own tests on Faultline's product `CoreData`. No file of theirs is in
this repository, and neither are the recipes of these runs. Sources that need other frameworks than Core Data, Foundation and
Combine are left out, with their tests. Classes of other modules that a test needs have stand-ins, and a few lines are edited
for the compiler.

`Tests/suites.py` writes this page from checkouts of the repositories and from recipes that describe their targets. The script
documents the recipes. It builds a package of each suite and runs its tests with all queues in order. With `--schedules N` the
tests run again in N orders, and all invariants are checked except for two that Core Data itself violates in nested contexts:
duplicate awakeFromInsert and temporary ID leak. The last column names tests that pass in order and fail in other orders.
Such a failure is a bug of the library, of the test, or of Faultline.

| suite | repository, commit | licence | tests | compiled | passed | failed | in other orders |
|---|---|---|--:|---|--:|---|---|
"""


def covered(checkout, roots, left_out):
    """The fewest paths below the roots that hold their sources and nothing that is left out."""
    excluded = {checkout / path for path in left_out}
    for path in [checkout / root for root in roots] + sorted(excluded):
        if not path.exists():
            sys.exit(f"{path}: missing, although the recipe names it. Is it the recipe's commit?")

    def below(path):
        if path in excluded:
            return []
        is_model = path.suffix in MODELS
        if not path.is_dir() or is_model or not any(path in other.parents for other in excluded):
            return [path]
        found = []
        for child in sorted(path.iterdir()):
            is_source = child.suffix in MODELS if "." in child.name else child.is_dir()
            if not child.name.startswith(".") and (is_source or child.suffix == ".swift"):
                found += below(child)
        return found

    return [path for root in roots for path in below(checkout / root)]


def write_target(package, target, checkout):
    """Writes a target's own files; returns the target's declaration in the manifest."""
    is_test = target.get("test", False)
    folder = package / ("Tests" if is_test else "Sources") / target["name"]
    folder.mkdir(parents=True, exist_ok=True)
    stand_ins = target.get("standIns", {})
    prepared = target.get("preparedStandIns", {})
    for name, lines in {**stand_ins, **prepared}.items():
        write(folder / name, "\n".join(lines) + "\n")
    sources = sorted(stand_ins)
    if "sources" in target:
        edited = write_edited(folder, target, checkout)
        left_out = target.get("leftOut", []) + list(edited)
        paths = covered(checkout, target["sources"], left_out) + list(edited.values())
        words = [os.path.relpath(path, folder) for path in paths] + sorted(prepared)
        quoted = [f'"{word}"' if " " in word else word for word in words]
        lines = [f"// faultline: prepare {word}\n" for word in quoted]
        write(folder / "Simulated.swift", "".join(lines))
        sources.insert(0, "Simulated.swift")
    uses = [f'"{module}"' for module in target.get("modules", [])]
    uses += [
        f'.product(name: "{product}", package: "Faultline")'
        for product in target.get("products", [])
    ]
    declaration = (
        f'    .{"testTarget" if is_test else "target"}(\n      name: "{target["name"]}",\n'
        f'      dependencies: [{", ".join(uses)}],\n      sources: {json.dumps(sources)}'
    )
    resources = [checkout / path for path in target.get("resources", [])]
    for path in resources:
        (folder / "Resources").mkdir(exist_ok=True)
        shutil.copy(path, folder / "Resources")
    if resources:
        declaration += ',\n      resources: [.process("Resources")]'
    declaration += ",\n      swiftSettings: settings"
    if "sources" in target:
        declaration += ',\n      plugins: [.plugin(name: "FaultlinePrepare", package: "Faultline")]'
    return declaration + "),"


def write_edited(folder, target, checkout):
    """Writes copies of the sources that a recipe changes, as for a new version of Swift."""
    texts = {}
    for edit in target.get("edits", []):
        file = edit["file"]
        text = texts.get(file) or (checkout / file).read_text()
        if "lines" in edit:
            # Edits of a file by lines are listed from its end to its beginning.
            lines = text.splitlines(keepends=True)
            first, last = edit["lines"]
            texts[file] = "".join(lines[: first - 1]) + edit["with"] + "".join(lines[last:])
        elif edit["replace"] in text:
            texts[file] = text.replace(edit["replace"], edit["with"])
        else:
            sys.exit(f"{checkout / file}: lacks '{edit['replace']}', which the recipe replaces")
    copies = {file: folder / "Edited" / pathlib.Path(file).name for file in texts}
    for file, copy in copies.items():
        copy.parent.mkdir(exist_ok=True)
        write(copy, texts[file])
    return copies


def write(path, text):
    """Leaves a file with this text alone, so that nothing is built again for it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_package(name, recipe, checkout):
    package = PACKAGES / name
    package.mkdir(parents=True, exist_ok=True)
    targets = [write_target(package, target, checkout) for target in recipe["targets"]]
    manifest = MANIFEST % {
        "name": name,
        "faultline": ROOT,
        "targets": "\n".join(targets),
        "mode": recipe["languageMode"],
        "features": ", ".join(
            f'.enableUpcomingFeature("{feature}")'
            for feature in recipe.get("upcomingFeatures", [])
        ),
    }
    write(package / "Package.swift", manifest)
    return package


def swift(package, log, *words, variables=None):
    """Runs a command of SwiftPM in the package; returns its exit code and its output."""
    with open(package / log, "w") as output:
        try:
            code = subprocess.run(
                ["swift", *words], cwd=package, stdout=output, stderr=subprocess.STDOUT,
                env={**os.environ, **(variables or {})}, timeout=LONGEST_RUN,
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
    return code, (package / log).read_text(errors="replace")


def run_tests(package, log, schedules=1):
    """Runs the tests; returns a dictionary from the name of each to whether it passed, or None if
    it was skipped."""
    results = package / "results.xml"
    swift_testing = package / "results-swift-testing.xml"
    swift_testing.unlink(missing_ok=True)
    _, text = swift(
        package, log, "test", *BUILD, "--skip-build", "--xunit-output", str(results),
        variables={"FAULTLINE_SCHEDULES": str(schedules), "FAULTLINE_ALLOW": ALLOWED},
    )
    ends = {"passed": True, "failed": False, "skipped": None}
    found = {}
    for match in re.finditer(r"Test Case '([^']+)' (started|passed|failed|skipped)", text):
        # A test that starts and does not end takes the process with it.
        found[match[1]] = ends.get(match[2], False)
    if swift_testing.exists():
        for case in xml.etree.ElementTree.parse(swift_testing).iter("testcase"):
            suite = case.get("classname").split(".")[-1]
            passed = case.find("failure") is None if case.find("skipped") is None else None
            found[f"{suite}.{case.get('name')}"] = passed
    return found


def failures_by_reason(failed, recipe):
    """Counts of failed tests with their reasons, and the names of tests without a reason."""
    unexplained = sorted(failed)
    parts = []
    for known in recipe.get("failures", []):
        tests = [test for test in known["tests"] if test in failed]
        if tests:
            parts.append(f"{len(tests)}: {known['reason']}")
            unexplained = [test for test in unexplained if test not in tests]
    if unexplained:
        parts.append(f"{len(unexplained)} unexplained: " + ", ".join(unexplained))
    return parts, unexplained


def failures_by_kind(tests, text):
    """Pairs of a kind of failure in other orders and the tests that have it, from their reports."""
    kinds = {}
    # XCTest names `Suite.test`, Swift Testing `test(…)`, with the report on the next line.
    report = (
        r"(?:error: (\S+) : |Test (\S+?)\(.*? recorded an issue.*\n↳ )after step \d+: ([^.]+)"
    )
    for match in re.finditer(report, text):
        for test in tests:
            if test == match[1] or test.split(".")[-1].split("(")[0] == match[2]:
                kinds.setdefault(match[3], set()).add(test)
    others = tests.difference(*kinds.values())
    if others:
        kinds["assertion, error, trap or deadlock"] = others
    return [(kind, sorted(kinds[kind])) for kind in sorted(kinds)]


def run_suite(name, recipe, checkout, schedules):
    """Returns the row of a suite, and whether it compiles without an unexplained failure."""
    package = write_package(name, recipe, checkout)
    # The build's plan is of the package that was built last.
    (SCRATCH / "release.yaml").unlink(missing_ok=True)
    print(f"{name}: building", flush=True)
    code, text = swift(package, "build.log", "build", "--build-tests", *BUILD)
    link = f"https://github.com/{recipe['repository']}"
    row = [name, f"[{recipe['repository']}]({link}) "
           f"{recipe['commit'][:10]}", recipe["licence"]]
    if code != 0:
        errors = sorted(set(re.findall(r"error: (.*)", text)))
        print("\n".join(errors), file=sys.stderr)
        return row + ["–", f"no, {len(errors)} kinds of errors", "–", "–", "–"], False
    print(f"{name}: running", flush=True)
    found = run_tests(package, "tests.log")
    passed = {test for test in found if found[test]}
    skipped = sum(result is None for result in found.values())
    failed = {test for test in found if found[test] is False}
    parts, unexplained = failures_by_reason(failed, recipe)
    if skipped:
        parts.append(f"{skipped} skipped by themselves")
    orders = "–"
    if schedules:
        print(f"{name}: running in {schedules} orders", flush=True)
        again = run_tests(package, "orders.log", schedules=schedules)
        differ = {test for test in passed if again.get(test, False) is False}
        orders = f"{len(differ)} of {len(passed)} fail in {schedules} orders"
        for kind, tests in failures_by_kind(differ, (package / "orders.log").read_text()):
            orders += f"<br>{kind}: " + ", ".join(tests)
    row += [str(len(found)), "yes", str(len(passed)), "<br>".join(parts) or "0", orders]
    return row, not unexplained and bool(found)


def rows_of_page():
    if not PAGE.exists():
        return {}
    lines = PAGE.read_text().split("|---|", 1)[-1].splitlines()[1:]
    return {line.split("|")[1].strip(): line for line in lines}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedules", type=int, metavar="N")
    parser.add_argument("suites", nargs="+", metavar="RECIPE.json=CHECKOUT")
    arguments = parser.parse_args()
    suites = []
    for word in arguments.suites:
        path, _, folder = word.partition("=")
        if not folder or not pathlib.Path(folder).is_dir():
            parser.error(f"'{word}': '{folder}' is no folder. Write RECIPE.json=CHECKOUT")
        try:
            recipe = json.loads(pathlib.Path(path).read_text())
        except (OSError, ValueError) as error:
            parser.error(f"{path}: not a recipe: {error}")
        suites.append((pathlib.Path(path).stem, recipe, pathlib.Path(folder).resolve()))
    is_expected = True
    for name, recipe, checkout in suites:
        row, is_fine = run_suite(name, recipe, checkout, arguments.schedules)
        is_expected = is_expected and is_fine
        # After each suite, so that an interrupted run keeps the rows that it has.
        rows = rows_of_page()
        rows[name] = "| " + " | ".join(row) + " |"
        print(rows[name], flush=True)
        write(PAGE, HEAD + "\n".join(rows[key] for key in sorted(rows, key=str.lower)) + "\n")
    sys.exit(0 if is_expected else 1)


if __name__ == "__main__":
    main()
