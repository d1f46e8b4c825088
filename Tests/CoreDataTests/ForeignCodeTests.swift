import CoreData
import Foundation
import Testing

/// Expectations of libraries' tests that were written for Apple's framework.
@Suite struct `Code of other apps` {
  private func insert(_ titles: String..., in context: NSManagedObjectContext) {
    for title in titles { Note(context: context).title = title }
  }

  @Test func `a context releases unreferenced objects at the end of a block`() {
    live {
      let context = Notes.container().newBackgroundContext()
      let kept = try context.performAndWait { () -> Note in
        insert("a", in: context)
        let kept = Note(context: context)
        try context.save()
        return kept
      }
      context.performAndWait { #expect(context.registeredObjects == [kept]) }
    }
  }

  @Test func `a merge leaves no unreferenced object registered`() {
    live {
      let container = Notes.container()
      let (view, other) = (container.viewContext, container.newBackgroundContext())
      let token = SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: other, queue: nil
      ) { view.mergeChanges(fromContextDidSave: $0) }
      var inserted = 0
      let changes = SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
      ) { inserted += ($0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
      try other.performAndWait {
        insert("a", in: other)
        try other.save()
      }
      #expect(inserted == 1 && view.registeredObjects.isEmpty)
      for token in [token, changes] { SimulatedNotificationCenter.default.removeObserver(token) }
    }
  }

  @Test func `a delegate receives a removed section without objects`() {
    final class Delegate: NSFetchedResultsControllerDelegate {
      var sections: [String] = []
      func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange section: any NSFetchedResultsSectionInfo, atSectionIndex index: Int,
        for type: NSFetchedResultsChangeType
      ) { sections.append("\(section.name) \(section.numberOfObjects)") }
    }
    live {
      let view = Notes.container().viewContext
      insert("a", "b", in: view)
      try view.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: "title",
        cacheName: nil)
      let delegate = Delegate()
      list.delegate = delegate
      try list.performFetch()
      list.fetchedObjects?.first?.title = "c"
      view.processPendingChanges()
      #expect(delegate.sections == ["a 0", "c 1"])
    }
  }

  @Test func `a dictionary request fetches the object's ID by the key objectID`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.title = "a"
      try view.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title", "objectID"]
      let row = try view.fetch(request)[0]
      #expect(row["objectID"] as? NSManagedObjectID == note.objectID)
      #expect(row["title"] as? String == "a")
    }
  }

  @Test func `a SQLite store compares texts with numbers`() {
    live {
      let view = Notes.container().viewContext
      insert("5", in: view)
      try view.save()
      func count(_ format: String, _ argument: Any) throws -> Int {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: format, argumentArray: [argument])
        return try view.count(for: request)
      }
      #expect(try count("title == %@", 5) == 1)
      #expect(try count("title IN %@", [4, 5]) == 1)
      #expect(try count("views == %@", "0") == 1)
      #expect(try count("views == %@", "1") == 0)
    }
  }

  @Test func `a format substitutes keys within a key path`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      let tag = NSManagedObject.ofEntityClass(
        entity: note.entity.relationshipsByName["tags"]!.destinationEntity!, insertInto: view)
      tag.setValue("red", forKey: "label")
      note.tags = [tag]
      try view.save()
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      for (format, keys) in [
        ("ANY %K.%K == 'red'", ["tags", "label"]),
        ("ANY tags.%K == 'red'", ["label"]),
        ("SUBQUERY(tags, $t, $t.%K == 'red').@count == 1", ["label"]),
      ] {
        request.predicate = NSPredicate(format: format, argumentArray: keys)
        #expect(try view.count(for: request) == 1, "\(format)")
      }
    }
  }

  @Test func `a batch insertion fails for a key that the entity does not have`() throws {
    live {
      let view = Notes.container().viewContext
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["name": "a"]])
      let error = try #require(throws: NSError.self) { try view.execute(request) }
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
    }
  }

  @Test func `an unsaved object has no committed values`() {
    live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.title = "a"
      #expect(note.committedValues(forKeys: ["title"]).isEmpty)
      try view.save()
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "a")
    }
  }

  @Test func `store metadata set by code is written by the next save`() {
    live {
      let container = Notes.container()
      let store = container.persistentStoreCoordinator.persistentStores[0]
      func written() throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: store.type, at: store.url!)["key"] as? String
      }
      store.metadata["key"] = "value"
      #expect(try written() == nil)
      try container.viewContext.save()
      #expect(try written() == "value")
      #expect(UUID(uuidString: store.identifier) != nil)
    }
  }

  @Test func `a localized string is not translated`() {
    #expect(String(localized: "\(2) notes", bundle: .main, comment: "a count") == "2 notes")
  }

  @Test func `a sort descriptor has a selector unless it uses a comparator`() {
    live {
      #expect(
        NSStringFromSelector(NSSortDescriptor(key: "a", ascending: true).selector!) == "compare:")
      let byMethod = NSSortDescriptor(
        key: "a", ascending: true, selector: SimulatedSelector("localizedCompare:"))
      #expect(byMethod.selector != nil)
      let byComparator = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
      #expect(byComparator.selector == nil)
    }
  }
}

