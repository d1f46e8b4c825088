"""The operations of the stockroom over the model, each as blocks on queues.

The operations are copied by hand from Stockroom.swift, and cut wherever another queue can run.
"""

from contexts import Context, Queue, Store


class Stockroom:
    def __init__(self, bugs):
        self.bugs = bugs
        self.store = Store()
        self.main = Queue("main")
        self.writer = Context(Queue("writer"), self.store)
        self.editor = Context(Queue("editor"), self.store, parent=self.writer)
        self.tasks = []
        self.badge = 0
        self.views = 0

    def new_queue(self, name):
        queue = Queue(name)
        self.tasks.append(queue)
        return queue

    @property
    def queues(self):
        """The lasting queues, and those of tasks that have not ended."""
        self.tasks = [queue for queue in self.tasks if queue.blocks]
        return [self.main, self.writer.queue, self.editor.queue] + self.tasks

    def work(self, bug, block):
        if bug not in self.bugs:
            self.writer.queue.perform(block(self.writer))
            return
        context = Context(self.new_queue("task"), self.store, trump=True)
        context.queue.perform(block(context))

    def export(self):
        """Returns the pairs of names and counts that are in the store."""
        rows = Context(None, self.store).fetch().values()
        return sorted((row["name"], row["count"]) for row in rows)

    def receive(self, name, completion):
        def block(context):
            id = context.find(name)
            yield
            if id:
                context.set(id, count=context.fetch()[id]["count"] + 1)
            else:
                context.insert(name=name, count=1)
            yield
            context.save()
            completion()

        self.work("duplicate", block)

    def sell(self, name, completion):
        def block(context):
            id = context.find(name)
            yield
            context.set(id, count=context.fetch()[id]["count"] - 1)
            yield
            context.save()
            completion()

        self.work("lostUpdate", block)

    def rename(self, name, new_name, completion):
        is_early = "earlyCompletion" in self.bugs

        def edit():
            found = []

            def find():
                found.append(self.editor.find(name))
                yield

            yield from self.writer.queue.perform_and_wait(find())
            self.editor.set(found[0], name=new_name)
            yield

            def hand_over():
                self.editor.save()
                yield

            yield from self.writer.queue.perform_and_wait(hand_over())
            self.writer.queue.perform(save())
            if is_early:
                completion()

        def save():
            self.writer.save()
            yield
            if not is_early:
                completion()

        self.editor.queue.perform(edit())

    def fetch_news(self, name, completion):
        def download():
            self.writer.queue.perform(news())
            yield

        def news():
            self.writer.insert(name=name, count=0)
            yield
            self.writer.save()
            yield
            count = len(self.writer.fetch())

            def show():
                self.badge = count
                completion()
                yield

            if "deadlock" in self.bugs:
                yield from self.main.perform_and_wait(show())
            else:
                self.main.perform(show())

        self.new_queue("global").perform(download())

    def item_count(self):
        def block():
            self.writer.fetch()
            yield

        return self.writer.queue.perform_and_wait(block())

    def view(self, completion):
        def block():
            if "dataRace" in self.bugs:
                views = self.views
                yield
                self.views = views + 1
            else:
                self.views += 1
            completion()
            yield

        self.new_queue("task").perform(block())
