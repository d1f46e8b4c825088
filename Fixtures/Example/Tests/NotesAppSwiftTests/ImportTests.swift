import CoreData
import NotesApp
import Testing

/// As they run on a Mac: nothing here knows of Faultline.
@MainActor @Suite struct ImportTests {
  private let library: NoteLibrary

  init() throws { library = try NoteLibrary() }

  private func title(of id: NSManagedObjectID) throws -> String? {
    try #require(library.list.existingObject(with: id) as? Note).title
  }

  @Test func importsReachTheList() async throws {
    let id = try library.add("first")
    library.importTitle("imported", for: id)
    try await Task.sleep(for: .seconds(60))
    #expect(try title(of: id) == "imported")
  }

  @Test("a translation is saved", arguments: ["French", "German"])
  func translations(into language: String) async throws {
    let id = try library.add("first")
    try await library.translator().translate(id, to: language)
    let list = library.list
    await list.perform { list.refreshAllObjects() }
    #expect(try title(of: id) == "first in \(language)")
  }

  @Test func editorsChangeTheList() throws {
    let id = try library.add("first")
    let editor = try library.edit(id)
    editor.type("edited")
    #expect(try title(of: id) == "first")
    try editor.done()
    #expect(try title(of: id) == "edited")
  }
}

@Test("a note can be saved beside the main actor", .timeLimit(.minutes(5)))
func savingBesideTheMainActor() async throws {
  let container = NSPersistentContainer(name: "Notes")
  try await confirmation { loaded in
    container.loadPersistentStores { _, error in
      #expect(error == nil)
      loaded()
    }
    try await container.performBackgroundTask { context in
      let note = Note(context: context)
      note.title = "alone"
      try context.save()
    }
  }
}
