import CoreData
import XCTest

/// Saving a child context hands its inserted object to the parent. The parent makes an instance of
/// its own and awakens that one too: awakeFromInsert runs a second time, in another context, on an
/// object whose attributes are still nil. A class that stamps an identity there stamps two of them;
/// a class that inserts a companion object there inserts two of those.
final class ChildSaveRefiresAwakeFromInsertTests: XCTestCase {
  private var coordinator: NSPersistentStoreCoordinator!
  private var view: NSManagedObjectContext!
  private var edit: NSManagedObjectContext!
  private var nInView: NSManagedObject!
  private var nInEdit: NSManagedObject!
  private var didSavesOfView: [[String: Int]] = []
  private var didSavesOfEdit: [[String: Int]] = []

  func testChildSaveRefiresAwakeFromInsert() throws {
    ChildSaveRefiresAwakeFromInsertCalls.reset()
    let model = makeModel()
    let mainURL = temporaryURL("main")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: mainURL, options: nil)
    view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    view.name = "view"
    view.persistentStoreCoordinator = coordinator
    edit = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    edit.name = "edit"
    edit.parent = view

    observe(NSManagedObjectContext.didSaveObjectsNotification, of: view) { [self] notification in
      didSavesOfView.append(counts(in: notification))
    }
    observe(NSManagedObjectContext.didSaveObjectsNotification, of: edit) { [self] notification in
      didSavesOfEdit.append(counts(in: notification))
    }

    try edit.performAndWait {
      nInEdit = NSEntityDescription.insertNewObject(forEntityName: "Note", into: edit)
      nInEdit.setValue("draft", forKey: "title")
      try edit.save()
    }
    try view.performAndWait {
      nInView = view.object(with: nInEdit.objectID)
      try view.save()
    }

    XCTAssertEqual(didSavesOfView, [["inserted": 1]])
    XCTAssertEqual(didSavesOfEdit, [["inserted": 1]])
    XCTAssertEqual(
      ChildSaveRefiresAwakeFromInsertCalls.names, ["awakeFromInsert", "awakeFromInsert"])

    view.performAndWait {
      XCTAssertEqual(nInView.value(forKey: "title") as? String, "draft")
      XCTAssertEqual(nInView.value(forKey: "stamp") as? Int, 1)
    }

    // Check the stored rows.
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.stalenessInterval = 0
    try reader.performAndWait {
      XCTAssertEqual(
        Set(try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map(\.objectID)),
        [nInView.objectID])
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

  /// Returns the number of objects that a notification lists, by key.
  private func counts(in notification: Notification) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (key, value) in notification.userInfo ?? [:] {
      let count = (value as? Set<NSObject>)?.count ?? (value as? [Any])?.count
      guard let key = key as? String, let count, count > 0 else { continue }
      counts[key.replacingOccurrences(of: "_objectIDs", with: "")] = count
    }
    return counts
  }

  /// Returns the URL of a new store file.
  private func temporaryURL(_ name: String) -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(name)-\(UUID().uuidString).sqlite")
  }

  private func makeModel() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = NSStringFromClass(ChildSaveRefiresAwakeFromInsertNote.self)

    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let stamp = NSAttributeDescription()
    stamp.name = "stamp"
    stamp.attributeType = .integer64AttributeType
    note.properties = [title, stamp]

    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }
}

/// The state that the hooks of all objects share. Hooks run one at a time.
enum ChildSaveRefiresAwakeFromInsertCalls {
  nonisolated(unsafe) static var names: [String] = []
  nonisolated(unsafe) private static var lastNumber = 0

  static func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  static func reset() {
    names = []
    lastNumber = 0
  }
}

class ChildSaveRefiresAwakeFromInsertNote: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    ChildSaveRefiresAwakeFromInsertCalls.names.append("awakeFromInsert")
    setValue(ChildSaveRefiresAwakeFromInsertCalls.nextNumber(), forKey: "stamp")
  }
}
