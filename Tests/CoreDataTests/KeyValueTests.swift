import CoreData
import Foundation
import Testing

/// A class with a computed property and a method.
private final class Titled: Note {
  override func computedValue(forKey key: String) -> Any?? {
    key == "initial" ? .some(title.map { String($0.prefix(1)) }) : nil
  }
  func reload() {}
}

@Suite struct `Selectors of a managed object` {
  @Test func `an object responds to the properties of its entity and its class`() {
    live {
      let view = Notes.container().viewContext
      let note = Titled(entity: Note.entity(), insertInto: view)
      for name in ["title", "setTitle:", "tags", "initial"] {
        #expect(note.responds(to: NSSelectorFromString(name)), "\(name)")
      }
      for name in ["label", "setLabel:", "title:", "setInitials:"] {
        #expect(!note.responds(to: NSSelectorFromString(name)), "\(name)")
      }
      #expect(note.responds(to: SimulatedSelector(Titled.reload)))
      let plain = Note(context: view)
      #expect(!plain.responds(to: SimulatedSelector(Titled.reload)))
      #expect(NSStringFromSelector(SimulatedSelector("title")) == "title")
    }
  }
}

@Suite struct `Key-value coding` {
  private func withNote(
    _ body: @escaping (Note, [NSManagedObject], NSManagedObjectContext) throws -> Void
  ) {
    let outcome = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      (note.title, note.views) = ("title", 3)
      let tags = ["a", "b", "b"].map { label in
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
        tag.setValuesForKeys(["label": label, "note": note])
        return tag
      }
      try body(note, tags, view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a key path leads through dictionaries`() {
    let row: NSDictionary = ["author": ["name": "Ada"], "title": "a"]
    #expect(row.value(forKeyPath: "author.name") as? String == "Ada")
    #expect(row.value(forKeyPath: "title") as? String == "a")
    #expect(row.value(forKeyPath: "author.age") == nil)
  }

  @Test func `a key path computes over the members of a relationship`() {
    withNote { note, _, _ in
      #expect(note.value(forKeyPath: "tags.@count") as? Int == 3)
      #expect(note.value(forKeyPath: "tags.@max.label") as? String == "b")
      #expect(note.value(forKeyPath: "tags.@min.label") as? String == "a")
      #expect(note.value(forKeyPath: "tags.@sum.note.views") as? Int == 9)
      #expect(note.value(forKeyPath: "tags.@avg.note.views") as? Double == 3)
      #expect(note.value(forKeyPath: "tags.label") as? Set<String> == ["a", "b"])
      #expect(note.value(forKeyPath: "tags.@unionOfObjects.label") as? [String] == ["a", "b", "b"])
      #expect(
        note.value(forKeyPath: "tags.@distinctUnionOfObjects.label") as? [String] == ["a", "b"])
    }
  }

  @Test func `a collection returns its members' values for a key path`() {
    withNote { note, tags, _ in
      #expect((tags as NSArray).value(forKey: "label") as? [String] == ["a", "b", "b"])
      #expect(
        (tags as NSArray).value(forKeyPath: "note.title") as? [String] == [
          "title", "title", "title",
        ])
      #expect((tags as NSArray).value(forKeyPath: "@sum.note.views") as? Int == 9)
      #expect(NSOrderedSet(array: tags).value(forKeyPath: "@max.label") as? String == "b")
      #expect(NSSet(array: tags).value(forKey: "label") as? Set<String> == ["a", "b"])
      let sorted = (tags as NSArray).sortedArray(using: [
        NSSortDescriptor(key: "label", ascending: false)
      ])
      #expect((sorted as NSArray).value(forKey: "label") as? [String] == ["b", "b", "a"])
    }
  }

  @Test func `an object's ID, context and entity are available by key`() {
    withNote { note, _, view in
      #expect(note.value(forKey: "objectID") as? NSManagedObjectID == note.objectID)
      #expect(note.value(forKey: "hasChanges") as? Bool == true)
      #expect(note.value(forKey: "managedObjectContext") as? NSManagedObjectContext === view)
      #expect(note.value(forKeyPath: "entity") as? NSEntityDescription === note.entity)
    }
  }

