import CoreData
import Foundation
import Testing

@Suite struct `Code on contexts` {
  @Test func `saves and fetches`() {
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

  @Test func `relates objects both ways`() {
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

  @Test func `hands a child's changes to its parent`() {
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

  @Test func `throws what a save cannot write`() {
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

  @Test func `delivers what it saves to observers`() {
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
}
