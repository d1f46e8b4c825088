import CodeReporting
import CoreData
import Foundation
import LiveCode
import Testing

/// A class that traps when an object is inserted.
final class Fragile: NSManagedObject {
  override func awakeFromInsert() { fatalError("no default") }
}

/// A protocol of an app, for types that run blocks.
private protocol Storage {
  func perform(_ block: @escaping () -> Void)
}

extension NSManagedObjectContext: Storage {}

/// A trap in a run's code ends the run, and the process and other runs continue. The tests run one
/// after the other, because a process has one standard error.
@Suite(.serialized) struct `A trap` {
  private func failures(
    schedules: Int = 1, _ body: @escaping () throws -> Void
  ) -> [CodeFailureReport] {
    TestPlan(schedules: schedules, allowed: []).failures(
      of: LiveCampaign { _ in try body() }, test: "probe", filter: "probe")
  }

  private func text(_ body: @escaping () throws -> Void) -> String {
    failures(body).map(\.description).joined(separator: "\n")
  }

  @Test func `a fatal error is reported with its message and line`() {
    let line = #line + 1
    let text = text { fatalError("no store") }
    #expect(
      text.hasPrefix(
        """
        the code traps: CoreDataTests/TrapTests.swift:\(line): Fatal error: no store
          on the main thread
        """), "\(text)")
  }

  @Test func `an unwrapped nil is reported with the message of Swift's runtime`() {
    let text = text { _ = Int("x")! }
    #expect(text.contains("Unexpectedly found nil while"), "\(text)")
    #expect(text.contains("TrapTests.swift:"), "\(text)")
  }

  @Test func `an index out of range is reported with the queue and place of its block`() {
    let line = #line + 3
    let text = text {
      let context = Notes.container().newBackgroundContext()
      context.perform {
        _ = [1, 2][context.registeredObjects.count + 2]
      }
    }
    #expect(text.contains("Index out of range"), "\(text)")
    #expect(text.contains("CoreDataTests/TrapTests.swift:\(line)"), "\(text)")
    #expect(text.contains("on a block of"), "\(text)")
  }

  @Test func `a trap in a protocol's block is reported with the place of the caller`() {
    let line = #line + 3
    let text = text {
      let storage: any Storage = Notes.container().newBackgroundContext()
      simulatedPlace()
      storage.perform { fatalError("refused") }
    }
    #expect(text.contains("from CoreDataTests/TrapTests.swift:\(line)"), "\(text)")
  }

  @Test func `an endless recursion is reported`() {
    func depth(_ number: Int) -> Int { number < 0 ? 0 : 1 + depth(number + 1) }
    #expect(text { _ = depth(1) }.contains("an invalid memory access"))
  }

  @Test func `a call of abort is reported`() {
    #expect(text { abort() }.contains("the code called abort"))
  }

  @Test func `a trap in a hook is reported`() {
    let text = text {
      let model = Notes.model()
      model.entities[0].managedObjectClassName = "CoreDataTests.Fragile"
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, _ in }
      _ = Fragile(context: container.viewContext)
    }
    #expect(text.contains("Fatal error: no default"), "\(text)")
  }

  @Test func `a trap of Core Data itself is reported with its reason`() {
    #expect(
      text { _ = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType) }
        .contains("the code traps: Core Data: a context without a queue"))
  }

  @Test func `a trap in some schedules does not stop the others`() {
    let found = failures(schedules: 60) {
      let container = Notes.container()
      let log = EventLog()
      for number in 1...2 {
        container.newBackgroundContext().perform {
          log.note("\(number)")
          precondition(log.events != ["2"], "the second comes first")
        }
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.kind == "trap")
    #expect((1..<60).contains(found.first?.count ?? 0))
    #expect(
      found.first?.description.contains("Precondition failed: the second comes first") == true)
    #expect(found.first?.description.contains("again: FAULTLINE_SCHEDULE=") == true)
  }

  @Test func `a hundred runs with traps leave the process running`() {
    for _ in 0..<100 { #expect(failures { _ = Int("x")! }.count == 1) }
  }

  @Test func `three failing tests leave 197 of 200 tests passing`() {
    struct Refused: Error {}
    let counts = (1...200).map { number in
      failures {
        let context = Notes.container().viewContext
        switch number {
        case 50: fatalError("test 50")
        case 100: SimulatedDispatchQueue.main.sync {}
        case 150: throw Refused()
        default: _ = Note(context: context)
        }
        try context.save()
      }.count
    }
    #expect(counts.count { $0 == 0 } == 197)
    #expect([50, 100, 150].allSatisfy { counts[$0 - 1] == 1 })
  }
}

