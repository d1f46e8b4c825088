import Bookshelf
import CoreData
import XCTest

final class ContextXCTests: BookshelfCase {
  func testUndoAndRedo() throws {
    context.undoManager = UndoManager()
    let book = book("first")
    try context.save()
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    context.undoManager?.beginUndoGrouping()
    book.title = "second"
    context.undoManager?.setActionName("Rename")
    context.undoManager?.endUndoGrouping()
    XCTAssertEqual(context.undoManager?.undoActionName, "Rename")
    XCTAssertTrue(context.undoManager!.canUndo)
    context.undo()
    XCTAssertEqual(book.title, "first")
    context.redo()
    XCTAssertEqual(book.title, "second")
    context.undoManager?.disableUndoRegistration()
    let other = self.book("other")
    context.processPendingChanges()
    context.undoManager?.enableUndoRegistration()
    context.undo()
    XCTAssertTrue(other.isInserted)
    XCTAssertEqual(book.title, "first")
  }

  func testChangedAndCommittedValues() throws {
    let book = book("old")
    try context.save()
    XCTAssertTrue(book.changedValues().isEmpty)
    book.title = "new"
    book.pages = 5
    XCTAssertEqual(book.changedValues().keys.sorted(), ["pages", "title"])
    XCTAssertEqual(book.committedValues(forKeys: ["title"])["title"] as? String, "old")
    XCTAssertEqual(book.changedValuesForCurrentEvent().count, 2)
    XCTAssertTrue(book.isUpdated && book.hasPersistentChangedValues)
    context.refresh(book, mergeChanges: false)
    XCTAssertEqual(book.title, "old")
    XCTAssertFalse(context.hasChanges)
    book.dictionaryWithValues(forKeys: ["title"]).forEach { XCTAssertEqual($0.key, "title") }
    book.setValuesForKeys(["title": "keyed", "pages": 9])
    XCTAssertEqual(book.pages, 9)
  }

  func testTransientAttributeMarksNoPersistentChange() throws {
    let shelf = Shelf(context: context)
    shelf.label = "Shelf"
    try context.save()
    shelf.selected = true
    XCTAssertTrue(context.hasChanges)
    XCTAssertTrue(shelf.hasChanges)
    XCTAssertFalse(shelf.hasPersistentChangedValues)
  }

