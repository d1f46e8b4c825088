import CoreData
import XCTest

/// This test passes while the problem is there: it states what Core Data does. Comments that begin
/// with “Lost update” mark where it happens, and the assertions that show what it leaves. It fails
/// once Core Data does otherwise.
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

    // What the stores have.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.stalenessInterval = 0
    try reader.performAndWait {
      // Lost update: this is what it leaves.
      XCTAssertTrue(
        try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
          .contains { $0.value(forKey: "title") as? String == "second" })
    }
  }

  /// A place where there is no store yet.
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
