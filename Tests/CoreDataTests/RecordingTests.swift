import CoreData
import Execution
import Failures
import Faultline
import Foundation
import LiveCode
import Testing

/// An app with a list on the main queue, an editor in a child context, and imports in the
/// background.
private final class Library {
  let container = Notes.container()
  var list: NSManagedObjectContext { container.viewContext }
  let id: NSManagedObjectID

  init(merging isMerging: Bool) throws {
    container.viewContext.automaticallyMergesChangesFromParent = isMerging
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let note = Note(context: container.viewContext)
    note.title = "first"
    try container.viewContext.save()
    id = note.objectID
  }

  func importTitle(_ title: String) {
    container.performBackgroundTask { [id] context in
      context.mergePolicy = NSMergePolicy.overwrite
      (context.object(with: id) as? Note)?.title = title
      try? context.save()
    }
  }

  func edit(_ title: String) throws {
    let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    editor.parent = list
    (try editor.existingObject(with: id) as? Note)?.title = title
    try editor.save()
    try list.save()
  }

  func tag(_ label: String) throws {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: list)
    tag.setValue(label, forKey: "label")
    tag.setValue(list.object(with: id), forKey: "note")
    try list.save()
  }
}

@Suite struct `A recorded run of code` {
  private static func campaign(merging: Bool) -> LiveCampaign {
    LiveCampaign { (app: LiveApp) throws -> Void in
      let library = try Library(merging: merging)
      app.declare("import") { library.importTitle("imported \(app.number(below: 9))") }
      app.declare("edit") { try library.edit("edited \(app.number(below: 9))") }
      app.declare("tag") { try library.tag("tag \(app.number(below: 9))") }
      app.declare("count") {
        _ = try library.list.count(for: NSFetchRequest<Note>(entityName: "Note"))
      }
    }
  }

  @Test(arguments: [false, true])
  func `at least 95 of 100 recorded programs repeat their runs`(merging: Bool) throws {
    let campaign = Self.campaign(merging: merging)
    var count = 0
    for index in 0..<100 {
      let recorded = try #require(campaign.record(index))
      if recorded.isExact { count += 1 }
    }
    #expect(count >= 95)
  }

  /// Returns the failures of a program recorded from a run of `body` in order.
  private func failures(_ body: @escaping () throws -> Void) throws -> [String] {
    var campaign = LiveCampaign { (_: LiveApp) throws -> Void in try body() }
    campaign.isInOrder = true
    campaign.actionCount = 0
    let recorded = try #require(campaign.record(0))
    #expect(recorded.isExact)
    return recorded.failures.map(\.kind.name)
  }

  @Test func `a recorded program reports the deadlock of the code`() throws {
    let names = try failures {
      let container = Notes.container()
      let context = container.newBackgroundContext()
      context.perform {
        _ = context.hasChanges
        container.viewContext.performAndWait { _ = container.viewContext.hasChanges }
      }
      SimulatedMainLoop.run(milliseconds: 1)
      container.viewContext.performAndWait { context.performAndWait { _ = context.hasChanges } }
      let queues = [SimulatedDispatchQueue(label: "a"), SimulatedDispatchQueue(label: "b")]
      queues[0].async { queues[1].sync { context.performAndWait { _ = context.hasChanges } } }
      queues[0].sync { queues[0].sync { context.reset() } }
    }
    #expect(names == ["deadlock"])
  }

  @Test func `a recorded program reports a use of a context outside its queue`() throws {
    let names = try failures {
      let context = Notes.container().newBackgroundContext()
      _ = context.hasChanges
    }
    #expect(names == ["wrong-queue access"])
  }

  @Test func `a failure's scenario shows the failure without the code`() async throws {
    let report = CodeFuzzer(runs: 100).run { app in
      let library = try Library(merging: false)
      app.function("import") { library.importTitle("imported \(app.number(below: 9))") }
    }
    let failure = try #require(report.failures.first { $0.violation == .lostUpdateInTheStore })
    #expect(failure.scenario == nil)
    let found = failure.withScenario()
    #if DEBUG
      #expect(found.certificate?.hasPrefix("not certified") == true)
    #else
      #expect(found.certificate?.hasPrefix("certified minimal") == true)
    #endif
    let text = try #require(found.scenario)
    // Only the command after 'again' prints the scenario.
    #expect(!found.description.contains(text))
    #expect(text.contains("shows  lost update in the store"))
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-recording-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try found.saveScenario(in: folder.path)
    try found.saveScenario(in: folder.path)
    let file = folder.appendingPathComponent("lost-update-in-the-store.scenario")
    try "# Another.\n\n\(text)".write(to: file, atomically: true, encoding: .utf8)
    try found.saveScenario(in: folder.path)
    let scenarios = try ScenarioCase.all(in: folder.path)
    #expect(scenarios.count == 2)
    for scenario in scenarios { try await scenario.check() }
  }

  /// Returns whether recorded programs repeat the runs of `body` exactly, in twenty orders.
  private func isExact(_ body: @escaping () async throws -> Void) throws -> Bool {
    var campaign = LiveCampaign { (_: LiveApp) async throws -> Void in try await body() }
    campaign.actionCount = 0
    return try (0..<20).allSatisfy { try #require(campaign.record($0)).isExact }
  }

  @Test func `a recorded program repeats tasks, main-queue blocks, timers and gates`() throws {
    let isExact = try isExact {
      let container = Notes.container()
      let view = container.viewContext
      let id = try await view.perform {
        let note = Note(context: view)
        try view.save()
        return note.objectID
      }
      let done = SimulatedDispatchSemaphore(value: 0)
      let queue = SimulatedDispatchQueue(label: "work")
      queue.async {
        done.wait()
        view.performAndWait { (view.object(with: id) as? Note)?.views += 1 }
      }
      SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        view.refreshAllObjects()
        done.signal()
      }
      async let later: Void? = view.perform { (view.object(with: id) as? Note)?.title = "later" }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<3 {
          group.addTask {
            await container.performBackgroundTask { context in
              context.mergePolicy = NSMergePolicy.overwrite
              (context.object(with: id) as? Note)?.title = "\(number)"
              try? context.save()
            }
          }
        }
      }
      _ = await later
    }
    #expect(isExact)
  }

  @Test func `a recorded program finds an object again after a reset`() throws {
    let isExact = try isExact {
      let view = Notes.container().viewContext
      let id = try await view.perform {
        let note = Note(context: view)
        try view.save()
        return note.objectID
      }
      await view.perform { view.reset() }
      await view.perform { (view.object(with: id) as? Note)?.title = "found" }
    }
    #expect(isExact)
  }

  @Test func `the scenario of a lost count has two increments`() throws {
    let report = CodeFuzzer(runs: 100).run { app in
      let library = try Library(merging: false)
      let (container, id) = (library.container, library.id)
      app.function("count") {
        container.performBackgroundTask { context in
          context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
          guard let note = context.object(with: id) as? Note else { return }
          note.views += 1
          try? context.save()
        }
      }
    }
    let failure = try #require(report.failures.first { $0.violation == .lostUpdateInTheStore })
    let scenario = try #require(failure.withScenario().scenario)
    #expect(scenario.contains("  shows  lost update in the store\n"), "\(scenario)")
    #expect(scenario.split(separator: "\n").count { $0.contains("  increment ") } == 2)
  }
}
