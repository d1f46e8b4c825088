import Failures
import Testing

@Suite struct `No failure is` {
  private static let pushed = """
      ids  changed
      view  mainQueue coordinator store policy mergeByPropertyStoreTrump
      sync  privateQueue coordinator store policy mergeByPropertyObjectTrump
      entry  push
        sync  perform
          forEach changed mark
          save
      observe  didSave view
        remember changed delivered
    """

  private static let edited = """
      view  insert Note as n
      view  save
      view  set n.title "typed"
      view  call push
      view  save
    """

  /// The title stands in for an attribute that only the app's marks are for.
  @Test func `that a mark and an edit replace each other where the model has no mark`() throws {
    let kind: FailureKind = "silently ignored save in the store"
    #expect(try !failureKinds(Self.pushed, Self.edited).contains(kind))
    let mark = "\n    isPushed  boolean = false"
    let boolean = Self.edited.replacing("set n.title \"typed\"", with: "set n.isPushed true")
    #expect(
      try !failureKinds(Self.pushed, boolean, mark: mark).contains("lost update in the store"))
    // Two edits do, whatever else is marked.
    let two = """
        view  insert Note as n
        view  save
        view  call push
        sync  existingObject view.n
        view  set n.title "typed"
        sync  set n.title "other"
        sync  save
        view  save
      """
    #expect(try failureKinds(Self.pushed, two).contains(kind))
  }

  /// The form's save has deleted what was never stored; the ID leads to nothing.
  @Test func `that a program looks for what a child has deleted`() throws {
    let found = try failureKinds(
      """
        ids  changed
        view  mainQueue coordinator store policy mergeByPropertyStoreTrump
        form  privateQueue parent view
        sync  privateQueue coordinator store policy mergeByPropertyObjectTrump
        entry  push
          sync  perform
            forEach changed mark
            save
            forget changed
        observe  didSave form
          remember changed delivered
        observe  didSave sync
          view  perform
            mergeChanges delivered
      """,
      """
        view  insert Note as n
        form  object view.n
        form  set n.title "s1"
        form  save
        view  call push
        form  set n.title "s2"
        form  save
        form  delete n
        form  save
        view  object form.n
        view  get n.title
        view  call push
      """)
    #expect(!found.contains("stale read before a merge"), "\(found)")
  }

  /// Its context's save tells others of a deletion that no code made.
  @Test func `that a program reads what another context has not saved yet`() throws {
    let found = try failureKinds(
      """
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        observe  didSave sync
          view  perform
            mergeChanges delivered
      """,
      """
        view  insert Note as n
        sync  object view.n
        sync  get n.title
        view  performAndWait
          sync  save
          save
        sync  fetch Note
        view  save
        sync  get n.title
      """)
    #expect(!found.contains("object deleted by being read"), "\(found)")
  }

  /// What the remedy of leaked temporary IDs says.
  @Test(arguments: [
    ("view  obtainPermanentIDs\n  edit  object view.n", false),
    ("edit  object view.n\n  view  obtainPermanentIDs", true),
    ("edit  object view.n\n  edit  obtainPermanentIDs n", false),
  ])
  func `a leaked ID that was permanent before it was handed on`(
    order: String, leaks: Bool
  ) throws {
    let found = try failureKinds(
      """
        view  mainQueue coordinator store
        edit  privateQueue parent view
      """, "  view  insert Note as n\n  \(order)\n  view  save")
    #expect(found.contains("temporary ID leak") == leaks, "\(found)")
  }
}
