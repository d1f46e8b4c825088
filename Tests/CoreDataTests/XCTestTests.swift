import CodeReporting
import CoreData
import CoreDataXCTest
import Foundation
import Synchronization
import Testing
import XCTest

/// A test case like that of an app, except that it records its failures.
private class Probe: SimulatedXCTestCase {
  private(set) var reports: [String] = []
  /// The number of probes that are running.
  private static let count = Mutex(0)

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard !isInRun else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    reports.append(description)
    place = "\(filePath):\(lineNumber)"
  }

  /// The place of the last report.
  private var place = ""
  /// The plan that replaces the plan of the environment.
  private var plan: TestPlan?

  override func invokeTest() {
    guard !isInRun, let plan else { return super.invokeTest() }
    play(by: plan)
  }

  /// Returns the reports of a test with this body.
  static func reports(_ body: @escaping (Probe) throws -> Void) -> [String] { run(body).reports }

  /// Runs a test with this body, and returns its reports, its XCTest run, and the place of the last
  /// report.
  static func run(
    by plan: TestPlan? = nil, _ body: @escaping (Probe) throws -> Void
  ) -> (reports: [String], run: XCTestRun?, place: String) {
    let others = Probe.count.withLock { count in
      defer { count += 1 }
      return count
    }
    defer { Probe.count.withLock { $0 -= 1 } }
    #expect(others == 0, "XCTest takes failures of one test case for another's")
    let probe = self.init(name: "probe") { test in
      guard let test = test as? Probe else { return XCTFail("another class plays") }
      try body(test)
    }
    probe.plan = plan
    probe.run()
    return (probe.reports, probe.testRun, probe.place)
  }
}

private final class Lenient: Probe {
  override class var schedules: Int { 60 }
  override class var allowed: [String] { ["wrong-queue access"] }
}

private final class ManyTimes: Probe {
  override class var schedules: Int { 60 }
}

/// XCTest has one current test at a time, and attributes failures of concurrent tests to it.
@Suite(.serialized) struct `A test of XCTest` {}

extension `A test of XCTest` {
  @Suite struct `An XCTest under the simulation` {
    /// Enqueues two blocks that may run in either order. In the order of the queue, the first one
    /// runs first.
    private static func race(_ test: Probe) {
      let container = Notes.container()
      let (note, done) = (
        Note(context: container.viewContext), test.expectation(description: "done")
      )
      done.expectedFulfillmentCount = 2
      for title in ["first", "second"] {
        SimulatedDispatchQueue.global().async {
          container.viewContext.performAndWait { note.title = title }
          done.fulfill()
        }
      }
      test.waitForExpectations(timeout: 60)
      container.viewContext.performAndWait { XCTAssertEqual(note.title, "second") }
    }

    @Test func `a test case has the name of its class`() {
      #expect(Probe.description().hasSuffix("Probe"))
      #expect(Probe(name: "probe") { _ in }.className == Probe.description())
    }

    @Test func `a test passes in order, and another order is reported with its steps`() throws {
      #expect(Probe.reports(Self.race).isEmpty)
      let report = try #require(
        ManyTimes.reports(Self.race).first { $0.contains("XCTAssertEqual") })
      #expect(report.contains("of 60 schedules, shrunk to this one"))
      #expect(report.contains("set note1.title \"first\""))
      #expect(report.contains("\ncause: the order in which the queues run: "))
      #expect(report.contains("\nremedy: wait for everything"))
    }

