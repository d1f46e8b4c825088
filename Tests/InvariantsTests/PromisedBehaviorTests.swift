import Testing

@Suite struct `A promise to keep a property` {
  private static let purge = """
    entry  purge
      work  performAndWait
        forEach registered delete
        save
    """
  private static let finish = "entry  finish\n  work  performAndWait\n    save\n"
  private static let note = """
      view  insert Folder as f
      view  insert Note as n
      view  relate n.folder f
      view  save
      work  existingObject view.n as n

    """

  private func broken(_ promise: String, _ parts: String, _ steps: String) throws -> [String] {
    try brokenPromises(promise: promise, parts: parts, Self.note + steps)
  }

  @Test func `is broken by a step of the entry point that changes the property`() throws {
    #expect(
      try broken("purge keeps Folder.notes", Self.purge, "  view  call purge") == [
        "'purge keeps Folder.notes' is violated: a call has changed; after step 6"
      ])
  }

  @Test func `is kept by a step that deletes the object`() throws {
    #expect(
      try broken("purge keeps Note.title and folder", Self.purge, "  view  call purge").isEmpty)
  }

  /// The program deletes the note, or saves its own edit by the call.
  @Test(arguments: [
    "  work  delete n\n  view  call finish",
    "  work  relate n.folder nil\n  view  call finish",
    "  view  call finish\n  work  delete n\n  work  save",
  ])
  func `is kept if the program changes the property`(steps: String) throws {
    #expect(try broken("finish keeps Folder.notes", Self.finish, steps).isEmpty)
    #expect(try broken("finish keeps Note.folder", Self.finish, steps).isEmpty)
  }

  /// The entry point deletes the folder, and the delete rule clears the relationship at the save.
  @Test func `is broken by delete rules that follow from a deletion by the entry point`() throws {
    let steps = """
        view  insert Folder as f
        view  insert Note as n
        view  relate n.folder f
        view  save
        work  existingObject view.f as f
        view  call purge
      """
    #expect(
      try brokenPromises(promise: "purge keeps Note.folder", parts: Self.purge, steps).count == 1)
    // Beside a deletion by the program, the delete rules may be the program's.
    let beside = steps.replacing(
      "  view  call purge",
      with: "  work  existingObject view.n as n\n  work  delete n\n  view  call purge")
    #expect(
      try brokenPromises(promise: "purge keeps Note.folder", parts: Self.purge, beside).isEmpty)
  }

  @Test func `is tested by calls with objects of the entity`() throws {
    let promise = "purge keeps Folder.notes"
    #expect(try tests(promise: promise, parts: Self.purge, Self.note + "  view  call purge"))
    #expect(try !tests(promise: promise, parts: Self.purge, Self.note))
    let alone = "  view  insert Note as n\n  view  save\n  view  call purge"
    #expect(try !tests(promise: promise, parts: Self.purge, alone))
  }
}

@Suite struct `A promise of a context` {
  private static let merge = """
    observe  didSave work
      view  perform
        mergeChanges delivered
    """
  private static let change = """
      view  insert Note as n
      view  set n.title "old"
      view  save
      work  existingObject view.n as n
      work  set n.title "new"
      work  save

    """
  private static let touch = "\nobserve  objectsDidChange view\n  forEach registered touch"
  private static let shows = "view shows the store at rest"
  private static let once = "no objectsDidChange in view twice for one change"

