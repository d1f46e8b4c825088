import CodeReporting
import CoreData
import Faultline
import Foundation
import Synchronization
import Testing

/// The store of an app with a bug. A background context edits an object in one block and saves it
/// in a later block.
private final class NoteStore {
  let container = Notes.container()
  let id: NSManagedObjectID

  init() throws {
    let note = Note(context: container.viewContext)
    note.title = "old"
    try container.viewContext.save()
    id = note.objectID
  }

  func rename(to title: String, _ policy: NSMergePolicy) {
    let context = container.newBackgroundContext()
    context.mergePolicy = policy
    context.perform { [id] in
      (context.object(with: id) as? Note)?.title = title
      context.perform { try? context.save() }
    }
  }

  func tag(_ label: String) {
    container.performBackgroundTask { [id] context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(label, forKey: "label")
      tag.setValue(context.object(with: id), forKey: "note")
      try? context.save()
    }
  }
}

@Suite struct `A campaign on code` {
  private static func report(runs: Int, _ policy: NSMergePolicy) -> CodeReport {
    CodeFuzzer(runs: runs).run { app in
      let store = try NoteStore()
      app.function("rename") { store.rename(to: "title \(app.number(below: 100))", policy) }
      app.function("tag") { store.tag("label \(app.number(below: 100))") }
    }
  }

  @Test func `a campaign finds a lost update and shrinks it to the calls that cause it`() throws {
    let report = Self.report(runs: 200, .overwrite)
    let failure = try #require(report.failures.first { $0.violation == .lostUpdateInTheStore })
    #expect(failure.count > 1)
    #expect(failure.trace.contains { $0.contains("  rename    ") && $0.hasSuffix("save") })
    #expect(failure.trace.contains { $0.contains("  rename 2  ") && $0.hasSuffix("save") })
    #expect(!failure.trace.contains { $0.contains("rename 3") || $0.contains("tag") })
    // The proof refers to steps by the numbers of the trace.
    let last = try #require(failure.trace.last?.split(separator: " ").first)
    #expect(failure.text.hasPrefix("after step \(last): "))
    #expect(failure.trace.contains { $0.contains("CampaignTests.swift") })
    #expect(failure.description.contains("title"))
    #expect(!report.failures.contains { $0.kind.contains("disagreement") })
    // Runs with the same seed are equal. No update is lost if the merge policy detects conflicts.
    #expect(Self.report(runs: 200, .overwrite).digest == report.digest)
    let careful = Self.report(runs: 200, .error)
    #expect(!careful.failures.contains { $0.violation == .lostUpdateInTheStore })
  }

  @Test func `a failure's report has its cause, and a command that repeats the run`() throws {
    func campaign(_ fuzzer: CodeFuzzer) -> CodeReport {
      fuzzer.run(test: "a name(of:)") { app in
        let store = try NoteStore()
        app.function("rename") { store.rename(to: "title \(app.number(below: 9))", .overwrite) }
      }
    }
    var fuzzer = CodeFuzzer(runs: 100)
    let failure = try #require(campaign(fuzzer).failures.first).withScenario()
    #expect(failure.cause?.hasPrefix("merge policy overwrite of context") == true)
    #expect(failure.remedy?.contains("error policy") == true)
    let command = try #require(
      failure.description.firstMatch(
        of: /\nagain: FAULTLINE_SCHEDULE=(\S+) swift test.* --filter 'a name'/))
    fuzzer.plan.schedule = ScheduleToken(String(command.1))
    let again = campaign(fuzzer)
    #expect(again.runs == 1 && again.failures.map(\.kind) == [failure.kind])
    #expect(again.failures.first?.trace == failure.trace)
    #expect(throws: UnexpectedCodeOutcome.self) {
      try fuzzer.check { app in throw CocoaError(.fileNoSuchFile) }
    }
  }

  /// Swift Testing uses a task-local value to determine the test of an issue.
  @Test func `code runs in the task of its test`() async throws {
    let test = try #require(Test.current)
    let names = Mutex<Set<String>>([])
    func note() { names.withLock { _ = $0.insert(Test.current?.name ?? "unknown") } }
    try CodeFuzzer(runs: 2).check { app in
      let container = Notes.container()
      note()
      app.function("block") { container.performBackgroundTask { _ in note() } }
    }
    try await CodeFuzzer(runs: 2).check { app in
      await Task.yield()
      note()
      app.function("task") { () async throws in note() }
    }
    #expect(names.withLock { $0 } == [test.name])
  }

  @Test func `a campaign saves the scenario and its page in the plan's folder`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-campaign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var fuzzer = CodeFuzzer(runs: 100)
    fuzzer.plan.folder = folder.path
    let error = #expect(throws: UnexpectedCodeOutcome.self) {
      try fuzzer.check { app in
        let store = try NoteStore()
        app.function("rename") { store.rename(to: "title \(app.number(below: 9))", .overwrite) }
      }
    }
    let text = try #require(error?.description)
    let saved = try #require(text.firstMatch(of: /\nsaved: (\S+), (\S+)/))
    let scenario = try String(contentsOfFile: String(saved.1), encoding: .utf8)
    #expect(scenario.contains("\n  shows  lost update in the store\n"))
    let page = try String(contentsOfFile: String(saved.2), encoding: .utf8)
    #expect(page.contains("faultline replay lost-update-in-the-store.scenario"))
    #expect(page.contains("Merge policy overwrite of context"))
    fuzzer.plan = TestPlan(["FAULTLINE_SCHEDULES": "many"])
    #expect(throws: InvalidInput.self) { try fuzzer.check { _ in } }
  }

  @Test func `a campaign keeps existing files and passes if the plan allows its failures`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-campaign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = folder.appendingPathComponent("lost-update-in-the-store.html")
    try Data("another's".utf8).write(to: page)
    var fuzzer = CodeFuzzer(runs: 100)
    fuzzer.plan.folder = folder.path
    func check() throws {
      try fuzzer.check { app in
        let store = try NoteStore()
        app.function("rename") { store.rename(to: "title \(app.number(below: 9))", .overwrite) }
      }
    }
    let error = #expect(throws: UnexpectedCodeOutcome.self) { try check() }
    #expect(try String(contentsOf: page, encoding: .utf8) == "another's")
    #expect(error?.description.contains("lost-update-in-the-store-2.html") == true)
    let kinds = try #require(error).failures.map(\.kind)
    fuzzer.plan = TestPlan(["FAULTLINE_ALLOW": kinds.joined(separator: ", ")])
    try check()
  }

  @Test func `a campaign throws for an unexpected error and for a missing failure`() throws {
    #expect(throws: UnexpectedCodeOutcome.self) {
      try CodeFuzzer(runs: 1, calls: 0).check { _ in throw CocoaError(.fileNoSuchFile) }
    }
    #expect(throws: UnexpectedCodeOutcome.self) {
      try CodeFuzzer(runs: 1, expected: [.lostUpdate]).check { _ in _ = try NoteStore() }
    }
    try CodeFuzzer(runs: 3).check { app in
      let store = try NoteStore()
      app.function("tag") { store.tag("red") }
    }
  }
}
