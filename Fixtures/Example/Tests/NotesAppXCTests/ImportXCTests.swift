import CoreData
import NotesApp
import XCTest

/// As they run on a Mac: nothing here knows of Faultline.
final class ImportXCTests: XCTestCase {
  private var library: NoteLibrary!

  override func setUp() {
    super.setUp()
    library = try! NoteLibrary()
  }

  override func tearDown() {
    library = nil
    super.tearDown()
  }

  func testAnImportReachesTheList() throws {
    let id = try library.add("first")
    let saved = expectation(forNotification: .NSManagedObjectContextDidSave, object: nil) {
      ($0.object as? NSManagedObjectContext) !== self.library.list
    }
    library.importTitle("imported", for: id)
    wait(for: [saved], timeout: 5)

    let merged = expectation(description: "the list has merged")
    DispatchQueue.main.async { merged.fulfill() }
    waitForExpectations(timeout: 5) { XCTAssertNil($0) }
    let note = try XCTUnwrap(library.list.existingObject(with: id) as? Note)
    XCTAssertEqual(note.title, "imported")
    XCTAssertEqual(note.views, 0)
  }

  /// Passes; in most orders of the queues, one import overwrites the other unseen.
  func testTwoImportsAreSaved() throws {
    let id = try library.add("first")
    let saved = expectation(description: "both imports have saved")
    saved.expectedFulfillmentCount = 2
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { _ in saved.fulfill() }
    library.importTitle("imported", for: id)
    library.importTitle("imported again", for: id)
    wait(for: [saved], timeout: 5)
    NotificationCenter.default.removeObserver(observer)
  }

  @MainActor func testATranslationIsSaved() async throws {
    let id = try library.add("first")
    try await library.translator().translate(id, to: "French")
    let list = library.list
    await list.perform { list.refreshAllObjects() }
    let note = try XCTUnwrap(list.existingObject(with: id) as? Note)
    XCTAssertEqual(note.title, "first in French")
  }

  func testTagsAreSharedByNotes() throws {
    let tag = Tag(context: library.list)
    tag.label = "red"
    for title in ["first", "second"] {
      let id = try library.add(title)
      let note = try XCTUnwrap(library.list.existingObject(with: id) as? Note)
      note.addToTags(tag)
    }
    try library.list.save()
    XCTAssertEqual(tag.notes?.count, 2)
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    XCTAssertEqual(try library.list.fetch(request).map(\.label), ["red"])
  }
}