    @Test func `a report's command repeats the failure and nothing else`() throws {
      let report = try #require(
        ManyTimes.reports(Self.race).first { $0.contains("XCTAssertEqual") })
      let command = try #require(
        report.firstMatch(
          of: /\nagain: FAULTLINE_SCHEDULE=(\S+) swift test.* --filter 'ManyTimes\/probe\$'/))
      let schedule = try #require(ScheduleToken(String(command.1)))
      var count = 0
      let again = Probe.run(by: TestPlan(schedules: 60, allowed: [], schedule: schedule)) {
        count += 1
        Self.race($0)
      }
      // The test runs once to find the failure, and once to report it.
      #expect(count == 2 && again.reports.count == 1, "\(again.reports)")
      let lines = { (text: String) in text.split(separator: "\n").filter { $0.hasPrefix("  ") } }
      #expect(lines(again.reports[0]).contains { $0.hasSuffix("set note1.title \"first\"") })
      #expect(again.reports[0].contains("in the schedule of FAULTLINE_SCHEDULE:"))
      let inOrder = Probe.run(
        by: TestPlan(schedules: 1, allowed: [], schedule: ScheduleToken("0")), Self.race)
      #expect(inOrder.reports.isEmpty)
    }

    @Test func `a test with an invalid environment is not run`() {
      var count = 0
      let run = Probe.run(by: TestPlan(["FAULTLINE_SCHEDULES": "many"])) { _ in count += 1 }
      #expect(count == 0 && run.reports.count == 1)
      #expect(run.reports[0].contains("FAULTLINE_SCHEDULES is 'many'"), "\(run.reports)")
    }

    @Test func `an expectation without fulfillment fails after virtual time`() {
      var waited: UInt64 = 0
      let reports = Probe.reports { test in
        _ = test.expectation(description: "a reply")
        let start = SimulatedDispatchTime.now().uptimeNanoseconds
        test.waitForExpectations(timeout: 3_600) { #expect($0 != nil) }
        waited = SimulatedDispatchTime.now().uptimeNanoseconds - start
      }
      #expect(reports.count == 1 && reports.first?.contains("a reply") == true, "\(reports)")
      // The run waits for an hour of virtual time.
      #expect(waited == 3_600 * 1_000_000_000)
    }

    @Test func `code that cannot continue fails the test`() {
      let reports = Probe.reports { _ in SimulatedDispatchQueue.main.sync {} }
      #expect(reports.count == 1 && reports.first?.contains("deadlock") == true, "\(reports)")
      #expect(reports.first?.contains("  main thread  waits for the main queue\n") == true)
      #expect(reports.first?.contains("\nremedy: replace performAndWait or sync with") == true)
      #expect(reports.first?.contains("\nagain: swift test") == true)
    }

    @Test func `invariants are checked only in several schedules`() throws {
      func useElsewhere(_ test: Probe) {
        let view = Notes.container().viewContext
        let done = test.expectation(description: "done")
        SimulatedDispatchQueue.global().async {
          _ = view.hasChanges
          done.fulfill()
        }
        test.waitForExpectations(timeout: 1)
      }
      #expect(Probe.reports(useElsewhere).isEmpty)
      let report = try #require(
        ManyTimes.reports(useElsewhere).first { $0.contains("wrong-queue access") })
      #expect(
        report.contains(
          /viewContext was used by a block from\s+\S+XCTestTests\.swift:\d+; its queue/))
      #expect(Lenient.reports(useElsewhere).isEmpty)
    }

    @Test func `a test runs on the main thread in each schedule`() {
      var instances: Set<ObjectIdentifier> = []
      let reports = ManyTimes.reports { test in
        instances.insert(ObjectIdentifier(test))
        XCTAssertTrue(SimulatedThread.isMainThread)
      }
      #expect(reports.isEmpty && !instances.isEmpty)
    }

    @Test func `lazy properties are created in the run before setUp`() {
      final class Prepared: Probe {
        lazy var container = Notes.container()
        var count = 0
        override func __makeProperties() {
          super.__makeProperties()
          _ = container
          count = container.persistentStoreCoordinator.persistentStores.count
        }
        override func setUp() { XCTAssertEqual(count, 1) }
      }
      let reports = Prepared.reports { test in
        XCTAssertEqual((test as? Prepared)?.count, 1)
      }
      #expect(reports.isEmpty)
    }

    @Test func `a test, its setUp and its tearDown can be asynchronous`() {
      final class Asynchronous: Probe {
        var container: NSPersistentContainer?
        override func setUp() async throws {
          container = await Task.detached { Notes.container() }.value
        }
        override func tearDown() async throws { await Task.yield() }
      }
      let reports = Asynchronous.reports { test in
        let body = asyncTest { (test: Asynchronous) in
          {
            let container = try XCTUnwrap(test.container)
            let title = await container.performBackgroundTask { context in
              Note(context: context).objectID.isTemporaryID
            }
            XCTAssertTrue(title)
            XCTAssertEqual(1, 2, "found in the task")
          }
        }
        try body(test as! Asynchronous)()
      }
      #expect(reports.count == 1 && reports.first?.contains("found in the task") == true)
    }

    @Test func `an asynchronous test can await expectations`() {
      let reports = Probe.reports { test in
        let body = asyncTest { (test: Probe) in
          {
            let (reply, silence) = (
              test.expectation(description: "a"), test.expectation(description: "b")
            )
            SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + 5) { reply.fulfill() }
            await test.fulfillment(of: [reply], timeout: 10)
            await test.fulfillment(of: [silence], timeout: 10)
          }
        }
        try body(test)()
      }
      #expect(
        reports.count == 1 && reports.first?.contains("of virtual time: b") == true, "\(reports)")
    }

    @Test func `an asynchronous test that waits for ever fails`() {
      let reports = Probe.reports { test in
        let body = asyncTest { (test: Probe) in
          { await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        }
        try body(test)()
      }
      #expect(reports.count == 1, "\(reports)")
    }
  }

}

/// Expectations that the simulation fulfills.
extension `A test of XCTest` {
  @Suite struct `An expectation under the simulation` {
    @Test func `a notification, a predicate or a property fulfills an expectation`() {
      let reports = Probe.reports { test in
        let container = Notes.container()
        let view = container.viewContext
        let note = Note(context: view)
        let saved = SimulatedXCTNSNotificationExpectation(
          name: .NSManagedObjectContextDidSave, object: view)
        let titled = SimulatedXCTNSPredicateExpectation(
          predicate: NSPredicate(format: "title == %@", "a"), object: note)
        let viewed = SimulatedXCTKVOExpectation(keyPath: "views", object: note, expectedValue: 2)
        let clean = test.keyValueObservingExpectation(
          for: view, keyPath: "hasChanges", expectedValue: false)
        SimulatedDispatchQueue.global().async {
          view.performAndWait {
            (note.views, note.title) = (1, "a")
            note.views = 2
            try? view.save()
          }
        }
        XCTAssertEqual(SimulatedXCTWaiter.wait(for: [saved], timeout: 5), .completed)
        test.wait(for: [titled, viewed, clean], timeout: 5)
        let other = SimulatedXCTNSPredicateExpectation(
          predicate: NSPredicate(format: "title == %@", "b"), object: note)
        XCTAssertEqual(SimulatedXCTWaiter().wait(for: [other], timeout: 5), .timedOut)
      }
      #expect(reports.isEmpty, "\(reports)")
    }

