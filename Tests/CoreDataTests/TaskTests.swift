import CoreData
import Failures
import Faultline
import Foundation
import Invariants
import Testing

/// An actor as `faultline prepare` generates it.
private actor Counter {
  nonisolated let executor = SimulatedActorExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
  private(set) var count = 0

  func set(_ count: Int) {
    executor.checkIsolated()
    self.count = count
  }
}

/// An actor that was not prepared.
private actor Log {
  private(set) var events: [String] = []

  func note(_ event: String) { events.append(event) }
}

private struct Refused: Error {}

@MainActor private func titleOfNew(in container: NSPersistentContainer) -> String? {
  let note = Note(context: container.viewContext)
  note.title = "new"
  return note.title
}

@Suite struct `A task in a run` {
  /// Runs a body that is a task.
  @discardableResult
  private func play(
    seed: UInt64? = nil, _ body: @escaping () async throws -> Void
  ) -> LiveOutcome {
    let outcome = live(seed: seed) { try SimulatedMainLoop.run(body) }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
    return outcome
  }

  /// Returns the different results of `body` in fifty orders.
  private func outcomes(_ body: @escaping () async throws -> String) -> Set<String> {
    var outcomes: Set<String> = []
    for seed in 0..<50 {
      let log = EventLog()
      play(seed: UInt64(seed)) { log.note(try await body()) }
      outcomes.formUnion(log.events)
    }
    return outcomes
  }

  @Test func `a task waits for a context's block and receives its value or error`() {
    let log = EventLog()
    let outcome = play {
      let container = Notes.container()
      let title = try await container.performBackgroundTask { context in
        let note = Note(context: context)
        note.title = "new"
        try context.save()
        return note.title
      }
      log.note(title ?? "none")
      let count = try await container.viewContext.perform {
        try container.viewContext.count(for: NSFetchRequest<Note>(entityName: "Note"))
      }
      log.note("\(count)")
      do {
        try await container.viewContext.perform { throw Refused() }
      } catch {
        log.note("\(error)")
      }
    }
    #expect(log.events == ["new", "1", "Refused()"])
    #expect(outcome.violations.isEmpty)
  }

  @Test func `a task can run between two blocks of another task`() {
    let counts = outcomes {
      let container = Notes.container()
      let context = container.newBackgroundContext()
      let id = await context.perform { Note(context: context).objectID }
      @Sendable func note() -> Note? { context.object(with: id) as? Note }
      @Sendable func countUp() async {
        let views = await context.perform { note()?.views ?? 0 }
        await context.perform { note()?.views = views + 1 }
      }
      async let first: Void = countUp()
      async let second: Void = countUp()
      _ = await (first, second)
      return await context.perform { "\(note()?.views ?? 0)" }
    }
    #expect(counts == ["1", "2"])
  }

  @Test func `a task can run between two calls of an actor, but not during a call`() {
    let counts = outcomes {
      let counter = Counter()
      @Sendable func countUp() async { await counter.set(await counter.count + 1) }
      async let first: Void = countUp()
      async let second: Void = countUp()
      _ = await (first, second)
      return "\(await counter.count)"
    }
    #expect(counts == ["1", "2"])
  }