  @Test func `to show the store is broken by values that were not refreshed`() throws {
    #expect(
      try brokenPromises(promise: Self.shows, Self.change) == [
        "'view shows the store at rest' is violated: the store has another value of; at the end"
      ])
    #expect(try brokenPromises(promise: Self.shows, parts: Self.merge, Self.change).isEmpty)
    #expect(
      try brokenPromises(promise: Self.shows, Self.change + "  view  refresh n merging").isEmpty)
  }

  @Test func `to show the store does not concern unsaved changes`() throws {
    #expect(
      try brokenPromises(promise: Self.shows, Self.change + "  view  set n.stars 1").isEmpty)
    let ofParent = Self.change.replacing("view  insert", with: "edit  insert")
      .replacing("view  set", with: "edit  set").replacing(
        "view  save", with: "edit  save\n  view  save"
      )
      .replacing("view.n as n", with: "edit.n as n")
    let promise = "edit shows the store at rest"
    #expect(try brokenPromises(promise: promise, ofParent).count == 1)
    #expect(
      try brokenPromises(
        promise: promise, ofParent + "  view  registeredObject edit.n as n\n  view  set n.stars 1"
      ).isEmpty)
  }

  @Test func `to show the store is broken by rows that are gone`() throws {
    let steps = Self.change.replacing("set n.title \"new\"", with: "delete n")
    #expect(
      try brokenPromises(promise: Self.shows, steps) == [
        "'view shows the store at rest' is violated: the store no longer has; at the end"
      ])
    #expect(try brokenPromises(promise: Self.shows, parts: Self.merge, steps).isEmpty)
  }

  @Test func `to show the store concerns to-one relationships`() throws {
    let steps = """
        view  insert Folder as f
        view  insert Note as n
        view  save
        work  existingObject view.n as n
        work  existingObject view.f as f
        work  relate n.folder f
        work  save
      """
    #expect(try brokenPromises(promise: Self.shows, steps).count == 1)
    #expect(try brokenPromises(promise: Self.shows, parts: Self.merge, steps).isEmpty)
  }

  @Test func `to announce once is broken by a second merge of the design`() throws {
    let found = try brokenPromises(
      promise: Self.once, parts: Self.merge + "\n" + Self.merge + Self.touch, Self.change)
    #expect(
      found.map { $0.prefix { $0 != ";" } } == [
        "'\(Self.once)' is violated: nothing has changed since the context announced"
      ])
    let parts = Self.merge + Self.touch
    #expect(try brokenPromises(promise: Self.once, parts: parts, Self.change).isEmpty)
    #expect(try tests(promise: Self.once, parts: parts, Self.change))
  }

  @Test func `to announce once lets every change be announced`() throws {
    let more = Self.change + "  work  set n.title \"newer\"\n  work  save\n"
    let parts = Self.merge + Self.touch
    #expect(try brokenPromises(promise: Self.once, parts: parts, more).isEmpty)
    // A value that comes back is a change, too.
    let back = Self.change + "  work  set n.title \"old\"\n  work  save\n"
    #expect(try brokenPromises(promise: Self.once, parts: parts, back).isEmpty)
  }

  /// Both saves announce an object that they do not write.
  @Test(arguments: ["set n.preview \"new\"", "set n.title \"new\""])
  func `to announce once lets a save without stored changes be announced`(edit: String) throws {
    let steps = Self.change + "  work  \(edit)\n  work  save\n"
    let parts = Self.merge + Self.touch
    #expect(try brokenPromises(promise: Self.once, parts: parts, steps).isEmpty)
    // Both saves are merged twice.
    let twice = Self.merge + "\n" + parts
    #expect(try brokenPromises(promise: Self.once, parts: twice, steps).count == 2)
  }

  /// The first merge registers the object as inserted, with the value of the second save. The list
  /// holds it.
  @Test func `to announce once lets a late insertion and its update be announced`() throws {
    let steps = """
        view  performFetch list
        work  perform
          insert Note as n
          save
          set n.title "new"
          save
      """
    let parts = Self.merge + Self.touch
    #expect(try brokenPromises(promise: Self.once, parts: parts, steps).isEmpty)
    let twice = Self.merge + "\n" + parts
    #expect(try brokenPromises(promise: Self.once, parts: twice, steps).count == 1)
  }

  @Test func `to announce once lets willSave change what was announced`() throws {
    let parts = "entry  saveAll\n  view  save"
    let steps = "  view  insert Badge as b\n  view  call saveAll"
    #expect(try brokenPromises(promise: Self.once, parts: parts, steps).isEmpty)
  }

  /// The program's refresh announces the saved object first, then that of the entry point.
  @Test func `to announce once does not count a refresh by the program`() throws {
    let parts = """
      entry  reload
        work  perform
          forEach registered touch
          forEach registered refresh
          processPendingChanges
      """
    let steps = """
        view  insert Note as n
        view  save
        work  existingObject view.n as n
        work  get n.title
        work  refresh n
        work  processPendingChanges
        view  call reload

      """
    let once = Self.once.replacing("view", with: "work")
    #expect(try brokenPromises(promise: once, parts: parts, steps).isEmpty)
    let twice = steps + "  view  call reload"
    #expect(try brokenPromises(promise: once, parts: parts, twice).count == 1)
  }

  /// The context posts the notifications itself, at the ends of the blocks.
  @Test(arguments: ["forEach registered refresh", "refreshAllObjects"])
  func `to announce once is broken by refreshes that are announced at the end of an event`(
    refresh: String
  ) throws {
    let parts = """
      entry  reload
        work  perform
          forEach registered touch
          \(refresh)
      """
    let steps = """
        view  insert Note as n
        view  save
        work  existingObject view.n as n
        view  call reload

      """
    let once = Self.once.replacing("view", with: "work")
    #expect(try brokenPromises(promise: once, parts: parts, steps).isEmpty)
    let twice = steps + "  view  call reload"
    #expect(try brokenPromises(promise: once, parts: parts, twice).count == 1)
    // The program refreshes the object in the same event.
    let mixed = steps + "  work  performAndWait\n    refresh n\n    view  call reload"
    #expect(try brokenPromises(promise: once, parts: parts, mixed).isEmpty)
  }

  @Test func `to announce once is broken by a merge of the context's own save`() throws {
    let parts = Self.merge.replacing("didSave work", with: "didSave view")
    let steps = "  view  insert Note as n\n  view  save\n  view  set n.title \"new\"\n  view  save"
    #expect(try brokenPromises(promise: Self.once, parts: parts, steps).count == 1)
    #expect(try brokenPromises(promise: Self.once, parts: Self.merge, steps).isEmpty)
  }

  @Test func `to announce once is broken by a merge of a child's save`() throws {
    let parts = Self.merge.replacing("didSave work", with: "didSave edit")
    let steps = """
        view  insert Note as n
        view  save
        edit  existingObject view.n as n
        edit  set n.title "new"
        edit  save
      """
    #expect(try brokenPromises(promise: Self.once, parts: parts, steps).count == 1)
    #expect(try brokenPromises(promise: Self.once, parts: Self.merge, steps).isEmpty)
  }

  @Test func `to announce once does not concern merges by the program`() throws {
    let steps =
      Self.change + "  view  mergeChanges didSave work 1\n  view  mergeChanges didSave work 1"
    #expect(try brokenPromises(promise: Self.once, steps).isEmpty)
    #expect(try !tests(promise: Self.once, steps))
  }
}
