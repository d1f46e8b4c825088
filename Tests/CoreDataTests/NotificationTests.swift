import CoreData
import Foundation
import LiveCode
import Testing

extension Notification.Name {
  fileprivate static let saved = Notification.Name("saved")
  fileprivate static let failed = Notification.Name("failed")
}

/// An observer whose methods record the notifications.
private final class Listener: NSObject {
  private let log: EventLog
  init(_ log: EventLog) { self.log = log }

  func hear(_ notification: Notification) { log.note(notification.name.rawValue) }
  func hearAll() { log.note("something") }
  func hearObject(_ notification: NSNotification) {
    log.note("\(notification.name.rawValue) \(notification.userInfo?["count"] ?? "-")")
  }

  func observe(_ name: Notification.Name?, from object: Any? = nil) {
    SimulatedNotificationCenter.default.addObserver(
      self, selector: SimulatedSelector(Listener.hear(_:)), name: name, object: object)
  }

  func stop() { SimulatedNotificationCenter.default.removeObserver(self) }
}

/// An observer that removes itself in its deinitializer, as apps did on old systems.
private final class Departing: NSObject {
  private let log: EventLog
  init(_ log: EventLog) {
    self.log = log
    super.init()
    SimulatedNotificationCenter.default.addObserver(
      self, selector: SimulatedSelector(Departing.hear), name: .saved, object: nil)
  }
  func hear() { log.note("departing") }
  deinit { SimulatedNotificationCenter.default.removeObserver(self) }
}

@Suite struct `A notification center` {
  private func post(_ names: Notification.Name..., from object: Any? = nil) {
    for name in names { SimulatedNotificationCenter.default.post(name: name, object: object) }
  }

