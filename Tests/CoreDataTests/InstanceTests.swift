import CoreData
import Foundation
import Testing

@Suite struct `An instance of a context` {
  /// Inserts a tag. Its entity has no custom class, so no hook is called or keeps an instance.
  private func tag(_ label: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(label, forKey: "label")
    return tag
  }

  @Test func `an object filled by a fetch keeps its values`() {
    let outcome = live {
      let container = Notes.container()
      let (view, sync) = (container.viewContext, container.newBackgroundContext())
      let tag = tag("red", in: view)
      try view.save()
      try sync.performAndWait {
        sync.automaticallyMergesChangesFromParent = false
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.returnsObjectsAsFaults = false
        let found = try sync.fetch(request)
        #expect(found.map(\.isFault) == [false])
        tag.setValue("blue", forKey: "label")
        try view.save()
        #expect(found.first?.value(forKey: "label") as? String == "red")
      }
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a failed lookup registers no object`() {
    let outcome = live {
      let container = Notes.container()
      let (view, sync) = (container.viewContext, container.newBackgroundContext())
      let tag = tag("red", in: view)
      sync.performAndWait {
        #expect(throws: (any Error).self) { try sync.existingObject(with: tag.objectID) }
        #expect(sync.registeredObject(for: tag.objectID) == nil)
        #expect(sync.registeredObjects.isEmpty)
      }
      let own = try view.existingObject(with: tag.objectID)
      #expect(own === tag)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an unreferenced object is released when its autorelease pool drains`() {
    let outcome = live {
      let container = Notes.container()
      let (view, sync) = (container.viewContext, container.newBackgroundContext())
      let tag = tag("red", in: view)
      try view.save()
      sync.performAndWait {
        autoreleasepool { #expect(!sync.object(with: tag.objectID).objectID.isTemporaryID) }
        #expect(sync.registeredObject(for: tag.objectID) == nil)
        let kept = autoreleasepool { sync.object(with: tag.objectID) }
        #expect(sync.registeredObject(for: tag.objectID) === kept)
      }
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an object that is inserted twice is reported twice`() {
    let outcome = live {
      let view = Notes.container().viewContext
      var counts: [Int] = []
      SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
      ) { notification in
        counts.append((notification.userInfo?[NSInsertedObjectsKey] as? Set<NSObject>)?.count ?? 0)
      }
      let tag = tag("red", in: view)
      view.processPendingChanges()
      view.insert(tag)
      view.processPendingChanges()
      #expect(counts == [1, 1])
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a notification lists the very instance whose insertion was undone`() {
    let outcome = live {
      let view = Notes.container().viewContext
      view.undoManager = UndoManager()
      var deleted: Set<NSManagedObject> = []
      SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
      ) { notification in
        deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
      }
      let tag = tag("red", in: view)
      view.undo()
      #expect(deleted == [tag])
      #expect(view.registeredObjects.isEmpty)
      view.redo()
      let found = try view.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(found.map { $0.value(forKey: "label") as? String } == ["red"])
    }
    #expect(outcome.disagreement == nil)
  }
}