    /// Apple's waits return at the fulfillment, so the rest of a test can overlap other queues.
    @Test(arguments: [1, 60])
    func `a wait can end before other queues have run`(schedules: Int) {
      var seen: Set<Bool> = []
      let run = Probe.run(by: TestPlan(schedules: schedules, allowed: [], schedule: nil)) { test in
        let reply = test.expectation(description: "a")
        var hasRun = false
        let deadline = SimulatedDispatchTime.now() + .milliseconds(5)
        SimulatedDispatchQueue(label: "a").asyncAfter(deadline: deadline) { reply.fulfill() }
        SimulatedDispatchQueue(label: "b").asyncAfter(deadline: deadline) { hasRun = true }
        test.wait(for: [reply], timeout: 5)
        seen.insert(hasRun)
      }
      #expect(run.reports.isEmpty, "\(run.reports)")
      #expect(seen == (schedules == 1 ? [true] : [true, false]))
    }

    @Test(arguments: [1, 60])
    func `an asynchronous wait can end before other queues have run`(schedules: Int) {
      var seen: Set<Bool> = []
      let run = Probe.run(by: TestPlan(schedules: schedules, allowed: [], schedule: nil)) { test in
        let body = asyncTest { (test: Probe) in
          {
            let reply = test.expectation(description: "a")
            var hasRun = false
            SimulatedDispatchQueue(label: "a").async { reply.fulfill() }
            SimulatedDispatchQueue(label: "b").async { hasRun = true }
            await test.fulfillment(of: [reply], timeout: 5)
            seen.insert(hasRun)
          }
        }
        try body(test)()
      }
      #expect(run.reports.isEmpty, "\(run.reports)")
      #expect(seen == (schedules == 1 ? [true] : [true, false]))
    }

    @Test func `a wait ends at the time of the fulfillment`() {
      var times: [UInt64] = []
      let run = Probe.run(by: TestPlan(schedules: 2, allowed: [], schedule: nil)) { test in
        times = []
        for delay in [5, 7] {
          let (start, reply) = (
            SimulatedDispatchTime.now().uptimeNanoseconds, test.expectation(description: "a")
          )
          SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(delay)) {
            reply.fulfill()
          }
          test.wait(for: [reply], timeout: 1)
          times.append((SimulatedDispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
        }
      }
      #expect(run.reports.isEmpty && times == [5, 7], "\(run.reports) \(times)")
    }

    @Test func `expectations can require an order of fulfillment`() {
      let reports = Probe.reports { test in
        let (first, second) = (
          test.expectation(description: "a"), test.expectation(description: "b")
        )
        second.fulfill()
        first.fulfill()
        test.wait(for: [second, first], timeout: 1, enforceOrder: true)
        XCTAssertEqual(
          SimulatedXCTWaiter.wait(for: [first, second], timeout: 1, enforceOrder: true),
          .incorrectOrder)
        let never = test.expectation(description: "c")
        never.isInverted = true
        SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + 1) { never.fulfill() }
        test.wait(for: [never], timeout: 5)
      }
      #expect(reports.count == 1 && reports[0].contains("were fulfilled: c"), "\(reports)")
    }
  }

}

extension `A test of XCTest` {
  @Suite struct `A test case that ends early` {
    private final class Skipping: Probe {
      override func setUpWithError() throws { throw XCTSkip("not here") }
    }

    @Test func `a skipped test is skipped once in any number of schedules`() {
      for type in [Probe.self, ManyTimes.self] {
        let (reports, run, _) = type.run { _ in try XCTSkipIf(true, "not now") }
        #expect(reports.isEmpty && run?.skipCount == 1 && run?.hasSucceeded == true)
      }
      let (reports, run, _) = Skipping.run { _ in XCTFail("is played") }
      #expect(reports.isEmpty && run?.hasBeenSkipped == true)
      #expect(Probe.run { _ in }.run?.hasBeenSkipped == false)
    }

    @Test func `a thrown error is reported at the place of the test`() {
      final class Placed: Probe {
        override class var testPlaces: [String: (file: String, line: Int)] {
          ["probe": ("App/Tests.swift", 12)]
        }
      }
      struct Unexpected: Error {}
      let (reports, _, place) = Placed.run { _ in throw Unexpected() }
      #expect(reports.count == 1 && reports[0].contains("Unexpected"), "\(reports)")
      #expect(place == "App/Tests.swift:12")
      #expect(Placed.run { _ in SimulatedDispatchQueue.main.sync {} }.place == place)
    }
  }
}