  func testChildContextSavesIntoParent() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    let id = try child.performAndWait { () -> NSManagedObjectID in
      let book = Book(context: child)
      book.title = "from the child"
      try child.obtainPermanentIDs(for: [book])
      try child.save()
      return book.objectID
    }
    XCTAssertTrue(context.hasChanges)
    let book = try XCTUnwrap(context.object(with: id) as? Book)
    XCTAssertEqual(book.title, "from the child")
    XCTAssertTrue(book.isInserted)
    try context.save()
    XCTAssertEqual(context.registeredObject(for: id), book)
    XCTAssertNil(child.performAndWait { child.parent?.parent })
  }

  func testDidSaveKeysOfANotification() throws {
    let old = book("old")
    try context.save()
    let saved = expectation(
      forNotification: NSManagedObjectContext.didSaveObjectsNotification, object: context
    ) { notification in
      let inserted =
        notification.userInfo?[NSManagedObjectContext.NotificationKey.insertedObjects.rawValue]
        as? Set<NSManagedObject>
      let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
      let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
      return inserted?.count == 1 && updated?.first === old && deleted == nil
    }
    let ids = expectation(
      forNotification: NSManagedObjectContext.didSaveObjectIDsNotification, object: context
    ) { notification in
      let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
      return (notification.userInfo?[key] as? Set<NSManagedObjectID>)?.count == 1
    }
    let will = expectation(forNotification: .NSManagedObjectContextWillSave, object: context)
    old.title = "changed"
    book("new")
    try context.save()
    wait(for: [will, saved, ids], timeout: 1)
  }

  func testObjectsDidChangeTellsOfRefreshes() throws {
    let book = book("book")
    try context.save()
    var keys: [[String]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didChangeObjectsNotification, object: context, queue: .main
    ) { notification in
      keys.append(
        (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }.filter {
          $0 != "managedObjectContext"
        }.sorted())
    }
    context.refresh(book, mergeChanges: true)
    context.refreshAllObjects()
    context.processPendingChanges()
    book.title = "again"
    context.processPendingChanges()
    context.reset()
    NotificationCenter.default.removeObserver(observer)
    XCTAssertTrue(keys.contains { $0.contains(NSRefreshedObjectsKey) })
    XCTAssertTrue(keys.contains([NSUpdatedObjectsKey]))
    XCTAssertTrue(keys.contains { $0.contains(NSInvalidatedAllObjectsKey) })
  }

  func testMergeChangesFromRemoteContextSave() throws {
    let book = book("book")
    try context.save()
    let background = controller.newTaskContext()
    let result = try background.performAndWait { () -> NSBatchUpdateResult? in
      let request = NSBatchUpdateRequest(entity: Book.entity())
      request.predicate = NSPredicate(format: "title == %@", "book")
      request.propertiesToUpdate = [
        "title": "updated", #keyPath(Book.pages): NSExpression(format: "pages + 1"),
      ]
      request.resultType = .updatedObjectIDsResultType
      return try background.execute(request) as? NSBatchUpdateResult
    }
    let ids = try XCTUnwrap(result?.result as? [NSManagedObjectID])
    XCTAssertEqual(ids, [book.objectID])
    XCTAssertEqual(book.title, "book")
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
    XCTAssertEqual(book.title, "updated")
    XCTAssertEqual(book.pages, 101)
  }

  func testBatchDeleteWithObjectIDs() throws {
    for number in 1...4 { book("\(number)", pages: Int32(number)) }
    try context.save()
    let request = NSBatchDeleteRequest(
      fetchRequest: {
        let f: NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest();
        f.predicate = NSPredicate(format: "pages > 2"); return f
      }())
    request.resultType = .resultTypeObjectIDs
    request.affectedStores = controller.container.persistentStoreCoordinator.persistentStores
    let result = try context.execute(request) as? NSBatchDeleteResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    XCTAssertEqual(ids.count, 2)
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    XCTAssertEqual(try context.count(for: Book.fetchRequest()), 2)
    let left = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
    let byID = NSBatchDeleteRequest(objectIDs: left.map(\.objectID))
    byID.resultType = .resultTypeCount
    XCTAssertEqual((try context.execute(byID) as? NSBatchDeleteResult)?.result as? Int, 2)
  }

  func testBatchInsertWithAManagedObjectHandler() throws {
    let titles = ["one", "two", "three"]
    var iterator = titles.makeIterator()
    let request = NSBatchInsertRequest(
      entityName: "Book",
      managedObjectHandler: { object in
        guard let title = iterator.next() else { return true }
        (object as? Book)?.title = title
        return false
      })
    request.resultType = .objectIDs
    let result = try context.execute(request) as? NSBatchInsertResult
    let ids = result?.result as? [NSManagedObjectID]
    XCTAssertEqual(ids?.count, 3)
    let fetch: NSFetchRequest<Book> = Book.fetchRequest()
    fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    XCTAssertEqual(try context.fetch(fetch).map(\.title), ["one", "three", "two"])
  }

  func testMergePolicySubclassResolvesConstraintConflicts() throws {
    final class KeepLonger: NSMergePolicy {
      init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list {
          guard let kept = conflict.databaseObject as? Author else { continue }
          for case let other as Author in conflict.conflictingObjects {
            kept.born = other.born ?? kept.born
          }
        }
        try super.resolve(constraintConflicts: list)
      }
    }
    _ = author("Twin")
    try context.save()
    context.mergePolicy = KeepLonger()
    let twin = author("Twin")
    twin.born = Date(timeIntervalSinceReferenceDate: 77)
    try context.save()
    let request: NSFetchRequest<Author> = Author.fetchRequest()
    let all = try context.fetch(request)
    XCTAssertEqual(all.count, 1)
    XCTAssertEqual(all.first?.born, Date(timeIntervalSinceReferenceDate: 77))
  }

  func testOptimisticLockingConflict() throws {
    let book = book("base")
    try context.save()
    context.mergePolicy = NSErrorMergePolicy
    let other = controller.newTaskContext()
    try other.performAndWait {
      (try other.existingObject(with: book.objectID) as? Book)?.title = "theirs"
      try other.save()
    }
    context.automaticallyMergesChangesFromParent = false
    book.title = "mine"
    XCTAssertThrowsError(try context.save()) { error in
      let error = error as NSError
      XCTAssertEqual(error.code, NSManagedObjectMergeError)
      let conflict = (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?
        .first
      XCTAssertEqual(conflict?.sourceObject, book)
      XCTAssertEqual(conflict?.objectSnapshot?["title"] as? String, "base")
      XCTAssertEqual(conflict?.cachedSnapshot?["title"] as? String, "theirs")
      XCTAssertNil(conflict?.persistedSnapshot)
      XCTAssertGreaterThan(conflict!.newVersionNumber, conflict!.oldVersionNumber)
    }
    context.mergePolicy = NSOverwriteMergePolicy
    try context.save()
    context.refresh(book, mergeChanges: true)
    XCTAssertEqual(book.title, "mine")
  }

  func testPerformWithScheduleAndUserInfo() async throws {
    let context = controller.newTaskContext()
    context.userInfo["purpose"] = "test"
    let count = try await context.perform(schedule: .enqueued) {
      for number in 0..<3 { Book(context: context).title = "\(number)" }
      try context.save()
      return try context.count(for: Book.fetchRequest())
    }
    XCTAssertEqual(count, 3)
    let name = await context.perform(schedule: .immediate) { context.name }
    XCTAssertEqual(name, "import")
    XCTAssertEqual(context.userInfo["purpose"] as? String, "test")
  }

  func testImportOfTheSampleCode() async throws {
    try await controller.importBooks(["a", "b", "c"])
    let merged = try await controller.fetchPersistentHistory()
    XCTAssertEqual(merged, 1)
    let view = controller.container.viewContext
    let titles = try await view.perform {
      try view.fetch(Book.fetchRequest()).compactMap { ($0 as? Book)?.title }.sorted()
    }
    XCTAssertEqual(titles, ["a", "b", "c"])
    let again = try await controller.fetchPersistentHistory()
    XCTAssertEqual(again, 0)
  }

  func testKeyValueObservation() throws {
    let book = book("seen")
    var changes: [String] = []
    let token = book.observe(\.title, options: [.old, .new, .initial]) { _, change in
      changes.append("\((change.oldValue ?? nil) ?? "-") > \((change.newValue ?? nil) ?? "-")")
    }
    book.title = "changed"
    book.title = nil
    token.invalidate()
    book.title = "unseen"
    XCTAssertEqual(changes, ["- > seen", "seen > changed", "changed > -"])
  }

  func testAccidentalUseAfterDeletion() throws {
    let book = book("gone")
    try context.save()
    let id = book.objectID
    context.delete(book)
    XCTAssertTrue(book.isDeleted)
    XCTAssertEqual(context.deletedObjects, [book])
    try context.save()
    XCTAssertFalse(book.isDeleted)
    XCTAssertNil(book.managedObjectContext)
    XCTAssertThrowsError(try context.existingObject(with: id)) {
      XCTAssertEqual(($0 as NSError).code, NSManagedObjectReferentialIntegrityError)
    }
    let fault = context.object(with: id)
    XCTAssertTrue(fault.isFault)
  }

  func testCoordinatorBlocksAndMetadata() throws {
    let coordinator = controller.container.persistentStoreCoordinator
    let store = try XCTUnwrap(coordinator.persistentStores.first)
    coordinator.performAndWait {
      var metadata = coordinator.metadata(for: store)
      metadata["lastImport"] = "yesterday"
      coordinator.setMetadata(metadata, for: store)
    }
    let done = expectation(description: "done")
    coordinator.perform { done.fulfill() }
    wait(for: [done], timeout: 1)
    XCTAssertEqual(coordinator.metadata(for: store)["lastImport"] as? String, "yesterday")
    XCTAssertNotNil(coordinator.metadata(for: store)[NSStoreUUIDKey])
    XCTAssertEqual(coordinator.metadata(for: store)[NSStoreTypeKey] as? String, NSSQLiteStoreType)
    XCTAssertEqual(store.type, NSSQLiteStoreType)
    XCTAssertEqual(store.url?.path, "/dev/null")
    XCTAssertFalse(store.isReadOnly)
  }
}
