import Testing

@Suite struct `A promise with 'eventually'` {
  private static let duplicates = """
      view  insert Note as a
      work  insert Note as b
      view  set a.title "one"
      work  set b.title "one"
      view  save
      work  save
    """
  private static let repair = "\n  work  delete b\n  work  save"
  private static let promise = "eventually unique Note.title"

  @Test func `is broken if its claim never holds again`() throws {
    #expect(
      try brokenPromises(promise: Self.promise, Self.duplicates) == [
        "'eventually unique Note.title' is still violated at rest in the store: two objects have "
          + "the value; at the end"
      ])
  }

  @Test func `is kept if its claim holds again`() throws {
    #expect(try brokenPromises(promise: Self.promise, Self.duplicates + Self.repair).isEmpty)
    // Without the word, the same run breaks the promise.
    #expect(
      try brokenPromises(promise: "unique Note.title", Self.duplicates + Self.repair).count == 1)
  }

  /// Once is enough. A promise at rest is judged at the end.
  @Test func `is kept although its claim is violated again`() throws {
    let again = """

        view  insert Note as c
        work  insert Note as d
        view  set c.title "two"
        work  set d.title "two"
        view  save
        work  save
      """
    let steps = Self.duplicates + Self.repair + again
    #expect(try brokenPromises(promise: Self.promise, steps).isEmpty)
    #expect(try brokenPromises(promise: "unique Note.title at rest", steps).count == 1)
  }

  /// A claim that never held is not judged at rest, but it is awaited.
  @Test func `is broken if its claim has never held`() throws {
    let steps = "  view  insert Folder as f\n  view  save"
    #expect(
      try brokenPromises(promise: "eventually count Note >= 1", steps) == [
        "'eventually count Note >= 1' is still violated at rest in the store: 0 objects exist; "
          + "at the end"
      ])
    #expect(try brokenPromises(promise: "count Note >= 1 at rest", steps).isEmpty)
  }

  @Test func `is not reported if the program breaks it`() throws {
    let steps = """
        view  insert Note as a
        view  set a.title "one"
        view  insert Note as b
        view  set b.title "one"
        view  save
      """
    #expect(try brokenPromises(promise: Self.promise, steps).isEmpty)
    #expect(try !tests(promise: Self.promise, steps))
  }

  @Test func `is tested by runs in which its claim does not hold at once`() throws {
    let kept = "  view  insert Note as a\n  view  set a.title \"one\"\n  view  save"
    #expect(try !tests(promise: Self.promise, kept))
    #expect(try tests(promise: Self.promise, Self.duplicates))
    #expect(try tests(promise: Self.promise, Self.duplicates + Self.repair))
  }

  /// The contexts are gone, and the rows remain.
  @Test func `outlives a kill in a store, and in no context`() throws {
    let steps = Self.duplicates + "\n  view  kill"
    #expect(try brokenPromises(promise: Self.promise, steps).count == 1)
    let loaded = Self.duplicates + "\n  view  fetch Note realised\n"
    let always = Self.promise + " in view always"
    #expect(try brokenPromises(promise: always, loaded).count == 1)
    #expect(try brokenPromises(promise: always, loaded + "  view  kill").isEmpty)
  }

  // MARK: Calls

  private static let finish = """
    entry  finish
      work  performAndWait
        save
    """

  @Test func `may wait for the end of a call`() throws {
    let promise = Self.promise + " after finish"
    let calls = Self.duplicates.replacing("  work  save", with: "  view  call finish")
    #expect(
      try brokenPromises(promise: promise, parts: Self.finish, calls) == [
        "'eventually unique Note.title after finish' is still violated at rest in the store: two "
          + "objects have the value; at the end"
      ])
    #expect(
      try brokenPromises(promise: promise, parts: Self.finish, calls + Self.repair).isEmpty)
    // Without a call, nothing is promised.
    #expect(try brokenPromises(promise: promise, parts: Self.finish, Self.duplicates).isEmpty)
  }

  @Test func `lets a context be clean later than at the end of a call`() throws {
    let parts = "entry  finish\n  view  performAndWait\n    save\n"
    let steps = """
        work  insert Note as n
        view  call finish
        view  fetch Note

      """
    func broken(_ promise: String, _ end: String) throws -> [String] {
      try brokenPromises(promise: promise, parts: parts, steps + end)
    }
    let eventually = "eventually clean work after finish"
    #expect(
      try broken(eventually, "") == [
        "'eventually clean work after finish' is violated: work has not saved; at the end"
      ])
    #expect(try broken(eventually, "  work  save").isEmpty)
    #expect(try broken(eventually, "  work  rollback").isEmpty)
    #expect(try broken("clean work after finish", "  work  save").count == 1)
    // Objects that the program changes after the call are not promised.
    #expect(try broken(eventually, "  work  save\n  work  insert Note as m").isEmpty)
    #expect(try tests(promise: eventually, parts: parts, steps))
  }
}

