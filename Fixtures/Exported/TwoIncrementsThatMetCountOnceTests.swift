import CoreData
import XCTest

/// This test passes while the problem exists: it asserts the current behaviour of Core Data.
/// Comments that begin with “Lost update through a merge in the store” mark the step that shows the
/// problem, and the assertions that show its effect. The test fails once Core Data behaves
/// differently.
///
/// Each of the two blocks adds one. If the second reads before the first has saved, both come to
/// the same number; the merge that tells the second of the save keeps its edit, and its own save
/// meets no conflict any more. One after the other they would have counted two.
final class TwoIncrementsThatMetCountOnceTests: XCTestCase {
  private var coordinator: NSPersistentStoreCoordinator!
  private var view: NSManagedObjectContext!
  private var sync: NSManagedObjectContext!
  private var cInView: NSManagedObject!
  private var cInSync: NSManagedObject!
  /// Each semaphore lets one queue continue after a step of another queue.
  private let turns = (0..<3).map { _ in DispatchSemaphore(value: 0) }
  private var savesOfView: [Notification] = []

  func testTwoIncrementsThatMetCountOnce() throws {
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

    observe(NSManagedObjectContext.didSaveObjectsNotification, of: view) { [self] notification in
      savesOfView.append(notification)
    }

    let done = expectation(description: "the program has ended")
    DispatchQueue(label: "program").async { [self] in
      do {
        view.performAndWait {
          cInView = NSEntityDescription.insertNewObject(forEntityName: "Counter", into: view)
        }
        view.performAndWait {
          cInView.setValue(1, forKey: "count")
        }
        try view.performAndWait {
          try view.save()
        }
        turns[0].signal()
        view.perform { [self] in
          do {
            turns[1].wait()
            cInView.setValue((cInView.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
            // view saves c.count = 2 to the store.
            try view.save()
            turns[2].signal()
          } catch {
            XCTFail("\(error)")
          }
        }
        sync.perform { [self] in
          turns[0].wait()
          cInSync = sync.object(with: cInView.objectID)
          // sync reads c.count as 1.
          // sync sets c.count to 2.
          cInSync.setValue((cInSync.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
          turns[1].signal()
        }
        turns[2].wait()
        sync.performAndWait {
          // sync merges c from a save of view.
          sync.mergeChanges(fromContextDidSave: savesOfView[1])
        }
        try sync.performAndWait {
          // Lost update through a merge in the store: sync and view both set c.count to
          // 2, and a merge hid the conflict.
          try sync.save()
        }
        view.performAndWait {}
        sync.performAndWait {}
      } catch {
        XCTFail("\(error)")
      }
      done.fulfill()
    }
    wait(for: [done], timeout: 10)

    // Check the stored rows.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.stalenessInterval = 0
    try reader.performAndWait {
      let row = try XCTUnwrap(
        try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter"))
          .first { $0.objectID == cInView.objectID })
      // Lost update through a merge in the store: the next assertion shows its effect.
      XCTAssertEqual(row.value(forKey: "count") as? Int, 2)
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

  /// Returns the URL of a new store file.
  private func temporaryURL(_ name: String) -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).sqlite")
  }

  private func makeModel() -> NSManagedObjectModel {
    let counter = NSEntityDescription()
    counter.name = "Counter"

    let count = NSAttributeDescription()
    count.name = "count"
    count.attributeType = .integer64AttributeType
    counter.properties = [count]

    let model = NSManagedObjectModel()
    model.entities = [counter]
    return model
  }
}