@Suite struct `A decimal or composite value` {
  /// Returns a container whose notes have one additional attribute.
  private func container(
    _ attribute: NSAttributeDescription, type: String = NSSQLiteStoreType
  ) -> NSPersistentContainer {
    let model = Notes.model()
    model.entitiesByName["Note"]?.properties.append(attribute)
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions[0].type = type
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }

  private func place() -> NSCompositeAttributeDescription {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    let street = NSAttributeDescription()
    (street.name, street.attributeType) = ("street", .stringAttributeType)
    place.elements = [street]
    return place
  }

  @Test func `a decimal of many digits is rounded`() {
    live {
      let price = NSAttributeDescription()
      (price.name, price.attributeType) = ("price", .decimalAttributeType)
      let view = container(price).viewContext
      let note = Note(context: view)
      func stored(_ decimal: Decimal) -> NSDecimalNumber? {
        note.setValue(NSDecimalNumber(decimal: decimal), forKey: "price")
        return note.value(forKey: "price") as? NSDecimalNumber
      }
      #expect(stored(Decimal(2) / Decimal(3))?.description == "0.666666666666666667")
      #expect(stored(Decimal(200_000) / Decimal(3))?.description == "66666.6666666666667")
      #expect(stored(Decimal(string: "-1.25")!)?.description == "-1.25")
    }
  }

  @Test func `a composite attribute has a dictionary as its value`() {
    live {
      let container = container(place())
      let declared = container.managedObjectModel.entitiesByName["Note"]?.attributesByName["place"]
      #expect(declared?.type == .composite && declared?.attributeValueClassName == "NSDictionary")
      let copy = declared?.copy() as? NSCompositeAttributeDescription
      #expect(copy?.elements.map(\.name) == ["street"])
      let view = container.viewContext
      let note = Note(context: view)
      note.setValue(["street": "Main"], forKey: "place")
      try view.save()
      view.refresh(note, mergeChanges: false)
      #expect((note.value(forKey: "place") as? [String: Any])?["street"] as? String == "Main")
      note.setValue(["street": "Main"], forKey: "place")
      #expect(!note.hasPersistentChangedValues)
      note.setValue(["street": "Main"] as [String: Any], forKey: "place")
      #expect(!note.hasPersistentChangedValues)
      note.setValue(["street": "Side"], forKey: "place")
      #expect(note.hasPersistentChangedValues)
    }
  }

  @Test func `a composite attribute needs a SQLite store`() {
    let trap = live {
      let suite = `A decimal or composite value`()
      _ = suite.container(suite.place(), type: NSInMemoryStoreType)
    }.trap
    #expect(
      trap?.contains("the composite attribute 'place' requires a SQLite store") == true,
      "\(trap ?? "")")
  }

  @Test func `a store's predicate cannot use the elements of a composite attribute`() {
    let trap = live {
      let suite = `A decimal or composite value`()
      let view = suite.container(suite.place()).viewContext
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "place.street == 'Main'")
      _ = try view.fetch(request)
    }.trap
    #expect(trap?.contains("no property 'street'") == true, "\(trap ?? "")")
  }
}

@Suite struct `A query generation` {
  private func container(_ url: String?, _ journal: String? = nil) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: Notes.model())
    let description = container.persistentStoreDescriptions[0]
    if let url {
      description.url = URL(fileURLWithPath: url)
    } else {
      description.type = NSInMemoryStoreType
    }
    if let journal { description.setValue(journal as NSString, forPragmaNamed: "journal_mode") }
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }

  /// Setting a query generation throws no error, because some apps treat the error as fatal.
  @Test func `a query generation has no effect on a context's reads`() throws {
    live {
      for container in [
        container("/stores/Notes.sqlite"), container(nil), container("/dev/null"),
        container("/stores/Others.sqlite", "DELETE"),
      ] {
        let view = container.viewContext
        for token in [NSQueryGenerationToken.current, nil] {
          #expect(throws: Never.self) { try view.setQueryGenerationFrom(token) }
          #expect(view.queryGenerationToken == nil)
        }
        let count = try? view.count(for: Note.fetchRequest())
        let other = container.newBackgroundContext()
        other.performAndWait {
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: other)
          note.setValue("new", forKey: "title")
          #expect(throws: Never.self) { try other.save() }
        }
        try? view.setQueryGenerationFrom(.current)
        #expect((try? view.count(for: Note.fetchRequest())) == count.map { $0 + 1 })
      }
    }
  }

  /// Covers PS-08.
  @Test func `a child context refuses a query generation`() {
    live {
      let container = container(nil)
      let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      child.parent = container.viewContext
      #expect(throws: NSError.self) { try child.setQueryGenerationFrom(.current) }
    }
  }
}
