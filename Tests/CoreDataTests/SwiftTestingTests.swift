import CodeReporting
import CoreData
import CoreDataTesting
import Foundation
import LiveCode
import Synchronization
import Testing

/// Tests of the trait that a prepared module's `@Test` functions get.
@Suite struct `A test of Swift Testing under the simulation` {
  private static let manyOrders = TestPlan(schedules: 60, allowed: ["wrong-queue access"])
  private static let once = TestPlan(schedules: 1, allowed: [])

  private final class Reports: Sendable {
    let issues = Mutex<[Issue]>([])
    var texts: [String] { issues.withLock { $0.map { "\($0)" } } }
  }

  /// Returns the issues of a test with this body.
  private static func reports(
    _ plan: TestPlan = once, _ body: @Sendable () async throws -> Void
  ) async throws -> Reports {
    let reports = Reports()
    let test = try #require(Test.current)
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      reports.issues.withLock { $0.append(issue) }
      return nil
    }
    try await trait.provideScope(for: test, testCase: nil) {
      try await SimulatedTest(plan, at: ("/app/Tests/AppTests.swift", 12)).provideScope(
        for: test, testCase: nil, performing: body)
    }
    return reports
  }

  /// Enqueues two blocks that may run in either order. In the order of the queue, the first one
  /// runs first.
  @Sendable private static func race() async {
    let container = Notes.container()
    let note = Handed(Note(context: container.viewContext))
    await withTaskGroup { group in
      for title in ["first", "second"] {
        group.addTask {
          await note.value.managedObjectContext?.perform { note.value.title = title }
        }
      }
    }
    await container.viewContext.perform { #expect(note.value.title == "second") }
  }

  private struct Lost: Error {}

  @Test(arguments: [1, 2]) func `an error of a test is reported at its place in the app's source`(
    schedules: Int
  ) async throws {
    let plan = TestPlan(schedules: schedules, allowed: [])
    let reports = try await Self.reports(plan) { throw Lost() }
    let place = reports.issues.withLock { $0.first?.sourceLocation }
    #expect(reports.texts.count == 1 && reports.texts[0].contains("Lost"))
    #expect(place?.filePath == "/app/Tests/AppTests.swift" && place?.line == 12)
    #expect(place?.fileID == "CoreDataTests/AppTests.swift")
  }

  @Test func `passes in order, and fails in another order with what happened`() async throws {
    #expect(try await Self.reports(Self.once, Self.race).texts == [])
    let reports = try await Self.reports(Self.manyOrders, Self.race).texts
    let report = try #require(reports.first { $0.contains("Expectation failed") })
    #expect(report.contains("of 60 schedules, shrunk to this one"))
    #expect(report.contains("set note1.title \"first\""))
    #expect(report.contains("\ncause: the order in which the queues run: "))
    let command = try #require(
      report.firstMatch(of: /\nagain: FAULTLINE_SCHEDULE=(\S+) swift test.* --filter 'passes in/))
    let schedule = try #require(ScheduleToken(String(command.1)))
    let again = TestPlan(
      schedules: 60, allowed: Self.manyOrders.allowed, schedule: schedule)
    let texts = try await Self.reports(again, Self.race).texts
    #expect(texts.count == 1 && texts[0].contains("in the schedule of FAULTLINE_SCHEDULE:"))
  }

  @Test func `a test with an invalid environment is not run`() async throws {
    let reports = try await Self.reports(TestPlan(schedules: 1, allowed: ["lost upate"])) {
      Issue.record("it is run")
    }
    #expect(reports.texts.count == 1 && reports.texts[0].contains("did you mean 'lost update'?"))
  }

  /// Runs two imports, each of which overwrites the other one's saved value.
  @Sendable private static func overwrite() async throws {
    let container = Notes.container()
    let note = Note(context: container.viewContext)
    try container.viewContext.save()
    let id = note.objectID
    await withTaskGroup { group in
      for title in ["first", "second"] {
        group.addTask {
          await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.overwrite
            (context.object(with: id) as? Note)?.title = title
            try? context.save()
          }
        }
      }
    }
  }

  @Test func `a report has the cause, the remedy and the scenario of a violation`() async throws {
    let plan = TestPlan(schedules: 100, allowed: [])
    let report = try #require(
      try await Self.reports(plan, Self.overwrite).texts.first { $0.contains("lost update") })
    #expect(report.contains("\ncause: merge policy overwrite of backgroundTask"), "\(report)")
    #expect(report.contains("\nremedy: "))
    #expect(report.contains("\nagain: FAULTLINE_SCHEDULE="))
    #expect(report.hasSuffix("and a page that shows it"), "\(report)")
    // The command after 'again' runs one schedule, and prints the scenario.
    let token = try #require(report.firstMatch(of: #/FAULTLINE_SCHEDULE=(\S+) /#)?.1)
    let again = TestPlan(schedules: 1, allowed: [], schedule: ScheduleToken(String(token)))
    let repeated = try #require(
      try await Self.reports(again, Self.overwrite).texts.first { $0.contains("lost update") })
    #expect(repeated.contains("\nwithout the code, "), "\(repeated)")
    #expect(repeated.contains("\nscenario  lost-update-in-the-store\n"))
  }

  @Test func `a failed expectation in a block is reported at its own place`() async throws {
    let line = #line + 4
    let reports = try await Self.reports {
      let context = Notes.container().newBackgroundContext()
      context.performAndWait {
        #expect(context.hasChanges)
      }
    }
    let issue = try #require(reports.issues.withLock { $0.first })
    #expect(reports.texts.count == 1 && issue.sourceLocation?.line == line, "\(reports.texts)")
  }

  @TaskLocal private static var unit = "none"

  @Test(SimulatedTest()) func `a block of a queue has no task-local values`() async {
    let queue = SimulatedDispatchQueue(label: "own")
    let units = await Self.$unit.withValue("import") {
      await withCheckedContinuation { continuation in
        queue.async { Task { continuation.resume(returning: Self.unit) } }
      }
    }
    #expect(units == "none")
  }

  @Test func `known issues and warnings are recorded once`() async throws {
    for plan in [Self.once, Self.manyOrders] {
      let reports = try await Self.reports(plan) {
        withKnownIssue("known") { Issue.record("not yet mended") }
        Issue.record("careful", severity: .warning)
      }
      #expect(reports.issues.withLock { $0.count } == 2, "\(reports.texts)")
      #expect(reports.issues.withLock { $0.allSatisfy { !$0.isFailure } })
    }
  }

  /// An error with the type name of the error that `Test.cancel` throws.
  private struct SkipInfo: Error {}

  @Test func `a cancellation cancels the test in any number of schedules`() async throws {
    for plan in [Self.once, Self.manyOrders] {
      await #expect(throws: SkipInfo.self) { try await Self.reports(plan) { throw SkipInfo() } }
    }
  }

  /// Swift Testing alone would report the error in the prepared copy of the source.
  @Test func `an error of the body is recorded at the place of the test`() async throws {
    struct Unexpected: Error {}
    let reports = try await Self.reports { throw Unexpected() }
    let issue = try #require(reports.issues.withLock { $0.first })
    #expect(issue.error is Unexpected && reports.texts.count == 1)
    #expect(issue.sourceLocation?.line == 12)
  }

  @Test func `code that cannot continue fails the test once`() async throws {
    for plan in [Self.once, Self.manyOrders] {
      let reports = try await Self.reports(plan) {
        let queue = SimulatedDispatchQueue(label: "own")
        queue.sync { queue.sync {} }
      }
      #expect(reports.texts.count == 1 && reports.texts[0].contains("deadlock"))
    }
  }

  @Test func `a task that nothing resumes fails the test`() async throws {
    let reports = try await Self.reports {
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    #expect(reports.texts.count == 1 && reports.texts[0].contains("no code can continue"))
  }

  @Test(SimulatedTest(), arguments: [1, 2]) @MainActor
  func `a test of the main actor runs on the main thread`(count: Int) async throws {
    let container = Notes.container()
    for _ in 0..<count { _ = Note(context: container.viewContext) }
    // The task's suspension ends the run loop's turn, which processes the insertions.
    await Task.yield()
    #expect(container.viewContext.insertedObjects.count == count)
    try container.viewContext.save()
  }
}
