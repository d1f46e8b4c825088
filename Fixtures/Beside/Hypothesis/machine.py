"""A rule-based state machine over the model of the stockroom.

The rules are the operations of the app, and one rule that lets a queue run up to its next point.
"""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from contexts import Conflict
from stockroom import Stockroom

NAMES = ["pear", "plum"]


def operation(name, condition=lambda self: True):
    return precondition(lambda self: name in self.operations and condition(self))


class StockroomMachine(RuleBasedStateMachine):
    bugs = frozenset()
    operations = frozenset(["receive", "sell", "rename", "fetch_news", "item_count", "view"])

    def __init__(self):
        super().__init__()
        self.room = Stockroom(self.bugs)
        self.expected = {}  # name -> count, once all pending operations are complete
        self.views = 0
        self.renames = 0
        self.news = 0
        self.pending = 0
        self.is_renaming = False

    @initialize()
    def add(self):
        self.room.writer.insert(name="apple", count=10)
        self.room.writer.save()
        self.expected["apple"] = 10

    def begin(self):
        self.pending += 1
        return self.complete

    def complete(self):
        self.pending -= 1

    def fail(self, reason):
        raise AssertionError(reason)

    # Operations. Operations that may overlap commute, so `expected` does not depend on their order.

    @operation("receive", lambda self: not self.is_renaming)
    @rule(name=st.sampled_from(NAMES))
    def receive(self, name):
        self.expected[name] = self.expected.get(name, 0) + 1
        self.room.receive(name, self.begin())

    @operation("sell", lambda self: not self.is_renaming and "apple" in self.expected)
    @rule()
    def sell(self):
        self.expected["apple"] -= 1
        self.room.sell("apple", self.begin())

    @operation("rename", lambda self: self.pending == 0 and self.expected)
    @rule(number=st.integers(0, 5))
    def rename(self, number):
        name = sorted(self.expected)[number % len(self.expected)]
        self.renames += 1
        new_name = f"name {self.renames}"
        self.expected[new_name] = self.expected.pop(name)
        self.is_renaming = True
        self.room.rename(name, new_name, self.begin())

    @operation("fetch_news", lambda self: not self.is_renaming)
    @rule()
    def fetch_news(self):
        self.news += 1
        self.expected[f"news {self.news}"] = 0
        self.room.fetch_news(f"news {self.news}", self.begin())

    @operation("item_count", lambda self: not self.room.main.blocks)
    @rule()
    def item_count(self):
        self.room.main.perform(self.room.item_count())

    @operation("view")
    @rule()
    def view(self):
        self.views += 1
        self.room.view(self.begin())

    # The scheduler.

    @precondition(lambda self: self.runnable)
    @rule(number=st.integers(0, 5))
    def run(self, number):
        # A number shrinks better than a choice from a list whose length depends on earlier steps.
        self.step(self.runnable[number % len(self.runnable)])

    @precondition(lambda self: self.runnable)
    @rule()
    def finish(self):
        """Runs all queues in order, as long as one of them can run."""
        while self.runnable:
            self.step(self.runnable[0])

    @property
    def runnable(self):
        return [queue for queue in self.room.queues if queue.is_runnable]

    def step(self, queue):
        try:
            queue.step()
        except Conflict:
            self.fail("a save conflicts")
        if self.pending == 0:
            self.is_renaming = False

    @invariant()
    def some_queue_can_run(self):
        waiting = [queue for queue in self.room.queues if queue.blocks]
        if waiting and not self.runnable:
            self.fail("deadlock of " + " and ".join(queue.name for queue in waiting))

    @invariant()
    def completed_operations_are_exported(self):
        if self.pending == 0:
            exported, expected = self.room.export(), sorted(self.expected.items())
            if exported != expected:
                self.fail(f"{exported} exported, {expected} expected")
            if self.room.views != self.views:
                self.fail(f"{self.room.views} views, {self.views} expected")
