import Failures
import TestSupport
import Testing

@Suite struct `No failures of a design` {
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

  /// The title stands for an attribute that only the app's marks use.
  @Test func `a mark and an edit may replace each other if the model has no mark`() throws {
    let kind: FailureKind = "silently ignored save in the store"
    #expect(try !failureKinds(Self.pushed, Self.edited).contains(kind))
    let mark = "\n    isPushed  boolean = false"
    let boolean = Self.edited.replacing("set n.title \"typed\"", with: "set n.isPushed true")
    #expect(
      try !failureKinds(Self.pushed, boolean, mark: mark).contains("lost update in the store"))
    // Two edits replace each other, whatever else is marked.
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

  /// The form's save has deleted an object that was never stored, so its ID leads to nothing.
  @Test func `a program that looks for what a child has deleted reads nothing early`() throws {
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

  /// The context's save informs others of a deletion that no code requested.
  @Test func `a read of what another context has not saved yet is no deletion`() throws {
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

  /// The remedies for leaked temporary IDs.
  @Test(arguments: [
    ("view  obtainPermanentIDs\n  edit  object view.n", false),
    ("edit  object view.n\n  view  obtainPermanentIDs", true),
    ("edit  object view.n\n  edit  obtainPermanentIDs n", false),
  ])
  func `an ID that was permanent before it was handed on is no leak`(
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
