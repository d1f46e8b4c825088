import Combine
import CoreData
import Foundation
import Testing

@Suite struct `A publisher of Core Data` {
  @Test func `a publisher of Core Data has the values of a property`() {
    live {
      let container = Notes.container()
      let note = Note(context: container.viewContext)
      let log = Log()
      let sink = note.publisher(for: \.views).sink { log.note($0) }
      let later = note.publisher(for: \.views, options: .new).sink { log.note("later \($0)") }
      note.views = 3
      sink.cancel()
      note.views = 4
      #expect(log.events == ["0", "3", "later 3", "later 4"])
      withExtendedLifetime((container, later)) {}
    }
  }

  @Test func `a publisher of Core Data has the value that a merge brings`() {
    live {
      let container = Notes.container()
      container.viewContext.automaticallyMergesChangesFromParent = true
      let note = Note(context: container.viewContext)
      note.title = "a"
      try container.viewContext.save()
      let log = Log()
      let sink = note.publisher(for: \.title).sink { log.note($0 ?? "") }
      let id = note.objectID
      container.performBackgroundTask { context in
        (try? context.existingObject(with: id) as? Note)?.title = "b"
        try? context.save()
      }
      goOn()
      #expect(log.events == ["a", "b"])
      withExtendedLifetime(sink) {}
    }
  }

  @Test func `a publisher has the newest value for a subscriber that asks later`() {
    live {
      let container = Notes.container()
      let note = Note(context: container.viewContext)
      let asker = Asker<Int64, Never>(.none)
      note.publisher(for: \.views).subscribe(asker)
      note.views = 3
      note.views = 4
      asker.subscription?.request(.max(1))
      note.views = 5
      #expect(asker.values == [4])
      withExtendedLifetime(container) {}
    }
  }

  @Test func `a publisher says whether a context has changes`() throws {
    live {
      let view = Notes.container().viewContext
      let log = Log()
      let sink = view.publisher(for: \.hasChanges).sink { log.note($0) }
      _ = Note(context: view)
      try view.save()
      #expect(log.events == ["false", "true", "false"])
      withExtendedLifetime(sink) {}
    }
  }

  @Test func `a publisher says that an object will change, by code and by a merge`() {
    live {
      let container = Notes.container()
      let view = container.viewContext
      view.automaticallyMergesChangesFromParent = true
      let note = Note(context: view)
      note.title = "a"
      try view.save()
      let log = Log()
      let sink = note.objectWillChange.sink { log.note(note.title ?? "") }
      note.title = "b"
      note.title = "c"
      try view.save()
      let id = note.objectID
      container.performBackgroundTask { context in
        (try? context.existingObject(with: id) as? Note)?.title = "d"
        try? context.save()
      }
      goOn()
      // A merge is published after it has changed the object.
      #expect(log.events == ["a", "b", "d"])
      withExtendedLifetime(sink) {}
    }
  }

  @Test func `a publisher has the notifications of a name, until it is cancelled`() {
    live {
      let center = SimulatedNotificationCenter()
      let name = Notification.Name("sent")
      let sender = NSObject()
      let log = Log()
      let all = center.publisher(for: name).sink { log.note("all \($0.userInfo?["n"] ?? "")") }
      let some = center.publisher(for: name, object: sender).map { $0.userInfo?["n"] as? Int }
        .sink { log.note("some \($0 ?? 0)") }
      center.post(name: name, object: nil, userInfo: ["n": 1])
      center.post(name: name, object: sender, userInfo: ["n": 2])
      all.cancel()
      center.post(name: name, object: sender, userInfo: ["n": 3])
      #expect(log.events == ["all 1", "all 2", "some 2", "some 3"])
      withExtendedLifetime(some) {}
    }
  }
}
