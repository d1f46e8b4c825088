"""A model of serial queues, of contexts and of their store, as far as the stockroom needs it.

A block is a generator. Each `yield` is a point at which another queue can run. A block that waits
yields a function, and continues when the function returns True.
"""

from collections import deque
from itertools import count


class Queue:
    def __init__(self, name):
        self.name = name
        self.blocks = deque()
        self.ready = None

    def __repr__(self):
        return self.name

    @property
    def is_runnable(self):
        return bool(self.blocks) and (self.ready is None or self.ready())

    def perform(self, block):
        self.blocks.append(block)

    def perform_and_wait(self, block):
        """Enqueues the block and waits for its end: use with `yield from` on another queue."""
        done = []

        def marked():
            yield from block
            done.append(True)

        self.blocks.append(marked())
        yield lambda: bool(done)

    def step(self):
        """Runs the first block up to its next point."""
        try:
            self.ready = next(self.blocks[0])
        except StopIteration:
            self.blocks.popleft()
            self.ready = None


class Conflict(Exception):
    pass


class Store:
    def __init__(self):
        self.rows = {}  # id -> (version, values)
        self.ids = count(1)


class Context:
    def __init__(self, queue, store, parent=None, trump=False):
        self.queue, self.store, self.parent, self.trump = queue, store, parent, trump
        self.objects = {}  # id -> (version, values), as read
        self.changes = {}  # id -> changed values

    def fetch(self):
        """Returns values by ID. An object that is registered keeps its values."""
        if self.parent:
            rows = {id: (0, values) for id, values in self.parent.fetch().items()}
        else:
            rows = self.store.rows
        for id, (version, values) in rows.items():
            self.objects.setdefault(id, (version, dict(values)))
        found = {id: dict(values) for id, (_, values) in self.objects.items()}
        for id, changes in self.changes.items():
            found.setdefault(id, {}).update(changes)
        return found

    def find(self, name):
        return next((id for id, values in self.fetch().items() if values["name"] == name), None)

    def insert(self, **values):
        self.changes[next(self.store.ids)] = values

    def set(self, id, **values):
        self.changes.setdefault(id, {}).update(values)

    def save(self):
        if self.parent:
            for id, changes in self.changes.items():
                self.parent.set(id, **changes)
                values = self.objects.get(id, (0, {}))[1]
                self.objects[id] = (0, values | changes)
        else:
            for id in self.changes:
                version = self.store.rows.get(id, (0, {}))[0]
                if not self.trump and version != self.objects.get(id, (0, {}))[0]:
                    raise Conflict(id)
            for id, changes in self.changes.items():
                version, values = self.store.rows.get(id, (0, {}))
                self.store.rows[id] = self.objects[id] = (version + 1, values | changes)
        self.changes = {}