  @Test func `a primitive value that is set between willChange and didChange is a change`() {
    withNote { note, _, view in
      try view.save()
      note.setPrimitiveValue("silent", forKey: "title")
      #expect(note.changedValues().isEmpty)
      note.willChangeValue(forKey: "title")
      note.setPrimitiveValue("loud", forKey: "title")
      note.didChangeValue(forKey: "title")
      #expect(note.changedValues()["title"] as? String == "loud")
      #expect(view.updatedObjects == [note])
    }
  }

  @Test func `a primitive relationship set between willChange and didChange updates its inverse`() {
    withNote { note, tags, view in
      try view.save()
      let tag = tags[0]
      tag.willChangeValue(forKey: "note")
      tag.setPrimitiveValue(nil, forKey: "note")
      #expect(tag.primitiveValue(forKey: "note") == nil)
      tag.didChangeValue(forKey: "note")
      #expect(tag.value(forKey: "note") == nil)
      #expect(note.tags == Set(tags.dropFirst()))
      #expect(view.updatedObjects.contains(tag))
    }
  }

  @Test func `set operations change the members of a mutable set`() {
    withNote { note, tags, view in
      let set = note.mutableSetValue(forKeyPath: "tags")
      set.minus(Set(tags.dropFirst()))
      #expect(note.tags == [tags[0]])
      set.union([tags[1]])
      #expect(note.tags == [tags[0], tags[1]])
      set.intersect([tags[1]])
      #expect(note.tags == [tags[1]])
      set.setSet([tags[2]])
      #expect(note.tags == [tags[2]])
    }
  }
}

@Suite struct `An observer of a property` {
  @Test func `an observer is called for each change by code, even to an equal value`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.title = "a"
      let log = EventLog()
      let token = note.observe(\.title, options: [.initial, .old, .new]) { object, change in
        #expect(object === note)
        log.note("\((change.oldValue ?? nil) ?? "-") → \((change.newValue ?? nil) ?? "-")")
      }
      note.title = "b"
      note.title = "b"
      note.views = 1
      #expect(log.events == ["- → a", "a → b", "b → b"])
      token.invalidate()
      note.title = "c"
      #expect(log.events.count == 3)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an observer is called for changes by undo, inverses and merges`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      view.undoManager = UndoManager()
      view.automaticallyMergesChangesFromParent = true
      let note = Note(context: view)
      note.title = "a"
      try view.save()
      let log = EventLog()
      let tokens = [
        note.observe(\.title) { _, _ in log.note("title") },
        note.observe(\.tags) { object, _ in log.note("tags \(object.tags.count)") },
      ]
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValuesForKeys(["label": "x", "note": note])
      #expect(log.events == ["tags 1"])
      view.delete(tag)
      view.processPendingChanges()
      note.title = "b"
      view.undo()
      #expect(log.events == ["tags 1", "tags 0", "title", "title"])
      try view.save()
      let background = container.newBackgroundContext()
      background.performAndWait {
        (background.object(with: note.objectID) as? Note)?.title = "merged"
        try? background.save()
      }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(note.title == "merged")
      #expect(log.events.suffix(1) == ["title"] && log.events.count == 5)
      withExtendedLifetime(tokens) {}
    }
    #expect(outcome.disagreement == nil)
  }
}

/// A class with values for keys that its entity does not have.
private final class OpenNote: NSManagedObject {
  private(set) var extras: [String: String] = [:]

  override func value(forUndefinedKey key: String) -> Any? { extras[key] ?? "no \(key)" }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    extras[key] = value as? String
  }
}

@Suite struct `A key without a property` {
  @Test func `a class handles an undefined key, and the context has no changes`() {
    let outcome = live {
      let model = Notes.model()
      model.entitiesByName["Note"]?.managedObjectClassName = SimulatedModules.name(
        of: OpenNote.self)
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let note = OpenNote(context: container.viewContext)
      try container.viewContext.save()
      #expect(note.value(forKey: "colour") as? String == "no colour")
      note.setValue("red", forKey: "colour")
      #expect(note.value(forKey: "colour") as? String == "red")
      #expect(!container.viewContext.hasChanges)
      note.setValue("title", forKey: "title")
      #expect(note.value(forKey: "title") as? String == "title" && note.extras.count == 1)
      #expect(note.value(forKey: "objectID") as? NSManagedObjectID == note.objectID)
    }
    #expect(outcome.disagreement == nil)
  }
}
