"""Runs the state machine, and prints one line of JSON about its first failure.

    measure.py BUG|none SEED EXAMPLES [OPERATION…]

With operations, the machine has only the rules of these.
"""

import json
import sys
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from machine import StockroomMachine

bug, number, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
operations = frozenset(sys.argv[4:])
start = time.process_time()
result = {"examples": 0, "first": None, "seconds": None, "reason": None, "steps": []}


class Measured(StockroomMachine):
    bugs = frozenset() if bug == "none" else frozenset([bug])
    operations = operations or StockroomMachine.operations

    def __init__(self):
        super().__init__()
        result["examples"] += 1

    def fail(self, reason):
        if result["first"] is None:
            result["first"] = result["examples"]
            result["seconds"] = time.process_time() - start
        super().fail(reason)


try:
    run_state_machine_as_test(
        seed(number)(Measured),
        settings=settings(
            max_examples=limit,
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
except AssertionError as failure:
    result["reason"] = str(failure)
    lines = [line for note in failure.__notes__ for line in note.splitlines()]
    names = [*StockroomMachine.operations, "add", "run", "finish"]
    rules = tuple(f"state.{name}(" for name in names)
    result["steps"] = [line for line in lines if line.startswith(rules)]
result["total"] = time.process_time() - start
print(json.dumps(result))
