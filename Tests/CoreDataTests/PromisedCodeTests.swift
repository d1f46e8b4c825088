import CodeReporting
import CoreData
import Faultline
import LiveCode
import Testing

/// The tags of an app, each to be stored once. If `isSerial`, one context looks for a tag and
/// inserts it. Otherwise two contexts may both find none.
private final class TagStore {
  private let container = Notes.container()
  private let context: NSManagedObjectContext?

  init(isSerial: Bool) { context = isSerial ? container.newBackgroundContext() : nil }

  func add(_ label: String) {
    let context = context ?? container.newBackgroundContext()
    context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.predicate = NSPredicate(format: "label == %@", label)
      guard (try? context.count(for: request)) == 0 else { return }
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(label, forKey: "label")
      try? context.save()
    }
  }
}

@Suite struct `Promises of code` {
  private static func report(
    isSerial: Bool, _ promises: [Promise], runs: Int = 150
  ) -> CodeReport {
    CodeFuzzer(runs: runs, calls: 6, promises: promises).run { app in
      let store = TagStore(isSerial: isSerial)
      app.function("add") { store.add("label \(app.number(below: 2))") }
    }
  }

  @Test func `a campaign on code finds a promise that two contexts break`() throws {
    let report = Self.report(isSerial: false, [.unique("Tag", "label")])
    let failure = try #require(report.failures.first { $0.violation == .brokenPromise })
    #expect(failure.text.contains("'unique Tag.label' is violated in the store"))
    #expect(report.promises.map(\.text) == ["unique Tag.label"])
    #expect(report.promises[0].testCount > 100)
    #expect(report.description.contains("promise 'unique Tag.label': tested in "))
    #expect(failure.withScenario().remedy?.contains("on one serial queue") == true)
  }

  @Test func `a campaign on code keeps a promise that one context keeps`() throws {
    let report = Self.report(isSerial: true, [.unique("Tag", "label")])
    #expect(!report.failures.contains { $0.violation == .brokenPromise })
    #expect(report.promises[0].testCount > 100)
  }

  /// No step of code is a user's, so nothing excuses it.
  @Test func `code breaks a promise knowingly, too`() throws {
    let report = Self.report(isSerial: true, ["count Tag <= 1"])
    #expect(report.failures.contains { $0.violation == .brokenPromise })
  }

  @Test func `a promise with 'eventually' is judged when the code has ended`() throws {
    let promise = Promise.eventually(.unique("Tag", "label"))
    let report = Self.report(isSerial: false, [promise])
    let failure = try #require(report.failures.first { $0.violation == .brokenPromise })
    #expect(failure.text.contains("'eventually unique Tag.label' is still violated at rest"))
  }

  @Test(arguments: [
    (
      "unique Tga.label" as Promise,
      "CodeFuzzer: promise 'unique Tga.label': promise names entity 'Tga'"
    ),
    (
      "clean view after add",
      "CodeFuzzer: promise 'clean view after add': code is not divided into parts of a stack"
    ),
    ("unique Tag.label soon", "CodeFuzzer: promise 'unique Tag.label soon': unexpected 'soon'"),
  ])
  func `a promise that no run can read is invalid input`(promise: Promise, message: String) {
    let error = #expect(throws: InvalidInput.self) {
      try CodeFuzzer(runs: 2, calls: 2, promises: [promise]).check { app in
        let store = TagStore(isSerial: true)
        app.function("add") { store.add("label") }
      }
    }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
  }

  @Test func `a promise about a context is none of code`() {
    let error = #expect(throws: InvalidInput.self) {
      try CodeFuzzer(
        runs: 1, calls: 1, promises: ["view shows the store at rest"]
      ).check { app in
        let container = Notes.container()
        container.viewContext.name = "view"
        app.function("read") { container.viewContext.refreshAllObjects() }
      }
    }
    #expect(error != nil)
  }

  @Test func `a test prints which promises its runs have tested`() {
    var campaign = LiveCampaign { _ in
      let store = TagStore(isSerial: true)
      store.add("label")
      store.add("label")
    }
    campaign.promises = [
      "unique Tag.label", "unique Tga.label", "unique Tag.label in view", "count Tag >= 0",
      "unique Invoice.number",
    ]
    let plan = TestPlan(schedules: 3, allowed: [])
    let lines = plan.run(campaign, 0..<3, CodeOrigin(.schedules, test: "t", filter: "t")).promises
      .lines
    #expect(
      lines.map { $0.prefix { $0 != ";" } } == [
        "promise 'unique Tag.label': tested in 3 runs",
        "promise 'unique Tga.label': never tested: promise names entity 'Tga'",
        "promise 'unique Tag.label in view': never tested: promise names context 'view'",
        "promise 'count Tag >= 0': tested in 3 runs",
      ])
    // Code without a model has no data to promise anything about.
    var other = LiveCampaign { _ in }
    other.promises = ["unique Tag.label"]
    #expect(
      plan.run(other, 0..<1, CodeOrigin(.schedules, test: "t", filter: "t")).promises.lines == [])
  }
}
