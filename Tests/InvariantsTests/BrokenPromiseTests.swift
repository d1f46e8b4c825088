import Execution
import Invariants
import Testing

@Suite struct `A broken promise` {
  private static let twoInserts = """
      view  insert Note as a
      work  insert Note as b
      view  set a.title "one"
      work  set b.title "one"
    """

  @Test func `the design breaks a promise that each context kept to its knowledge`() throws {
    let found = try brokenPromises(
      promise: "unique Note.title", Self.twoInserts + "\n  view  save\n  work  save")
    #expect(
      found == [
        "'unique Note.title' is violated in the store: two objects have the value; after step 6"
      ])
  }

  @Test(arguments: [
    // Both insertions in one context.
    """
      view  insert Note as a
      view  set a.title "one"
      view  insert Note as b
      view  set b.title "one"
      view  save
    """,
    // The second insertion after the first was saved.
    """
      view  insert Note as a
      view  set a.title "one"
      view  save
      work  insert Note as b
      work  set b.title "one"
      work  save
    """,
    // The second insertion in a child, whose parent saves it.
    """
      view  insert Note as a
      view  set a.title "one"
      edit  insert Note as b
      edit  set b.title "one"
      edit  save
      view  save
    """,
  ])
  func `the program breaks a promise if it could have seen the conflict`(steps: String) throws {
    #expect(try brokenPromises(promise: "unique Note.title", steps).isEmpty)
  }

  @Test func `two objects that agree in several properties are named, not a value`() throws {
    let parts = """
      entry  launch
        work  batchInsert Note {title: "a", stars: 1}
      """
    let steps = "  view  call launch\n  view  call launch"
    let found = try brokenPromises(promise: "unique Note.title and stars", parts: parts, steps)
    #expect(
      found == [
        "'unique Note.title and stars' is violated in the store: another object has the values of; "
          + "after step 2"
      ])
  }

  @Test func `a batch insertion by the design breaks a promise about the store`() throws {
    let parts = """
      entry  launch
        work  batchInsert Note {title: "first"}
      entry  crash
        view  kill
      """
    let steps = "  view  call launch\n  view  call crash\n  view  call launch"
    let found = try brokenPromises(promise: "unique Note.title", parts: parts, steps)
    #expect(
      found == [
        "'unique Note.title' is violated in the store: two objects have the value; after step 3"
      ])
    let violations = try promiseOutcome("unique Note.title", parts, steps).violations
    let proof = violations.flatMap(\.proof).filter { $0.property != nil }
    #expect(proof.count == 2, "the rows of both insertions")
  }

  /// The batch request does not save the context, so the program is still to blame for its edit.
  @Test func `a batch request by the design leaves the program's unsaved breach to the program`()
    throws
  {
    let parts = """
      entry  tidy
        view  performAndWait
          batchDelete Note where title == nil
      """
    let steps = """
        view  insert Note as a
        view  set a.title "a"
        view  set a.stars 7
        view  call tidy
        view  call tidy
        view  save
      """
    #expect(try brokenPromises(promise: "sum Note.stars <= 5", parts: parts, steps).isEmpty)
  }

  /// The program has broken the promise in its context only, and the batch request in the store.
  @Test func `a batch request by the design is to blame beside an unsaved breach of the program`()
    throws
  {
    let parts = """
      entry  load
        view  batchInsert Note {title: "a"}
      """
    let steps = """
        view  insert Note as a
        view  insert Note as b
        view  call load
        view  call load
      """
    let found = try brokenPromises(promise: "count Note <= 1", parts: parts, steps)
    #expect(found.count == 1, "\(found)")
  }

  /// The context sees its unsaved insertion, and the store has lost its last note.
  @Test func `the program breaks a promise by its own batch request`() throws {
    let steps = """
        view  insert Note as a
        view  save
        view  insert Note as b
        view  batchDelete Note
      """
    #expect(try brokenPromises(promise: "count Note >= 1", steps).isEmpty)
  }

  @Test func `a fault counts with the values that it would load`() throws {
    let steps = Self.twoInserts + "\n  work  save\n  view  fetch Note"
    let promise = "unique Note.title in view at rest"
    #expect(try brokenPromises(promise: promise, steps).count == 1)
    // The row of the fault is gone, so the fault would load nothing.
    let deleted = "\n  work  delete b\n  work  save"
    #expect(try brokenPromises(promise: promise, steps + deleted).isEmpty)
    #expect(
      try brokenPromises(promise: "every Note has title != nil in view at rest", steps + deleted)
        .isEmpty)
  }

  @Test func `a broken promise stays the design's after another step of the program`() throws {
    let steps = Self.twoInserts + "\n  view  save\n  work  set b.stars 3\n  work  save"
    #expect(try brokenPromises(promise: "unique Note.title", steps).count == 1)
  }

  @Test func `a broken promise is reported once, and again after it was kept`() throws {
    let again = """

        view  save
        work  save
        work  set b.stars 3
        work  save
        work  set b.title "two"
        work  save
      """
    #expect(
      try brokenPromises(promise: "unique Note.title", Self.twoInserts + again).map {
        $0.suffix(12)
      }
        == ["after step 6"])
  }

  @Test func `nil values do not break a promise of unique values`() throws {
    let steps = "  view  insert Note as a\n  work  insert Note as b\n  view  save\n  work  save"
    #expect(try brokenPromises(promise: "unique Note.title", steps).isEmpty)
  }

  @Test func `a broken promise is found among the objects of a context`() throws {
    let steps = Self.twoInserts + "\n  work  save\n  view  fetch Note realised"
    #expect(
      try brokenPromises(promise: "unique Note.title in view always", steps) == [
        "'unique Note.title' is violated in view: two objects have the value; after step 6"
      ])
  }

  /// A merge brings the view a deletion by the program. Its delete rule clears a relationship.
  @Test func `the program breaks a promise where its own deletion arrives`() throws {
    let steps = """
        view  insert Folder as f
        view  insert Note as n
        view  relate n.folder f
        view  save
        work  object view.f as f
        work  delete f
        work  save
        view  mergeChanges didSave work 1
      """
    #expect(try brokenPromises(promise: "every Note has folder != nil in view", steps).isEmpty)
  }

  /// One context breaks the promise alone: by dropping an edit, by a relationship whose other end
  /// the step does not name, and by a delete rule.
  @Test(arguments: [
    (
      "count Note where title == nil <= 1",
      """
        view  insert Note as a
        view  set a.title "one"
        view  insert Note as b
        view  refresh a
        view  save
      """
    ),
    (
      "count Note where folder == nil <= 1",
      """
        view  insert Folder as f
        view  insert Note as a
        view  relate a.folder f
        view  insert Note as b
        view  remove f.notes a
        view  save
      """
    ),
    (
      "count Note where folder == nil <= 1",
      """
        view  insert Folder as f
        view  insert Note as a
        view  insert Note as b
        view  replace f.notes [a b]
        view  save
        view  replace f.notes []
        view  save
      """
    ),
    (
      "every Person has badge != nil",
      """
        view  insert Person as p
        view  insert Badge as b
        view  relate p.badge b
        view  save
        view  relate p.badge nil
        view  refresh p
        view  save
      """
    ),
    (
      "every Person has department != nil",
      """
        view  insert Person as p
        view  insert Department as d
        view  relate p.department d
        view  delete d
        view  save
      """
    ),
    (
      "every Note has folder != nil",
      """
        view  insert Note as a
        view  insert Folder as f
        view  relate a.folder f
        view  delete f
        view  save
      """
    ),
  ])
  func `a promise broken by one context is the program's`(promise: String, steps: String) throws {
    #expect(try brokenPromises(promise: promise, steps).isEmpty)
  }

  /// The step between the two saves does not affect the race.
  @Test(arguments: [
    "view  refreshAllObjects", "view  refresh a", "view  refresh a merging",
    "view  relate p.department d", "view  set p.name \"one\"",
  ])
  func `a broken promise stays the design's whatever else the program does`(step: String) throws {
    let steps = """
        view  insert Person as p
        view  insert Department as d
        view  insert Note as a
        work  insert Note as b
        work  save
        \(step)
        view  save
      """
    #expect(try brokenPromises(promise: "count Note <= 1", steps).count == 1)
  }

  @Test func `a save that also deletes leaves a promise about attributes to the design`() throws {
    let steps = """
        view  insert Note as n
        view  set n.title "one"
        view  insert Folder as f
        view  save
        work  existingObject view.n as n
        work  existingObject view.f as f
        work  set n.stars 1
        view  set n.title nil
        view  save
        work  delete f
        work  save
      """
    #expect(
      try brokenPromises(promise: "every Note where stars > 0 has title != nil", steps).count == 1)
  }

  @Test func `a promise cannot be broken before it holds for the first time`() throws {
    let steps = """
        view  insert Folder as f
        view  save
        view  insert Note as a
        view  insert Note as b
        view  save
        view  delete a
        work  object view.b as b
        work  delete b
        view  save
        work  save
      """
    #expect(
      try brokenPromises(promise: "count Note >= 1", steps) == [
        "'count Note >= 1' is violated in the store: 0 objects exist; after step 10"
      ])
  }

  @Test(arguments: ["", " at rest", " in store view", " always"])
  func `a promise that the program breaks is not reported`(words: String) throws {
    let steps = """
        work  insert Note as a
        work  insert Note as b
        work  save
        view  fetch Note realised
        view  mergeChanges didSave work 1
        view  insert Folder as f
        view  save
      """
    #expect(try brokenPromises(promise: "count Note <= 1" + words, steps).isEmpty)
  }

  @Test func `the design breaks a promise although the program deletes another object`() throws {
    let steps = """
        view  insert Folder as f
        view  save
        work  object view.f as f
      \(Self.twoInserts)
        view  save
        work  delete f
        work  save
      """
    #expect(try brokenPromises(promise: "unique Note.title", steps).count == 1)
  }

  @Test func `a promise that must always hold is broken if the design takes its store`() throws {
    func details(_ end: String) throws -> [String] {
      try brokenPromises(
        promise: "count Note >= 1 always", "  view  insert Note as a\n  view  save\n  view  " + end)
    }
    #expect(
      try details("call takeStore") == [
        "'count Note >= 1' is violated in the store: 0 objects exist; after step 3"
      ])
    #expect(try details("removeStore main").isEmpty)
  }

  @Test func `a promise at rest is checked once`() throws {
    let steps = Self.twoInserts + "\n  view  save\n  work  save"
    let found = try brokenPromises(promise: "count Note <= 1 at rest", steps)
    #expect(found == ["'count Note <= 1' is violated in the store: 2 objects exist; at the end"])
  }
}
