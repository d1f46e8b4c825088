import CoreData
import Foundation
import Testing

/// An observer with an `observeValue` method as in a prepared class.
private final class Observer: NSObject, SimulatedKeyValueObserver {
  private(set) var events: [String] = []
  /// An address that is only compared.
  var context: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: 4_711) }

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard unsafe context == self.context else {
      return unsafe leaveUnobserved(
        forKeyPath: keyPath, of: object, change: change, context: context)
    }
    let kind = (change?[.kindKey] as? UInt).flatMap { NSKeyValueChange(rawValue: $0) }
    let (old, new) = (change?[.oldKey].map(Self.text), change?[.newKey].map(Self.text))
    events.append(
      "\(keyPath ?? "") \(kind.map { "\($0)" } ?? "?") \(old ?? "-") → \(new ?? "-")")
  }

  private static func text(_ any: Any) -> String {
    switch any {
    case let set as Set<NSManagedObject>: "\(set.count)"
    case is NSNull: "null"
    default: "\(any)"
    }
  }
}

/// An observer that records the kind of each change and the affected indexes.
private final class PlaceObserver: NSObject, SimulatedKeyValueObserver {
  private(set) var events: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let places = change?[.indexesKey] as? IndexSet
    events.append("\(change?[.kindKey] ?? "?") \(places.map { Array($0) } ?? [])")
  }
}

@Suite struct `An observer of a key path` {
  private let all: NSKeyValueObservingOptions = [.initial, .old, .new]

  @Test func `an observer receives the values of a property until it is removed`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      let observer = Observer()
      unsafe note.addObserver(
        observer, forKeyPath: "title", options: all, context: observer.context)
      note.title = "a"
      note.views = 3
      note.title = nil
      unsafe note.removeObserver(observer, forKeyPath: "title", context: observer.context)
      note.title = "b"
      #expect(
        observer.events == [
          "title setting - → null", "title setting null → a", "title setting a → null",
        ])
    }
  }

  @Test func `an observer with the prior option is also called before each change`() {
    live {
      let container = Notes.container()
      defer { withExtendedLifetime(container) {} }
      let note = Note(context: container.viewContext)
      var events: [String] = []
      let token = note.observe(\.views, options: [.prior, .old, .new]) { note, change in
        let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "-" }
        events.append("\(change.isPrior ? "before" : "after") \(note.views) \(values)")
      }
      note.views = 7
      note.willChangeValue(forKey: "views")
      note.setPrimitiveValue(8, forKey: "views")
      note.didChangeValue(forKey: "views")
      token.invalidate()
      #expect(
        events == [
          #"before 0 ["0", "-"]"#, #"after 7 ["0", "7"]"#, #"before 7 ["7", "-"]"#,
          #"after 8 ["7", "8"]"#,
        ])
    }
  }

  @Test func `an observer receives the indexes of changed members of an ordered relationship`() {
    live {
      let model = Notes.model()
      model.entitiesByName["Note"]?.relationshipsByName["tags"]?.isOrdered = true
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: view)
      func tag() -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      }
      let observer = PlaceObserver()
      unsafe note.addObserver(observer, forKeyPath: "tags", options: [.new], context: nil)
      let tags = note.mutableOrderedSetValue(forKey: "tags")
      tags.add(tag())
      tags.add(tag())
      tags.insert(tag(), at: 0)
      tags.replaceObject(at: 1, with: tag())
      tags.removeObject(at: 2)
      note.removeObserver(observer, forKeyPath: "tags")
      #expect(observer.events == ["2 [0]", "2 [1]", "2 [0]", "4 [1]", "3 [2]"])
    }
  }

  @Test func `the context pointer determines which observation is removed`() {
    live {
      let container = Notes.container()
      defer { withExtendedLifetime(container) {} }
      let note = Note(context: container.viewContext)
      let observer = Observer()
      unsafe note.addObserver(observer, forKeyPath: "title", options: .new, context: nil)
      unsafe note.addObserver(
        observer, forKeyPath: "title", options: [.old, .new], context: observer.context)
      unsafe note.removeObserver(observer, forKeyPath: "title", context: nil)
      note.title = "a"
      #expect(observer.events == ["title setting null → a"])
      note.removeObserver(observer, forKeyPath: "title")
      note.title = "b"
      #expect(observer.events.count == 1)
    }
  }

  @Test func `an observer receives insertions and removals of a relationship's members`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      let tags = (0..<3).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      }
      let observer = Observer()
      unsafe note.addObserver(
        observer, forKeyPath: "tags", options: [.old, .new], context: observer.context)
      note.mutableSetValue(forKey: "tags").add(tags[0])
      tags[1].setValue(note, forKey: "note")
      note.mutableSetValue(forKey: "tags").remove(tags[0])
      note.tags = [tags[2]]
      #expect(
        observer.events == [
          "tags insertion - → 1", "tags insertion - → 1", "tags removal 1 → -",
          "tags setting 1 → 1",
        ])
    }
  }

  @Test func `an observer receives changes behind a relationship`() {
    live {
      let view = Notes.container().viewContext
      let (first, second) = (Note(context: view), Note(context: view))
      (first.title, second.title) = ("a", "b")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValue(first, forKey: "note")
      let observer = Observer()
      unsafe tag.addObserver(
        observer, forKeyPath: "note.title", options: [.old, .new], context: observer.context)
      first.title = "c"
      second.title = "d"
      tag.setValue(second, forKey: "note")
      first.title = "e"
      second.title = "f"
      #expect(
        observer.events == [
          "note.title setting a → c", "note.title setting c → d", "note.title setting d → f",
        ])
    }
  }

  @Test func `an observer follows a context's hasChanges`() {
    live {
      let view = Notes.container().viewContext
      let observer = Observer()
      let log = EventLog()
      unsafe view.addObserver(
        observer, forKeyPath: "hasChanges", options: .new, context: observer.context)
      let token = view.observe(\.hasChanges, options: [.old, .new]) { _, change in
        log.note("\(change.oldValue ?? false) → \(change.newValue ?? false)")
      }
      let note = Note(context: view)
      note.title = "a"
      try view.save()
      note.title = "b"
      view.rollback()
      #expect(
        observer.events == [
          "hasChanges setting - → true", "hasChanges setting - → false",
          "hasChanges setting - → true", "hasChanges setting - → false",
        ])
      #expect(
        log.events == ["false → true", "true → false", "false → true", "true → false"])
      withExtendedLifetime(token) {}
    }
  }

  /// An observer that removes itself in its deinitializer, as observers of apps do.
  private final class Departing: NSObject, SimulatedKeyValueObserver {
    private let note: Note
    private let log: EventLog

    init(_ note: Note, _ log: EventLog) {
      (self.note, self.log) = (note, log)
      super.init()
      unsafe note.addObserver(self, forKeyPath: "title", options: .new, context: nil)
    }

    deinit { note.removeObserver(self, forKeyPath: "title") }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) { log.note("\(change?[.newKey] ?? "-")") }
  }

  @Test func `an observer can remove itself in its deinitializer`() {
    live {
      let view = Notes.container().viewContext
      let (note, log) = (Note(context: view), EventLog())
      var observer: Departing? = Departing(note, log)
      note.title = "a"
      withExtendedLifetime(observer) {}
      observer = nil
      note.title = "b"
      #expect(log.events == ["a"])
    }
  }

  @Test func `a property can change after its observer is released`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      var observer: Observer? = Observer()
      if let observer {
        unsafe note.addObserver(
          observer, forKeyPath: "title", options: .new, context: observer.context)
      }
      observer = nil
      note.title = "a"
      #expect(note.title == "a")
    }
  }
}