/// Code that makes no simulated call for some time of the host ends its run.
@Suite struct `Code that does not return` {
  /// The check has a separate process, because its thread keeps a core busy until the process ends.
  @Test func `code that does not return fails its run, and later runs continue`() async {
    await #expect(processExitsWith: .success) {
      var campaign = LiveCampaign { _ in
        var number = 1
        while number != 0 { number = max(1, number &* 7) }
      }
      campaign.patience = 1
      let report = campaign.run(0..<3)
      Swift.precondition(report.found.map(\.runs) == [[0]])
      let text = report.found[0].failure.text
      Swift.precondition(text.contains("no simulated call for 1 second"))
      live { _ = Notes.container() }
    }
  }

  /// Each check has a separate process, because the variables become unusable.
  @Test func `a wait for a variable whose initializer has trapped is reported`() async {
    await #expect(processExitsWith: .success) {
      enum Shared {
        static let number: Int = { Int(String(describing: Notes.model()))! }()
      }
      TrapTests.checkInitializer { _ = Shared.number }
    }
    await #expect(processExitsWith: .success) {
      enum Shared {
        static let number: Int = { fatalError("no number in \(Notes.model())") }()
      }
      TrapTests.checkInitializer { _ = Shared.number }
    }
  }
}

private enum TrapTests {
  /// Checks that no run follows the run that traps, and no run follows the run that waits.
  static func checkInitializer(_ use: @escaping () -> Void) {
    let campaign = LiveCampaign { _ in use() }
    let (first, second) = (campaign.run(0..<500), campaign.run(0..<500))
    Swift.precondition(first.found.map(\.runs) == [[0]] && second.found.map(\.runs) == [[0]])
    Swift.precondition(first.found[0].failure.text.contains("initializer of a static"))
    Swift.precondition(second.found[0].failure.text.contains("no simulated call for 2 seconds"))
  }
}

@Suite struct `The end of the process while code runs` {
  @Test func `the end of the process keeps the text written to standard error`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var campaign = LiveCampaign { _ in throw CocoaError(.fileNoSuchFile) }
      // The closure is called between runs, on a thread that belongs to no run.
      campaign.isOfInterest = { _ in Swift.fatalError("the host stops") }
      _ = campaign.run(0..<2)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("the host stops"), "\(text)")
  }
}

/// Code that uses Core Data outside of a run.
@Suite struct `Code outside of a run` {
  @Test func `code outside of a run has its own notifications, queues and stores`() throws {
    let log = EventLog()
    let container = Notes.container()
    let token = SimulatedNotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { _ in log.note("saved") }
    let note = Note(context: container.viewContext)
    note.title = "draft"
    try container.viewContext.save()
    container.performBackgroundTask { context in
      log.note("\((try? context.count(for: NSFetchRequest<Note>(entityName: "Note"))) ?? -1)")
    }
    container.viewContext.performAndWait {}
    SimulatedNotificationCenter.default.removeObserver(token)
    #expect(log.events == ["saved", "1"])
  }

  @Test func `a deinitializer can use Core Data after the run of its campaign`() {
    final class Stack {
      let container = Notes.container()
      let log: EventLog

      init(_ log: EventLog) {
        self.log = log
      }

      deinit {
        SimulatedNotificationCenter.default.removeObserver(self)
        try? container.viewContext.save()
        container.viewContext.performAndWait { log.note("gone") }
      }
    }
    let log = EventLog()
    let report = LiveCampaign { app in
      let stack = Stack(log)
      app.declare("insert") { _ = Note(context: stack.container.viewContext) }
    }.run(0..<20)
    #expect(report.found.isEmpty)
    #expect(log.events.count == 20)
  }

  @Test func `a trap in a deinitializer is a failure of the run`() {
    final class Fragile {
      deinit { fatalError("not closed") }
    }
    let report = LiveCampaign { app in
      let object = Fragile()
      app.declare("use") { withExtendedLifetime(object) {} }
    }.run(0..<3)
    #expect(report.found.map(\.failure.name) == ["trap"])
    #expect(report.found.first?.failure.text.contains("not closed") == true)
  }
}
