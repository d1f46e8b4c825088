import CoreData
import Foundation
import Testing

@Suite struct `Requests in code` {
  @Test func `a request returns dictionaries, IDs and counts`() {
    let outcome = live {
      let view = Notes.container().viewContext
      for index in 0..<3 {
        let note = Note(context: view)
        note.title = "note \(index)"
        note.views = Int64(index)
      }
      try view.save()
      let rows = NSFetchRequest<NSDictionary>(entityName: "Note")
      rows.resultType = .dictionaryResultType
      rows.propertiesToFetch = ["title"]
      rows.sortDescriptors = [NSSortDescriptor(keyPath: \Note.views, ascending: false)]
      let titles = try view.fetch(rows).map { $0["title"] as? String }
      #expect(titles == ["note 2", "note 1", "note 0"])
      let count = NSFetchRequest<NSNumber>(entityName: "Note")
      count.resultType = .countResultType
      #expect(try view.fetch(count).first == 3)
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.resultType = .managedObjectIDResultType
      #expect(try view.fetch(ids).count == 3)
      let named = NSFetchRequest<Note>(entityName: "Note")
      named.sortDescriptors = [NSSortDescriptor(keyPath: \Note.title, ascending: true)]
      #expect(try view.fetch(named).map(\.views) == [0, 1, 2])
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a batch request bypasses contexts, which can merge its changes`() {
    let outcome = live {
      let view = Notes.container().viewContext
      var notes: [Note] = []
      for index in 0..<4 {
        let note = Note(context: view)
        note.title = "old"
        note.views = Int64(index)
        notes.append(note)
      }
      try view.save()
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "views > 2 OR views < 1")
      update.propertiesToUpdate = ["title": "new"]
      update.resultType = .updatedObjectIDsResultType
      let result = try view.execute(update) as? NSBatchUpdateResult
      let ids = try #require(result?.result as? [NSManagedObjectID])
      #expect(ids.count == 2)
      #expect(notes.map(\.title) == ["old", "old", "old", "old"])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [view])
      #expect(notes.map(\.title) == ["new", "old", "old", "new"])

      let delete = NSBatchDeleteRequest(objectIDs: [notes[1].objectID, notes[2].objectID])
      delete.resultType = .resultTypeCount
      #expect((try view.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
      let insert = NSBatchInsertRequest(
        entityName: "Note", objects: [["title": "a", "views": 9], ["title": "b"]])
      insert.resultType = .count
      #expect((try view.execute(insert) as? NSBatchInsertResult)?.result as? Int == 2)
      #expect(try view.count(for: NSFetchRequest<Note>(entityName: "Note")) == 4)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a batch insertion overwrites the row with its unique values`() {
    let outcome = live {
      let story = NSEntityDescription()
      story.name = "Story"
      let url = NSAttributeDescription()
      (url.name, url.attributeType) = ("url", .stringAttributeType)
      let title = NSAttributeDescription()
      (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
      story.properties = [url, title]
      story.uniquenessConstraints = [["url"]]
      let model = NSManagedObjectModel()
      model.entities = [story]
      let container = NSPersistentContainer(name: "Stories", managedObjectModel: model)
      container.loadPersistentStores { _, _ in }
      let view = container.viewContext
      let known = NSEntityDescription.insertNewObject(forEntityName: "Story", into: view)
      known.setValuesForKeys(["url": "a", "title": "mine"])
      try view.save()
      let insert = NSBatchInsertRequest(entityName: "Story", objects: [["url": "a"], ["url": "b"]])
      insert.resultType = .objectIDs
      // The error policy ignores the first record.
      #expect(((try view.execute(insert) as? NSBatchInsertResult)?.result as? [Any])?.count == 1)
      view.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      let result = (try view.execute(insert) as? NSBatchInsertResult)?.result
      let ids = try #require(result as? [NSManagedObjectID])
      #expect(ids.count == 2)
      #expect(ids.contains(known.objectID))
      #expect(try view.count(for: NSFetchRequest<NSManagedObject>(entityName: "Story")) == 2)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [view])
      #expect(known.value(forKey: "title") == nil)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an object reports its changed values, faults and validation errors`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.title = "first"
      try view.save()
      note.title = "second"
      #expect(note.changedValues()["title"] as? String == "second")
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "first")
      #expect(note.hasPersistentChangedValues)
      view.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
      try view.save()
      view.refresh(note, mergeChanges: false)
      #expect(note.hasFault(forRelationshipNamed: "tags"))
      #expect(note.value(forKeyPath: "tags.@count") as? Int == 0)
      #expect(!note.hasFault(forRelationshipNamed: "tags"))
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      #expect(throws: NSError.self) { try tag.validateForInsert() }
      tag.setValuesForKeys(["label": "red", "note": note])
      try tag.validateForInsert()
      #expect(note.objectIDs(forRelationshipNamed: "tags") == [tag.objectID])
      #expect(tag.value(forKeyPath: "note.title") as? String == "second")
      tag.setValue("third", forKeyPath: "note.title")
      #expect(note.title == "third")
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a context undoes and redoes a change, and notifies the object`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      let manager = UndoManager()
      view.undoManager = manager
      let note = CountingNote(
        entity: try #require(container.managedObjectModel.entitiesByName["Note"]),
        insertInto: view)
      note.setValue("first", forKey: "title")
      try view.save()
      view.processPendingChanges()
      note.setValue("second", forKey: "title")
      view.processPendingChanges()
      #expect(manager.canUndo)
      manager.undo()
      #expect(note.value(forKey: "title") as? String == "first")
      #expect(note.events == [.undoUpdate])
      #expect(manager.canRedo)
      view.redo()
      #expect(note.value(forKey: "title") as? String == "second")
    }
    #expect(outcome.disagreement == nil)
  }
}

/// A class that records why its values were restored.
private final class CountingNote: NSManagedObject {
  var events: [NSSnapshotEventType] = []

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
}

@Suite struct `Other forms of requests` {
  @Test func `an asynchronous request returns before its result is available`() {
    let log = EventLog()
    live { () throws in
      let view = Notes.container().viewContext
      Note(context: view).title = "new"
      let request = NSAsynchronousFetchRequest(
        fetchRequest: NSFetchRequest<Note>(entityName: "Note")
      ) { result in log.note(result.finalResult?.first?.title ?? "none") }
      let result = try view.execute(request) as? NSAsynchronousFetchResult<Note>
      #expect(result?.finalResult == nil)
      log.note("asked")
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(result?.finalResult?.count == 1)
    }
    #expect(log.events == ["asked", "new"])
  }

  @Test func `a batch insertion inserts dictionaries that a block fills`() {
    live { () throws in
      let view = Notes.container().viewContext
      var left = ["a", "b"]
      let insert = NSBatchInsertRequest(entityName: "Note") { row in
        guard let title = left.popLast() else { return true }
        row["title"] = title
        return false
      }
      insert.resultType = .count
      #expect((try view.execute(insert) as? NSBatchInsertResult)?.result as? Int == 2)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(try view.fetch(request).map(\.title) == ["a", "b"])
    }
  }

  @Test func `a batch insertion inserts objects that a block fills`() {
    live { () throws in
      let container = Notes.container()
      try withExtendedLifetime(container) {
        var left = ["a", "b"]
        let insert = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) in
          guard let title = left.popLast(), let note = object as? Note else { return true }
          note.title = title
          return false
        }
        insert.resultType = .count
        let result = try container.viewContext.execute(insert) as? NSBatchInsertResult
        #expect(result?.result as? Int == 2)
      }
    }
  }

  @Test func `a batch insertion inserts nothing if an attribute rejects its value`() {
    live { () throws in
      let view = Notes.container().viewContext
      let insert = NSBatchInsertRequest(
        entityName: "Note", objects: [["title": "a"], ["title": 1]])
      #expect(throws: NSError.self) { try view.execute(insert) }
      #expect(try view.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
    }
  }

  @Test func `a request sorts texts by a comparison method`() {
    live { () throws in
      let view = Notes.container().viewContext
      for (title, views) in [("b", 1), ("A", 2), ("a", 1), ("B", 0), (nil, 0)] as [(String?, Int64)]
      {
        let note = Note(context: view)
        (note.title, note.views) = (title, views)
      }
      let request = NSFetchRequest<Note>(entityName: "Note")
      func titles(_ ascending: Bool) throws -> [String?] {
        request.sortDescriptors = [
          NSSortDescriptor(
            key: "title", ascending: ascending,
            selector: SimulatedSelector(NSString.caseInsensitiveCompare(_:))),
          NSSortDescriptor(key: "views", ascending: true),
        ]
        return try view.fetch(request).map(\.title)
      }
      #expect(try titles(true) == [nil, "a", "A", "B", "b"])
      #expect(try titles(false) == ["B", "b", "a", "A", nil])
    }
  }

  @Test func `a block of another context can merge a batch update`() {
    let outcome = live { () throws in
      let container = Notes.container()
      let view = container.viewContext
      let note = Note(context: view)
      try view.save()
      let background = container.newBackgroundContext()
      background.perform {
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["title": "new"]
        update.resultType = .updatedObjectIDsResultType
        let result = try? background.execute(update) as? NSBatchUpdateResult
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectsKey: result?.result ?? []], into: [view])
      }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(note.title == "new")
    }
    #expect(outcome.violations.isEmpty && outcome.disagreement == nil)
  }

  @Test func `a request is executed in the context of the calling block`() {
    live {
      let container = Notes.container()
      let note = Note(context: container.viewContext)
      note.title = "unsaved"
      let request = NSFetchRequest<Note>(entityName: "Note")
      try container.viewContext.performAndWait {
        #expect(try request.execute() == [note])
        let other = container.newBackgroundContext()
        let found = try other.performAndWait { try request.execute() }
        #expect(found == [])
        #expect(try request.execute() == [note])
      }
    }
  }

  @Test func `a sort by a key path over relationships fires no fault`() {
    let outcome = live {
      let container = Notes.container()
      for (label, title) in [("one", "b"), ("two", "c"), ("three", "a"), ("four", nil)] {
        let tag = NSEntityDescription.insertNewObject(
          forEntityName: "Tag", into: container.viewContext)
        tag.setValue(label, forKey: "label")
        guard let title else { continue }
        let note = Note(context: container.viewContext)
        note.title = title
        tag.setValue(note, forKey: "note")
      }
      try container.viewContext.save()
      let other = container.newBackgroundContext()
      try other.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: "note.title", ascending: true)]
        let tags = try other.fetch(request)
        #expect(tags.allSatisfy { $0.isFault })
        func labels() throws -> [String?] {
          try other.fetch(request).map { $0.value(forKey: "label") as? String }
        }
        #expect(try labels() == ["four", "three", "one", "two"])
        // The store sorts the unchanged tags, so the unsaved title has no effect.
        (tags[2].value(forKey: "note") as? Note)?.title = "d"
        request.sortDescriptors = [NSSortDescriptor(key: "note.title", ascending: false)]
        #expect(try labels() == ["two", "one", "three", "four"])
        // After a change of a tag, all tags are sorted by the context's values.
        tags[2].setValue("first", forKey: "label")
        #expect(try labels() == ["first", "two", "three", "four"])
      }
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `the block of a batch insertion receives objects without a context`() {
    live {
      let container = Notes.container()
      var titles = ["b", "a"]
      let insert = NSBatchInsertRequest(entity: Note.entity()) { (object: NSManagedObject) in
        guard let title = titles.popLast(), let note = object as? Note else { return true }
        #expect(note.managedObjectContext == nil)
        #expect(note.views == 0)
        note.title = title
        return false
      }
      insert.resultType = .count
      let result = try container.viewContext.execute(insert) as? NSBatchInsertResult
      #expect(result?.result as? Int == 2)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(try container.viewContext.fetch(request).map(\.title) == ["a", "b"])
    }
  }

  @Test func `a predicate compares dates with and without fractions of a second`() {
    live {
      let event = NSEntityDescription()
      event.name = "Event"
      let date = NSAttributeDescription()
      (date.name, date.attributeType) = ("date", .dateAttributeType)
      event.properties = [date]
      let model = NSManagedObjectModel()
      model.entities = [event]
      let container = NSPersistentContainer(name: "Events", managedObjectModel: model)
      container.loadPersistentStores { _, _ in }
      let view = container.viewContext
      for seconds in [2.5, 1, 3, 2] {
        NSManagedObject(entity: event, insertInto: view).setValue(
          Date(timeIntervalSinceReferenceDate: seconds), forKey: "date")
      }
      try view.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Event")
      request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
      func seconds() throws -> [Double] {
        try view.fetch(request).compactMap {
          ($0.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate
        }
      }
      #expect(try seconds() == [1, 2, 2.5, 3])
      let bound = Date(timeIntervalSinceReferenceDate: 2) as any CVarArg
      request.predicate = NSPredicate(format: "date > %@", bound)
      #expect(try seconds() == [2.5, 3])
    }
  }
}
