import CoreData
import Execution
import Failures
import Foundation
import Invariants
import LiveCode
import Testing

@Suite struct `Code under schedules` {
  /// Two background contexts rename the same note, and save in separate blocks.
  private func renameFromTwoContexts() throws {
    let container = Notes.container()
    let view = container.viewContext
    let note = Note(context: view)
    note.title = "old"
    try view.save()
    let id = note.objectID
    for title in ["one", "other"] {
      let context = container.newBackgroundContext()
      context.mergePolicy = NSMergePolicy.overwrite
      context.perform {
        (context.object(with: id) as? Note)?.title = title
        context.perform { try? context.save() }
      }
    }
  }

  @Test func `some schedules lose an update`() {
    let inOrder = live { try self.renameFromTwoContexts() }
    let threads = ThreadPool()
    var losing = 0
    for seed in 1...100 as ClosedRange<UInt64> {
      let outcome = live(seed: seed, threads: threads) { try self.renameFromTwoContexts() }
      #expect(outcome.disagreement == nil, "seed \(seed)")
      #expect(outcome.stop == nil, "seed \(seed)")
      if outcome.violations.contains(where: { $0.invariant == .SavedUpdatesAreNotLost }) {
        losing += 1
      }
    }
    threads.drain()
    #expect(inOrder.stop == nil)
    #expect(5...95 ~= losing, "\(losing) of 100")
  }

  /// Two contexts increment the same number. Both save 1, and the store does not show that an
  /// increment is lost.
  private func countFromTwoContexts(_ policy: NSMergePolicy, merges: Bool = false) throws {
    let container = Notes.container()
    let note = Note(context: container.viewContext)
    try container.viewContext.save()
    let id = note.objectID
    for _ in 0..<2 {
      let context = container.newBackgroundContext()
      context.mergePolicy = policy
      context.automaticallyMergesChangesFromParent = merges
      context.perform {
        (context.object(with: id) as? Note)?.views += 1
        context.perform { try? context.save() }
      }
    }
  }

  @Test(arguments: [false, true]) func `some schedules lose an increment`(merges: Bool) {
    let threads = ThreadPool()
    defer { threads.drain() }
    func losing(_ policy: NSMergePolicy, _ invariant: Invariant) -> Int {
      (1...60 as ClosedRange<UInt64>).count { seed in
        let outcome = live(seed: seed, threads: threads) {
          try self.countFromTwoContexts(policy, merges: merges)
        }
        #expect(outcome.disagreement == nil && outcome.stop == nil, "seed \(seed)")
        return outcome.violations.contains { $0.invariant == invariant }
      }
    }
    #expect(
      3...57
        ~= losing(
          .mergeByPropertyObjectTrump,
          merges ? .MergedUpdatesAreNotLost : .SavedUpdatesAreNotLost))
    // Without a merge, the conflict makes the save fail, so the code knows about it.
    if !merges { #expect(losing(.error, .SavedUpdatesAreNotLost) == 0) }
  }

  @Test func `runs with the same seed are equal`() {
    let threads = ThreadPool()
    var digests: Set<UInt64> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let first = live(seed: seed, threads: threads) { try self.renameFromTwoContexts() }
      let second = live(seed: seed) { try self.renameFromTwoContexts() }
      #expect(first.digest == second.digest, "seed \(seed)")
      digests.insert(first.digest)
    }
    threads.drain()
    #expect(digests.count > 2)
  }

  @Test func `a run ends if queues wait for each other`() {
    func waitForEachOther() {
      let container = Notes.container()
      let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
      one.perform { other.performAndWait {} }
      other.perform { one.performAndWait {} }
    }
    let threads = ThreadPool()
    let outcomes = (1...40).map { seed in
      live(seed: UInt64(seed), threads: threads) { waitForEachOther() }
    }
    threads.drain()
    let deadlocks = outcomes.filter { $0.stop == .deadlock }
    #expect(!deadlocks.isEmpty && deadlocks.count < outcomes.count)
    for outcome in deadlocks {
      #expect(outcome.violations.map(\.invariant) == [.WaitForGraphIsAcyclic])
    }
    // The main queue waits for itself.
    let outcome = live {
      let view = Notes.container().viewContext
      let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      background.parent = view
      background.perform { view.performAndWait {} }
      background.performAndWait {}
    }
    #expect(outcome.stop == .deadlock)
  }

  @Test func `a context that is used outside its queue is reported`() {
    let outcome = live {
      let container = Notes.container()
      let background = container.newBackgroundContext()
      let note = Note(context: background)
      note.title = "from the main thread"
    }
    #expect(outcome.stop == nil)
    let violation = outcome.violations.first
    #expect(violation?.invariant == .ContextsKeepToTheirQueues)
    #expect(violation?.detail?.contains("context") == true)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a context merges the saves of another context`() {
    let threads = ThreadPool()
    for seed in 1...20 as ClosedRange<UInt64> {
      let outcome = live(seed: seed, threads: threads) {
        let container = Notes.container()
        let view = container.viewContext
        view.automaticallyMergesChangesFromParent = true
        let note = Note(context: view)
        note.title = "old"
        try view.save()
        let id = note.objectID
        container.performBackgroundTask { context in
          (context.object(with: id) as? Note)?.title = "new"
          try? context.save()
        }
        var changes = 0
        SimulatedNotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
        ) { notification in
          let refreshed = notification.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>
          if refreshed?.contains(note) == true {
            changes += 1
            #expect(note.title == "new")
          }
        }
        SimulatedMainLoop.run(milliseconds: 10)
        #expect(changes == 1)
        #expect(note.title == "new")
      }
      #expect(outcome.stop == nil, "seed \(seed)")
      #expect(outcome.disagreement == nil, "seed \(seed)")
    }
    threads.drain()
  }
}
