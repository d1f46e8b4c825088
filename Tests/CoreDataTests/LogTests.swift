import CoreData
import Foundation
import Testing

@Suite struct `A log` {
  @Test func `a log evaluates the values in its messages`() {
    live {
      let container = Notes.container()
      let context = container.viewContext
      Note(context: context).title = "a"
      try context.save()
      context.reset()
      let request = NSFetchRequest<Note>(entityName: "Note")
      let note = try #require(try context.fetch(request).first)
      #expect(note.isFault)
      let logger = SimulatedLogger(subsystem: "app", category: "notes")
      logger.debug("a note: \(note.title ?? "", privacy: .public), \(1, format: .hex)")
      #expect(!note.isFault)
      context.refresh(note, mergeChanges: false)
      simulatedOSLog("a note: %@", log: .default, type: .error, note.title)
      #expect(!note.isFault)
    }
  }
}

@Suite struct `A lock with a state` {
  @Test func `a lock with a state excludes other code`() {
    let lock = SimulatedUnfairLock(initialState: 0)
    for seed in UInt64(0)..<20 {
      live(seed: seed) {
        lock.withLock { $0 = 0 }
        let group = SimulatedDispatchGroup()
        for _ in 0..<2 {
          SimulatedDispatchQueue.global().async(group: group) {
            lock.withLock { count in
              let seen = count
              SimulatedThread.sleep(forTimeInterval: 0.01)
              count = seen + 1
            }
          }
        }
        group.wait()
        #expect(lock.withLock { $0 } == 2)
      }
    }
  }

  @Test func `lockIfAvailable does not acquire a held lock`() {
    live {
      let lock = SimulatedUnfairLock()
      lock.lock()
      #expect(!lock.lockIfAvailable())
      lock.unlock()
      #expect(lock.lockIfAvailable())
    }
  }
}
