"""Workload S in Hypothesis; README.md beside this file says what it is and how it is counted.

Every map is a dict.
"""

import argparse
import json
import sys
from importlib.metadata import version
from time import perf_counter

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

KEYS = range(16)
STEPS = 100

# Hypothesis' own default. The clock is read between runs of so many cases.
CASES = 100

DELETED = object()
UNCHANGED = object()


class Overlay:
    """What is tested: a parent map, and above it a child that holds changes only."""

    def __init__(self):
        self.parent = {}
        # A deletion is recorded as DELETED, or the parent's value would show through.
        self.changes = {}

    def get(self, key):
        change = self.changes.get(key, UNCHANGED)
        if change is UNCHANGED:
            return self.parent.get(key)
        return None if change is DELETED else change

    def put(self, key, value):
        self.changes[key] = value

    def delete(self, key):
        self.changes[key] = DELETED

    def save(self):
        for key, change in self.changes.items():
            if change is DELETED:
                self.parent.pop(key, None)
            else:
                self.parent[key] = change
        self.changes.clear()

    def rollback(self):
        self.changes.clear()


class BrokenOverlay(Overlay):
    """An overlay with the planted bug: its rollback keeps the deletions."""

    def rollback(self):
        self.changes = {key: change for key, change in self.changes.items() if change is DELETED}


class Compared:
    """The overlay beside plain dicts of what its child must show and what its parent must hold."""

    def __init__(self, overlay):
        self.overlay = overlay
        self.shown = {}
        self.held = {}

    def put(self, key, value):
        self.overlay.put(key, value)
        self.shown[key] = value

    def get(self, key):
        return self.overlay.get(key) == self.shown.get(key)

    def delete(self, key):
        self.overlay.delete(key)
        self.shown.pop(key, None)

    def save(self):
        self.overlay.save()
        self.held = dict(self.shown)

    def rollback(self):
        self.overlay.rollback()
        self.shown = dict(self.held)

    def agrees(self):
        get = self.overlay.get
        shown = self.shown.get
        for key in KEYS:
            if get(key) != shown(key):
                return False
        return True


class Mismatch(AssertionError):
    """The overlay and the plain dicts differ after these operations."""

    def __init__(self, done):
        super().__init__(", ".join(done))
        self.done = done


class Tally:
    def __init__(self):
        self.cases = 0
        self.steps = 0


def call(name, *arguments):
    return f"{name}({', '.join(map(str, arguments))})"


keys = st.integers(0, 15)
values = st.integers(0, 999)


def machine(make_overlay, tally, options, number):
    """As Hypothesis' guide to stateful tests has it: rules, and an invariant checked after each."""

    class Machine(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.compared = Compared(make_overlay())
            self.done = []

        @rule(key=keys, value=values)
        def put(self, key, value):
            self.done.append(("put", key, value))
            self.compared.put(key, value)

        @rule(key=keys)
        def get(self, key):
            self.done.append(("get", key))
            if not self.compared.get(key):
                raise self.mismatch()

        @rule(key=keys)
        def delete(self, key):
            self.done.append(("delete", key))
            self.compared.delete(key)

        @rule()
        def save(self):
            self.done.append(("save",))
            self.compared.save()

        @rule()
        def rollback(self):
            self.done.append(("rollback",))
            self.compared.rollback()

        @invariant()
        def child_shows_what_it_must(self):
            if not self.compared.agrees():
                raise self.mismatch()

        def teardown(self):
            tally.cases += 1
            tally.steps += len(self.done)

        def mismatch(self):
            return Mismatch([call(*operation) for operation in self.done])

    run_state_machine_as_test(seed(number)(Machine), settings=options)


operations = st.lists(
    st.one_of(
        st.tuples(st.just("get"), keys),
        st.tuples(st.just("put"), keys, values),
        st.tuples(st.just("delete"), keys),
        st.just(("save",)),
        st.just(("rollback",)),
    ),
    min_size=STEPS,
    max_size=STEPS,
)


def lists(make_overlay, tally, options, number):
    """As a plain property of a list of operations, each case's list being drawn before it is run."""

    @seed(number)
    @options
    @given(operations)
    def child_shows_what_it_must(operations):
        compared = Compared(make_overlay())
        tally.cases += 1
        for index, operation in enumerate(operations):
            tally.steps += 1
            agrees = True
            match operation:
                case ("get", key):
                    agrees = compared.get(key)
                case ("put", key, value):
                    compared.put(key, value)
                case ("delete", key):
                    compared.delete(key)
                case ("save",):
                    compared.save()
                case _:
                    compared.rollback()
            if not (agrees and compared.agrees()):
                raise Mismatch([call(*operation) for operation in operations[: index + 1]])

    child_shows_what_it_must()


STYLES = {"lists": lists, "machine": machine}


def positive(text):
    seconds = float(text)
    if not 0 < seconds <= 86400:
        raise ValueError
    return seconds


positive.__name__ = "number of seconds above 0 and up to 86400"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=positive, default=5.0, help="about how long to run (default 5)")
    parser.add_argument("--seed", type=int, default=1, help="what the cases follow from (default 1)")
    parser.add_argument(
        "--style",
        choices=sorted(STYLES),
        default="lists",
        help="a list of operations (the default, as it is the faster), or a rule-based state machine",
    )
    parser.add_argument(
        "--break", dest="breaks", action="store_true", help="plant a bug, which must be found: exit code 1"
    )
    arguments = parser.parse_args()

    options = settings(
        max_examples=CASES,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        # No reuse of earlier failures, and no shrinking, which may take minutes for a list of a fixed length.
        phases=[Phase.generate],
        # One failure is enough; more would come as a group of exceptions.
        report_multiple_bugs=False,
        # This check compares drawing with the clock, so a busy machine alone would make it fail.
        suppress_health_check=[HealthCheck.too_slow],
    )
    result = {"tool": "Hypothesis", "version": version("hypothesis")}
    run = STYLES[arguments.style]
    make_overlay = BrokenOverlay if arguments.breaks else Overlay
    tally = Tally()
    number = arguments.seed * 2**32
    start = perf_counter()
    try:
        while perf_counter() - start < arguments.seconds:
            run(make_overlay, tally, options, number)
            number += 1
    except Mismatch as mismatch:
        print(json.dumps(result | {"failure": mismatch.done}, separators=(",", ":")))
        return 1
    seconds = perf_counter() - start
    result |= {
        "cases": tally.cases,
        "steps": tally.steps,
        "seconds": round(seconds, 3),
        "stepsPerSecond": round(tally.steps / seconds),
    }
    print(json.dumps(result, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
