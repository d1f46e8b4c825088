import CoreData
import XCTest

/// This test passes while the problem exists: it asserts the current behaviour of Core Data.
/// Comments that begin with “Lost update” mark the step that shows the problem, and the assertions
/// that show its effect. The test fails once Core Data behaves differently.
///
/// Two children edit the title of one note and save, one after the other. Between two root contexts
/// the second save would fail; between children it succeeds, and the first edit is overwritten
/// unseen. A proxy context between the store and the others turns every conflict into "the last one
/// wins".
final class LastChildWinsTests: XCTestCase {
  private var coordinator: NSPersistentStoreCoordinator!
  private var proxy: NSManagedObjectContext!
  private var view: NSManagedObjectContext!
  private var sync: NSManagedObjectContext!
  private var nInView: NSManagedObject!
  private var nInSync: NSManagedObject!

  func testLastChildWins() throws {
    let model = makeModel()
    let mainURL = temporaryURL("main")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: mainURL, options: nil)
    proxy = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    proxy.name = "proxy"
    proxy.persistentStoreCoordinator = coordinator
    view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    view.name = "view"
    view.parent = proxy
    sync = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sync.name = "sync"
    sync.parent = proxy

    try view.performAndWait {
      nInView = NSEntityDescription.insertNewObject(forEntityName: "Note", into: view)
      nInView.setValue("old", forKey: "title")
      try view.save()
    }
    try sync.performAndWait {
      // sync loads n.title as "old".
      nInSync = try sync.existingObject(with: nInView.objectID)
    }
    try view.performAndWait {
      // view sets n.title to "first".
      nInView.setValue("first", forKey: "title")
      // view saves n.title = "first" to proxy.
      try view.save()
    }
    try sync.performAndWait {
      // sync sets n.title to "second".
      nInSync.setValue("second", forKey: "title")
      // sync saves n.title = "second" to proxy.
      // Lost update: sync saved "second" over "first", which it had never seen, as
      // n.title.
      try sync.save()
    }
    try proxy.performAndWait {
      try proxy.save()
    }

    proxy.performAndWait {
      XCTAssertFalse(proxy.hasChanges)
    }
    view.performAndWait {
      XCTAssertEqual(nInView.value(forKey: "title") as? String, "first")
    }

    // Check the stored rows.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.stalenessInterval = 0
    try reader.performAndWait {
      // Lost update: the next assertion shows its effect.
      XCTAssertTrue(
        try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
          .contains { $0.value(forKey: "title") as? String == "second" })
    }
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
    note.properties = [title]

    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }
}
