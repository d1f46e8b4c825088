#if os(Linux)
  import CoreData
  import Faultline
  import NotesApp
  import Testing

  /// The list, its editor and the imports, in all orders that their queues can have. The editor
  /// writes over an import that arrived while it was open: a known failure, which the test expects.
  @Test func `an editor loses what an import has saved`() throws {
    try CodeFuzzer(
      runs: 300, expected: [.lostUpdate],
      allowed: [.lostUpdateInTheStore, .staleReadThroughACachedAncestor]
    ).check { app in
      let library = try NoteLibrary()
      let id = try library.add("first")
      var editor: NoteLibrary.Editor?
      app.function("import") {
        library.importTitle("imported \(app.number(below: 100))", for: id)
      }
      app.function("open the editor") { editor = try library.edit(id) }
      app.function("type") { editor?.type("typed \(app.number(below: 100))") }
      app.function("done") {
        try editor?.done()
        editor = nil
      }
    }
  }

  /// Each import has a queue of its own, and writes over the one that saves before it.
  @Test func `imports that overtake each other lose one`() throws {
    try CodeFuzzer(runs: 300, expected: [.lostUpdateInTheStore]).check { app in
      let library = try NoteLibrary()
      let id = try library.add("first")
      app.function("import") {
        library.importTitle("imported \(app.number(below: 100))", for: id)
      }
    }
  }

  /// One import, and notes that are added meanwhile: nothing is lost.
  @Test func `a single import loses nothing`() throws {
    try CodeFuzzer(runs: 300).check { app in
      let library = try NoteLibrary()
      let id = try library.add("first")
      library.importTitle("imported", for: id)
      app.function("add") { _ = try library.add("another") }
    }
  }

  /// Two translations of a note overlap, although an actor makes them.
  @Test func `a translation writes over another`() throws {
    try CodeFuzzer(runs: 300, expected: [.lostUpdateInTheStore]).check { app in
      let library = try NoteLibrary()
      let id = try library.add("first")
      let translator = library.translator()
      app.function("translate") {
        try await translator.translate(id, to: ["English", "French"][app.number(below: 2)])
      }
    }
  }
#endif