  @Test func `tasks of a group run in any order`() {
    let orders = outcomes {
      let log = Log()
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b", "c"] { group.addTask { await log.note(name) } }
      }
      return await log.events.joined()
    }
    #expect(orders == ["abc", "acb", "bac", "bca", "cab", "cba"])
  }

  @Test func `a task of the main actor runs on the main thread`() {
    let log = EventLog()
    let outcome = play {
      let container = Notes.container()
      log.note("\(SimulatedThread.isMainThread)")
      let title = await titleOfNew(in: container)
      log.note(title ?? "none")
      await MainActor.run {
        MainActor.assumeIsolated { log.note("\(SimulatedThread.isMainThread)") }
      }
    }
    #expect(log.events == ["false", "new", "true"])
    #expect(outcome.violations.isEmpty)
    live { MainActor.assumeIsolated { log.note("body") } }
    #expect(log.events.last == "body")
  }

  @Test func `a task without an actor may not touch a main-queue context`() {
    let outcome = play {
      let container = Notes.container()
      _ = Note(context: container.viewContext)
    }
    #expect(outcome.violations.map(\.kind.name) == ["wrong-queue access"])
  }

  @Test func `a task sleeps in virtual time and can be cancelled`() {
    let log = EventLog()
    play {
      let begin = SimulatedDispatchTime.now().uptimeNanoseconds
      try await SimulatedTasks.sleep(for: .seconds(3_600))
      log.note("\((SimulatedDispatchTime.now().uptimeNanoseconds - begin) / 1_000_000_000)")
      try await Task.sleep(for: .seconds(7_200))
      log.note("\((SimulatedDispatchTime.now().uptimeNanoseconds - begin) / 1_000_000_000)")
      let sleeper = Task { try await SimulatedTasks.sleep(for: .seconds(86_400)) }
      await Task.yield()
      sleeper.cancel()
      if case .failure(let error) = await sleeper.result { log.note("\(type(of: error))") }
      let time = (SimulatedDispatchTime.now().uptimeNanoseconds - begin) / 1_000_000_000
      log.note("\(time)")
    }
    #expect(log.events == ["3600", "10800", "CancellationError", "10800"])
  }

  @Test func `a task can await notifications`() {
    let log = EventLog()
    play {
      let container = Notes.container()
      let saves = SimulatedNotificationCenter.default.notifications(
        named: .NSManagedObjectContextDidSave)
      for title in ["first", "second"] {
        try await container.performBackgroundTask { context in
          context.name = title
          Note(context: context).title = title
          try context.save()
        }
      }
      for await notification in saves.prefix(2) {
        log.note((notification.object as? NSManagedObjectContext)?.name ?? "none")
      }
    }
    #expect(log.events == ["first", "second"])
  }

  @Test func `runs with the same seed have the same digest`() {
    func digests() -> [UInt64] {
      (0..<20).map { seed in
        play(seed: seed) {
          let container = Notes.container()
          await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
              group.addTask {
                await container.performBackgroundTask { context in
                  Note(context: context).title = "\(number)"
                  try? context.save()
                }
                _ = await titleOfNew(in: container)
              }
            }
          }
        }.digest
      }
    }
    let first = digests()
    #expect(first == digests())
    #expect(Set(first).count > 10)
  }

  @Test func `a function that waits for ever is reported as a failure`() async {
    let report = CodeFuzzer(runs: 20, calls: 3).run { app in
      app.function("import") {
        await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(report.failures.map(\.kind) == ["code that waits for ever"])
    #expect(report.failures.first?.text == "no code can continue, and 'import' has not ended")
  }

  @Test func `the body and the functions of a campaign can be tasks`()
    async throws
  {
    let report = await CodeFuzzer(runs: 100).run { app in
      let container = Notes.container()
      let id = try await container.performBackgroundTask { context in
        let note = Note(context: context)
        try context.save()
        return note.objectID
      }
      app.function("count up") {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.overwrite
        let note = await context.perform { context.object(with: id) as? Note }
        let views = await context.perform { note?.views ?? 0 }
        try await context.perform {
          note?.views = views + 1
          try context.save()
        }
      }
    }
    let failure = try #require(report.failures.first { $0.violation == .lostUpdateInTheStore })
    #expect(failure.trace.contains { $0.contains("count up    ") })
    #expect(failure.trace.contains { $0.contains("count up 2  ") })
    #expect(failure.trace.contains { $0.contains("TaskTests.swift") })
  }

  @Test func `a task outside of a run runs normally`() async throws {
    live {}
    #expect(await titleOfNothing() == "main")
    let value = try await Task.detached {
      try await Task.sleep(for: .milliseconds(1))
      return 7
    }.value
    #expect(value == 7)
    let counter = Counter()
    await counter.set(3)
    #expect(await counter.count == 3)
  }
}

@MainActor private func titleOfNothing() -> String { "main" }