  @Test func `a center calls methods with or without the notification`() {
    let log = EventLog()
    let outcome = live {
      let (listener, center) = (Listener(log), SimulatedNotificationCenter.default)
      center.addObserver(
        listener, selector: SimulatedSelector(Listener.hearAll), name: .saved, object: nil)
      center.addObserver(
        listener, selector: SimulatedSelector(Listener.hearObject(_:)), name: nil, object: nil)
      listener.observe(.saved)
      center.post(name: .saved, object: nil, userInfo: ["count": 3])
      self.post(.failed)
    }
    #expect(log.events == ["something", "saved 3", "saved", "failed -"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center calls a method only for the named sender`() {
    let log = EventLog()
    let outcome = live {
      let (listener, sender, other) = (Listener(log), NSObject(), NSObject())
      listener.observe(.saved, from: sender)
      self.post(.saved, from: other)
      self.post(.saved)
      #expect(log.events.isEmpty)
      self.post(.saved, .failed, from: sender)
      withExtendedLifetime(listener) {}
    }
    #expect(log.events == ["saved"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center does not retain the observer of a method`() {
    let log = EventLog()
    let outcome = live {
      weak var gone: Listener?
      func observe() {
        let listener = Listener(log)
        listener.observe(.saved)
        self.post(.saved)
        gone = listener
      }
      observe()
      #expect(gone == nil)
      self.post(.saved)
      func depart() { withExtendedLifetime(Departing(log)) { self.post(.saved) } }
      depart()
      self.post(.saved)
    }
    #expect(log.events == ["saved", "departing"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center drops an observer that removes itself`() {
    let log = EventLog()
    let outcome = live {
      let (listener, other) = (Listener(log), Listener(log))
      listener.observe(.saved)
      listener.observe(.failed)
      other.observe(.failed)
      self.post(.saved, .failed)
      #expect(log.events == ["saved", "failed", "failed"])
      listener.stop()
      self.post(.saved, .failed)
      withExtendedLifetime((listener, other)) {}
    }
    #expect(log.events == ["saved", "failed", "failed", "failed"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center removes observations by name and sender`() {
    let log = EventLog()
    let outcome = live {
      let (listener, one, other) = (Listener(log), NSObject(), NSObject())
      let center = SimulatedNotificationCenter.default
      func heard() -> [String] {
        log.events = []
        self.post(.saved, .failed, from: one)
        self.post(.saved, .failed, from: other)
        return log.events
      }
      for name in [Notification.Name.saved, .failed] {
        for sender in [one, other] { listener.observe(name, from: sender) }
      }
      #expect(heard() == ["saved", "failed", "saved", "failed"])
      center.removeObserver(listener, name: .saved, object: one)
      #expect(heard() == ["failed", "saved", "failed"])
      center.removeObserver(listener, name: .failed, object: nil)
      #expect(heard() == ["saved"])
      center.removeObserver(NSObject(), name: .saved, object: other)
      #expect(heard() == ["saved"])
      center.removeObserver(listener, name: nil, object: other)
      #expect(heard() == [])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center keeps a block until its token is removed`() {
    let log = EventLog()
    let outcome = live {
      let center = SimulatedNotificationCenter.default
      center.addObserver(forName: .saved, object: nil, queue: nil) { _ in log.note("kept") }
      var token: (any NSObjectProtocol)?
      token = center.addObserver(forName: .saved, object: nil, queue: nil) { _ in
        log.note("once")
        if let token { center.removeObserver(token) }
      }
      self.post(.saved, .saved)
    }
    #expect(log.events == ["kept", "once", "kept"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a center calls a block on its operation queue and waits for it`() {
    let log = EventLog()
    let outcome = live {
      let (center, queue) = (SimulatedNotificationCenter.default, SimulatedOperationQueue())
      queue.maxConcurrentOperationCount = 1
      center.addObserver(forName: .saved, object: nil, queue: queue) { _ in
        SimulatedThread.sleep(forTimeInterval: 0.01)
        log.note("queue \(SimulatedThread.isMainThread)")
      }
      center.addObserver(forName: .saved, object: nil, queue: .main) { _ in
        log.note("main \(SimulatedThread.isMainThread)")
      }
      self.post(.saved)
      log.note("posted")
      SimulatedDispatchQueue.global().async {
        self.post(.saved)
        log.note("posted from a block")
      }
      log.note("body")
    }
    #expect(
      log.events == [
        "queue false", "main true", "posted", "body", "queue false", "main true",
        "posted from a block",
      ])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  /// The main thread waits for a queue. The queue posts a notification whose observer needs the
  /// main thread.
  @Test func `an observer deadlocks if it needs the thread that waits for the poster`() {
    let outcome = live {
      SimulatedNotificationCenter.default.addObserver(forName: .saved, object: nil, queue: .main) {
        _ in
      }
      let queue = SimulatedDispatchQueue(label: "work")
      queue.async { self.post(.saved) }
      queue.sync {}
    }
    #expect(outcome.stop == .deadlock)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a context announces the IDs of merged objects`() {
    let log = EventLog()
    live {
      let container = Notes.container()
      let view = container.viewContext
      let note = Note(context: view)
      try view.save()
      view.automaticallyMergesChangesFromParent = true
      let observer = SimulatedNotificationCenter.default.addObserver(
        forName: NSManagedObjectContext.didMergeChangesObjectIDsNotification, object: view,
        queue: nil
      ) { notification in
        let ids = notification.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>
        log.note(ids == [note.objectID] ? "updated" : "something else")
      }
      let other = container.newBackgroundContext()
      try other.performAndWait {
        (other.object(with: note.objectID) as? Note)?.title = "changed"
        try other.save()
      }
      SimulatedMainLoop.run(milliseconds: 1)
      SimulatedNotificationCenter.default.removeObserver(observer)
    }
    #expect(log.events == ["updated"])
  }

  @Test func `a merge is announced before the next block runs`() {
    let log = EventLog()
    let outcome = live {
      let container = Notes.container()
      try withExtendedLifetime(container) {
        let view = container.viewContext
        let note = Note(context: view)
        try view.save()
        view.automaticallyMergesChangesFromParent = true
        let observer = SimulatedNotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
        ) { _ in log.note("merged \(note.title ?? "")") }
        let other = container.newBackgroundContext()
        try other.performAndWait {
          (other.object(with: note.objectID) as? Note)?.title = "a"
          try other.save()
        }
        view.perform { log.note("block") }
        SimulatedMainLoop.run(milliseconds: 1)
        SimulatedNotificationCenter.default.removeObserver(observer)
      }
    }
    #expect(log.events == ["merged a", "block"])
    #expect(outcome.disagreement == nil)
  }

  @Test func `changes of a block are announced before the next block runs`() {
    let log = EventLog()
    live {
      let container = Notes.container()
      withExtendedLifetime(container) {
        let view = container.viewContext
        let observer = SimulatedNotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
        ) { _ in log.note("changed") }
        view.perform { _ = Note(context: view) }
        view.perform { log.note("block") }
        SimulatedMainLoop.run(milliseconds: 1)
        SimulatedNotificationCenter.default.removeObserver(observer)
      }
    }
    #expect(log.events == ["changed", "block"])
  }
}
