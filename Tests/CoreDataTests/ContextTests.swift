import CoreData
import Foundation
import Testing

@Suite struct `Managed object contexts` {
  @Test func `a context saves objects, and another context fetches them`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      let note = Note(context: view)
      note.title = "first"
      note.views = 3
      #expect(note.objectID.isTemporaryID)
      #expect(view.hasChanges)
      try view.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(!view.hasChanges)

      let other = container.newBackgroundContext()
      try other.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: "title == %@ AND views > 2", "first")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let found = try other.fetch(request)
        #expect(found.map(\.title) == ["first"])
        #expect(found.first?.views == 3)
        #expect(found.first !== note)
        #expect(found.first?.objectID == note.objectID)
        let parts = ["title == 'first'", "views < 3"].map { NSPredicate(format: $0) }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        #expect(try other.count(for: request) == 0)
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts.reversed())
        #expect(try other.count(for: request) == 0)
        request.predicate = NSPredicate(format: "views < 3")
        #expect(try other.count(for: request) == 0)
      }
    }
    #expect(outcome.stop == nil)
    #expect(outcome.violations.isEmpty)
    #expect(outcome.disagreement == nil)
    #expect(outcome.stepCount > 10)
  }

  @Test func `a store description accepts file protection and a folder of the user`() {
    live {
      let description = NSPersistentStoreDescription(
        url: URL.applicationSupportDirectory.appendingPathComponent("Notes.sqlite"))
      let option = FileProtectionType.complete as NSObject
      description.setOption(option, forKey: NSPersistentStoreFileProtectionKey)
      #expect(option as? FileProtectionType == .complete)
      #expect(Set([FileProtectionType.complete, .none, .complete]).count == 2)
      #expect(URL.cachesDirectory != URL.documentsDirectory)
    }
  }

  @Test func `a relationship has its inverse, and both are saved`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValue("red", forKey: "label")
      note.tags = [tag]
      #expect(tag.value(forKey: "note") as? NSManagedObject === note)
      try view.save()
      view.reset()
      let found = try view.fetch(NSFetchRequest<Note>(entityName: "Note"))
      #expect(found.first?.tags.first?.value(forKey: "label") as? String == "red")
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a child context saves its changes to its parent`() {
    live {
      let container = Notes.container()
      let view = container.viewContext
      let note = Note(context: view)
      note.title = "old"
      try view.save()
      let edit = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      edit.parent = view
      let copy = try #require(try edit.existingObject(with: note.objectID) as? Note)
      copy.title = "new"
      #expect(note.title == "old")
      try edit.save()
      #expect(note.title == "new")
      #expect(view.hasChanges)
      view.rollback()
      #expect(note.title == "old")
    }
  }

  @Test func `a save throws validation errors and conflicts`() {
    live {
      let container = Notes.container()
      let view = container.viewContext
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      do {
        try view.save()
        Issue.record("a tag without a label is saved")
      } catch {
        let error = error as NSError
        #expect(error.code == NSValidationMissingMandatoryPropertyError)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "label")
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === tag)
      }
      view.delete(tag)
      let note = Note(context: view)
      note.title = "a"
      try view.save()
      let other = container.newBackgroundContext()
      try other.performAndWait {
        let copy = try #require(try other.existingObject(with: note.objectID) as? Note)
        copy.title = "b"
        try other.save()
      }
      note.title = "c"
      do {
        try view.save()
        Issue.record("a conflict is saved")
      } catch {
        let error = error as NSError
        #expect(error.code == NSManagedObjectMergeError)
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.first?.sourceObject === note)
        #expect(conflicts?.first?.cachedSnapshot?["title"] as? String == "b")
      }
      view.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try view.save()
    }
  }

  @Test func `a DidSave notification delivers the saved objects to observers`() {
    let outcome = live {
      let container = Notes.container()
      let background = container.newBackgroundContext()
      let view = container.viewContext
      var inserted: [String?] = []
      let center = SimulatedNotificationCenter.default
      let token = center.addObserver(
        forName: .NSManagedObjectContextDidSave, object: background, queue: nil
      ) { notification in
        let notes = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
        inserted += notes.map { ($0 as? Note)?.title }
        view.perform { view.mergeChanges(fromContextDidSave: notification) }
      }
      let note = Note(context: view)
      note.title = "main"
      try view.save()
      try background.performAndWait {
        let copy = try #require(try background.existingObject(with: note.objectID) as? Note)
        copy.title = "background"
        let other = Note(context: background)
        other.title = "new"
        try background.save()
      }
      #expect(inserted == ["new"])
      #expect(note.title == "main")
      view.perform { #expect(note.title == "background") }
      center.removeObserver(token)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  /// Covers NT-07.
  @Test func `a main-queue context processes pending changes at the end of a turn`() {
    let log = EventLog()
    let outcome = live {
      let view = Notes.container().viewContext
      let token = SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
      ) { notification in
        let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
        log.note("\(inserted?.count ?? 0) inserted")
      }
      Note(context: view).title = "one"
      Note(context: view).title = "two"
      #expect(log.events == [])
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(log.events == ["2 inserted"])
      SimulatedDispatchQueue.main.async { Note(context: view).title = "three" }
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(log.events == ["2 inserted", "1 inserted"])
      SimulatedNotificationCenter.default.removeObserver(token)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an attribute's number converts to other numeric types`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.views = 7
      #expect(note.value(forKey: "views") as? Int == 7)
      #expect(note.value(forKey: "views") as? Double == 7)
      #expect(note.value(forKey: "views") as? NSNumber == 7)
      #expect(note.changedValues()["views"] as? Int16 == 7)
    }
  }

  /// Covers LC-17.
  @Test func `a saved deletion removes the object from its context`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      try view.save()
      view.delete(note)
      #expect(note.managedObjectContext === view)
      try view.save()
      #expect(note.managedObjectContext == nil)
    }
  }

  @Test func `a coordinator announces the addition and removal of its stores`() throws {
    let log = EventLog()
    try outcomeOfStores(log)
    #expect(log.events == ["added 1", "will remove InMemory", "removed 1"])
  }

  private func outcomeOfStores(_ log: EventLog) throws {
    live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let center = SimulatedNotificationCenter.default
      func count(_ notification: Notification, _ key: String) -> Int? {
        (notification.userInfo?[key] as? [NSPersistentStore])?.count
      }
      let tokens = [
        center.addObserver(
          forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
        ) { notification in
          if let added = count(notification, NSAddedPersistentStoresKey) {
            log.note("added \(added)")
          }
          if let removed = count(notification, NSRemovedPersistentStoresKey) {
            log.note("removed \(removed)")
          }
        },
        center.addObserver(
          forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
        ) { log.note("will remove \(($0.object as? NSPersistentStore)?.type ?? "")") },
      ]
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      try coordinator.remove(store)
      for token in tokens { center.removeObserver(token) }
    }
  }

  @Test func `a subclass of a context can override perform`() {
    let log = EventLog()
    live {
      let container = Notes.container()
      let context: NSManagedObjectContext = Logged(log)
      context.persistentStoreCoordinator = container.persistentStoreCoordinator
      context.perform { log.note("first") }
      context.perform { context.perform { log.note("inner") } }
      SimulatedMainLoop.run(milliseconds: 1)
    }
    #expect(log.events == ["perform", "perform", "first", "perform", "inner"])
  }
}

/// A context that records each block passed to it.
private final class Logged: NSManagedObjectContext, @unchecked Sendable {
  private var log = EventLog()

  convenience init(_ log: EventLog) {
    self.init(concurrencyType: .privateQueueConcurrencyType)
    self.log = log
  }

  override func perform(_ block: @escaping () -> Void) {
    log.note("perform")
    super.perform(block)
  }
}