@Suite struct `A promise with 'until'` {
  private static let two = """
      view  insert Note as a
      view  save
      work  insert Note as b

    """
  private static let folder = "  work  insert Folder as f\n"
  private static let save = "  work  save\n"

  @Test func `must hold before its release`() throws {
    #expect(
      try brokenPromises(
        promise: "count Note <= 0 until count Folder >= 1",
        "  edit  save\n  view  save\n" + Self.two + Self.save
      ).count == 0)
    let race = """
        view  insert Note as a
        work  insert Note as b
        view  save
        work  save

      """
    let promise = "count Note <= 1 until count Folder >= 1"
    #expect(
      try brokenPromises(promise: promise, race) == [
        "'\(promise)' is violated in the store: 2 objects exist; after step 4"
      ])
    // The release comes too late.
    #expect(try brokenPromises(promise: promise, race + Self.folder + Self.save).count == 1)
    #expect(try tests(promise: promise, race))
  }

  @Test func `ends with its release`() throws {
    let promise = "count Note <= 1 until count Folder >= 1"
    let released = """
        view  insert Folder as f
        view  insert Note as a
        work  insert Note as b
        view  save
        view  delete f
        view  save
        work  save
      """
    // The folder is gone by then, and the promise has ended all the same.
    #expect(try brokenPromises(promise: promise, released).isEmpty)
    #expect(try brokenPromises(promise: "count Note <= 1", released).count == 1)
    #expect(try !tests(promise: promise, released))
    // The release may hold on the very occasion on which the claim stops holding.
    let together = released.replacing("view  insert Folder", with: "work  insert Folder")
      .replacing("  view  delete f\n  view  save\n", with: "")
    #expect(try brokenPromises(promise: promise, together).isEmpty)
  }

  @Test(arguments: [
    ("changed edit", "  edit  insert Folder as f\n", true),
    ("changed edit", "", false),
    ("clean work", "", true),
    ("clean view", "", true),
  ])
  func `may end with the state of a context`(release: String, step: String, ends: Bool) throws {
    let steps = """
        view  insert Note as a
        work  insert Note as b
        work  insert Folder as g
        view  save
      \(step)  work  save
      """
    // The save that makes `work` clean ends the promise on the very occasion on which it is broken.
    let found = try brokenPromises(promise: "count Note <= 1 until \(release)", steps)
    #expect(found.isEmpty == ends)
  }

  @Test func `at rest counts its release from any occasion`() throws {
    let promise = "count Note <= 1 until count Folder >= 1 at rest"
    let race = """
        view  insert Note as a
        work  insert Note as b
        view  save
        work  save

      """
    #expect(try brokenPromises(promise: promise, race).count == 1)
    let released = race + Self.folder + "  work  save\n  work  delete f\n  work  save\n"
    #expect(try brokenPromises(promise: promise, released).isEmpty)
  }
}
