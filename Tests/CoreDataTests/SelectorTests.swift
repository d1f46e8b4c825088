import CoreData
import Foundation
import Testing

/// A class with methods that code calls by selectors.
private final class Worker: NSObject {
  let log: EventLog
  init(_ log: EventLog) { self.log = log }

  func load() { log.note("load") }
  func store(_ name: String) { log.note("store \(name)") }
  func check() throws {
    log.note("check")
    throw CocoaError(.fileNoSuchFile)
  }
}

@Suite struct `A method called by its selector` {
  @Test func `a method runs at once, after a delay or on the main thread`() {
    let log = EventLog()
    let outcome = live {
      let worker = Worker(log)
      unsafe worker.perform(SimulatedSelector(Worker.load))
      unsafe worker.perform(SimulatedSelector(Worker.store(_:)), with: "a")
      worker.perform(SimulatedSelector(Worker.load), with: nil, afterDelay: 0.2)
      worker.performSelector(
        onMainThread: SimulatedSelector(Worker.store(_:)), with: "b", waitUntilDone: false)
      worker.performSelector(
        onMainThread: SimulatedSelector(Worker.store(_:)), with: "c", waitUntilDone: true)
      log.note("later")
      SimulatedMainLoop.run(milliseconds: 1_000)
    }
    #expect(log.events == ["load", "store a", "store c", "later", "store b", "load"])
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `an error thrown by a performed method is dropped`() {
    let log = EventLog()
    live { unsafe Worker(log).perform(SimulatedSelector(Worker.check)) }
    #expect(log.events == ["check"])
  }
}

@Suite struct `An unfair lock` {
  @Test func `an unfair lock has one owner at a time`() {
    live {
      let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
      unsafe lock.initialize(to: os_unfair_lock())
      unsafe os_unfair_lock_lock(lock)
      #expect(unsafe !os_unfair_lock_trylock(lock))
      unsafe os_unfair_lock_unlock(lock)
      #expect(unsafe os_unfair_lock_trylock(lock))
      unsafe os_unfair_lock_unlock(lock)
      unsafe lock.deinitialize(count: 1)
      unsafe lock.deallocate()
    }
  }
}

@Suite struct `A file coordinator` {
  @Test func `a file coordinator calls its accessors at once`() {
    let coordinator = NSFileCoordinator(filePresenter: nil)
    let (from, to) = (URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b"))
    var paths: [String] = []
    unsafe coordinator.coordinate(readingItemAt: from, options: [], error: nil) {
      paths.append($0.path)
    }
    unsafe coordinator.coordinate(writingItemAt: to, options: .forMoving, error: nil) {
      paths.append($0.path)
    }
    #expect(paths == ["/a", "/b"])
  }
}
