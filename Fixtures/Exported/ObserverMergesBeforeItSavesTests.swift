import CoreData
import XCTest

/// As observer-saves-over-a-newer-row, but the observer merges the save first. The merge renews the
/// version that the main context has loaded and keeps its edit; the save finds no conflict.
final class ObserverMergesBeforeItSavesTests: XCTestCase {
  private var coordinator: NSPersistentStoreCoordinator!
  private var view: NSManagedObjectContext!
  private var sync: NSManagedObjectContext!
  private var nInView: NSManagedObject!
  private var nInSync: NSManagedObject!

  func testObserverMergesBeforeItSaves() throws {
    let model = makeModel()
    let mainURL = temporaryURL("main")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: mainURL, options: nil)
    view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    view.name = "view"
    view.persistentStoreCoordinator = coordinator
    sync = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sync.name = "sync"
    sync.persistentStoreCoordinator = coordinator

    observe(NSManagedObjectContext.didSaveObjectsNotification, of: sync) { [self] notification in
      view.perform { [self] in
        view.mergeChanges(fromContextDidSave: notification)
        try? view.save()
      }
    }

    try view.performAndWait {
      nInView = NSEntityDescription.insertNewObject(forEntityName: "Note", into: view)
      try view.save()
    }
    try sync.performAndWait {
      nInSync = try sync.existingObject(with: nInView.objectID)
    }
    view.performAndWait {
      nInView.setValue("typed", forKey: "title")
    }
    try sync.performAndWait {
      nInSync.setValue(5, forKey: "stars")
      try sync.save()
    }
    waitForBlocks(of: view)

    view.performAndWait {
      XCTAssertFalse(view.hasChanges)
    }

    // Check the stored rows.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.stalenessInterval = 0
    try reader.performAndWait {
      let row = try XCTUnwrap(
        try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
          .first { $0.objectID == nInView.objectID })
      XCTAssertEqual(row.value(forKey: "title") as? String, "typed")
      XCTAssertEqual(row.value(forKey: "stars") as? Int, 5)
    }
  }

  /// Observes a notification of the context until the test has ended.
  private func observe(
    _ name: Notification.Name, of context: NSManagedObjectContext,
    by block: @escaping (Notification) -> Void
  ) {
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: context, queue: nil, using: block)
    addTeardownBlock { NotificationCenter.default.removeObserver(observer) }
  }

  /// Lets the main queue run until the context's blocks have ended.
  private func waitForBlocks(of context: NSManagedObjectContext) {
    let done = expectation(description: "the blocks have ended")
    context.perform { done.fulfill() }
    wait(for: [done], timeout: 10)
  }

  /// Returns the URL of a new store file.
  private func temporaryURL(_ name: String) -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).sqlite")
  }

  private func makeModel() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"

    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let stars = NSAttributeDescription()
    stars.name = "stars"
    stars.attributeType = .integer64AttributeType
    note.properties = [title, stars]

    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }
}
