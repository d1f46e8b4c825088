import Execution
import Failures
import Foundation
import TestSupport
import Testing
import Vocabulary

/// Failures reported of a stack of two roots, `view` and `sync`.
@Suite struct `Failures that are reported of a design` {
  private func kinds(
    _ steps: String, sync: String = "", parts: String = "", unique: String = ""
  ) throws -> [FailureKind] {
    let text = smallScenario(steps: steps).replacing(
      "title  string?", with: "title  string?\(unique)"
    ).replacing(
      "  view  mainQueue coordinator store\n  edit  privateQueue parent view\n",
      with: """
          view  mainQueue coordinator store
          sync  privateQueue coordinator store\(sync)
        \(parts)
        """)
    return try judge(text).outcome.failureKinds
  }

  private static let twoCopies = """
      view  insert Note as n
      view  save
      sync  existingObject view.n

    """

  private static let staleSync =
    twoCopies + """
        view  set n.title "new"
        view  save

      """

  /// A newer version was saved in the meantime, so the conflict is another one.
  @Test func `a conflict is not permanent if the object was refreshed in between`() throws {
    let steps =
      Self.staleSync + """
          sync  set n.title "mine"
          sync  save
          sync  refresh n merging
          view  set n.title "newer"
          view  save
          sync  save
        """
    #expect(try kinds(steps) == ["failed save"])
  }

  /// A context that sets a value twice has made its own mistake.
  @Test func `a conflict of two objects that one context made equal is not reported`() throws {
    func steps(_ first: String) -> String {
      """
        \(first)  insert Note as a
        \(first)  set a.title "same"
        \(first)  save
        sync  insert Note as b
        sync  set b.title "same"
        sync  save
      """
    }
    #expect(try kinds(steps("sync"), unique: "\n    unique  title") == [])
    #expect(try kinds(steps("view"), unique: "\n    unique  title") == ["failed save"])
  }

  @Test func `the remedy of a failed save depends on its error`() throws {
    let definition = Invariant.SavesMeetNoConflict.definition
    func remedy(_ code: ErrorCode) throws -> String {
      let error = FailureSubject.error(code)
      return try #require(definition.remedy(for: .design, at: .stack, of: error))
    }
    #expect(try remedy(.managedObjectMerge).contains("refresh the conflicting objects"))
    let unique = try remedy(.managedObjectConstraintMerge)
    #expect(unique.contains("fetch the objects that already have the unique values"))
    #expect(!unique.contains("refresh"))
  }

  /// Programs use existingObject to find out whether a row exists.
  @Test func `an error is not reported if its own step looks for a row that is gone`() throws {
    let steps =
      Self.twoCopies + """
          view  reset
          sync  delete n
          sync  save
        """
    let observer = """
        observe  didSave sync
          view  perform
            existingObject sync.n

      """
    #expect(try !kinds(steps, parts: observer).contains("raised error by the stack"))
  }

  /// A fetch does not refresh an object that is realised (FL-07).
  @Test func `a copy that was fetched again is stale`() throws {
    #expect(try kinds(Self.staleSync + "  sync  fetch Note realised") == ["stale copy"])
    #expect(try kinds(Self.staleSync + "  sync  refresh n") == [])
  }

  @Test func `a copy beside an unsaved object is stale`() throws {
    #expect(try kinds(Self.staleSync + "  sync  insert Note as m") == ["stale copy"])
    // The context decides about values that it changes itself.
    #expect(try kinds(Self.staleSync + "  sync  set n.title \"mine\"") == [])
  }

  /// The context does not track a value that a primitive setter wrote (CT-06).
  @Test func `a copy that a primitive setter wrote is not stale`() throws {
    let primitive = Self.twoCopies + "  sync  setPrimitive n.title \"mine\""
    #expect(try kinds(primitive) == [])
    #expect(try kinds(primitive + "\n  sync  get n.title", sync: " autoMerge") == [])
    #expect(try kinds(primitive + "\n  sync  detectConflicts n\n  sync  save") == [])
  }

  /// The objects of the store are out of reach, and read nil when they are read again (PS-07).
  @Test func `a copy of a store that was removed is not stale`() throws {
    #expect(try kinds(Self.staleSync + "  sync  removeStore main") == [])
    #expect(try kinds(Self.staleSync + "  sync  destroyStore main anew") == [])
  }

  /// The program looks for an object that it could know to be gone, or deletes it where it reads
  /// it.
  @Test func `a deletion is not by a read if the program looks too late`() throws {
    let steps = """
        view  insert Note as n
        view  save

      """
    let late =
      steps + """
          view  delete n
          view  save
          sync  object view.n
          sync  get n.title
        """
    #expect(try kinds(late) == [])
    let unsaved = """
        view  insert Note as n
        sync  object view.n
        view  delete n
        sync  get n.title
      """
    #expect(try kinds(unsaved) == [])
    let reset =
      steps + """
          sync  object view.n
          view  delete n
          view  save
          sync  reset
          sync  object view.n
          sync  get n.title
        """
    #expect(try kinds(reset) == [])
    let own =
      steps + """
          sync  object view.n
          view  refresh n
          sync  delete n
          sync  save
          sync  object view.n
          sync  get n.title
        """
    #expect(try kinds(own) == [])
  }

  /// The merge would have brought the deletion.
  @Test func `a following context that reads a deleted row reads before a merge`() throws {
    let steps = """
        view  insert Note as n
        view  save
        sync  object view.n
        view  delete n
        view  save
        sync  get n.title
      """
    #expect(try kinds(steps) == ["object deleted by being read"])
    let observer = """
        observe  didSave view
          sync  perform
            get n.title
            mergeChanges delivered

      """
    let found = try kinds(steps, parts: observer)
    #expect(found == ["object deleted by being read by the stack"])
    let late = """
        observe  didSave sync
          sync  mergeChanges didSave view 2

      """
    let merged = steps + "\n  sync  save"
    #expect(try kinds(merged, parts: late) == ["stale read before a merge"])
    // A context that is never notified does not read too early.
    #expect(try kinds(steps, parts: late) == ["object deleted by being read"])
  }

  /// The program has requested what an entry point saves. What the program saves itself is done.
  @Test func `work that the program has saved is not half-done`() throws {
    let steps = """
        view  insert Note as n
        view  save
        view  set n.title "new"

      """
    let observer = """
        entry  saveView
          view  save
        observe  didSave sync
          view  perform
            save

      """
    let other = """
        sync  insert Note as m
        sync  save

      """
    func found(_ middle: String) throws -> [FailureKind] {
      try kinds(steps + middle + "  view  rollback", parts: observer)
    }
    #expect(try found(other) == ["half-done work saved"])
    #expect(try found("  view  save\n" + other) == [])
    #expect(try found(other + "  view  save\n") == [])
    #expect(try found("  view  call saveView\n" + other) == [])
    #expect(try found("") == [])
  }

  /// A context that has changed nothing should show new values.
  @Test func `a read that does not repeat is reported if something may rest on it`() throws {
    func found(_ between: String) throws -> Bool {
      let steps =
        Self.twoCopies + """
            sync  get n.title
            view  set n.title "new"
            view  save
          \(between)
            sync  get n.title
          """
      return try kinds(
        steps, parts: "  observe  didSave view\n    sync  perform\n      refreshAllObjects\n"
      )
      .contains("non-repeatable read")
    }
    #expect(try found("  sync  insert Note as m"))
    #expect(try !found("  sync  hasChanges"))
  }

  /// A form in a child context saves to its parent between two reads of the parent.
  @Test(arguments: [("view", false), ("sync", true)])
  func `a read that the same thread's save has changed is not reported`(
    reader: String, isReported: Bool
  ) throws {
    let steps = """
        view  insert Note as n
        view  set n.title "a"
        view  save
        view  insert Note as m
        form  object view.n as k
        form  set k.title "b"
        \(reader == "view" ? "view  get n.title" : "sync  perform\n    view  performAndWait\n      get n.title")
        form  save
        view  get n.title
      """
    let found = try failureKinds(
      "  view  mainQueue coordinator store\n  form  mainQueue parent view\n"
        + "  sync  privateQueue coordinator store\n", steps)
    #expect(found.contains("non-repeatable read") == isReported, "\(found)")
  }

  /// A delayed save of an entry point includes changes since the call. Only these were not
  /// requested.
  @Test func `a delayed save that takes half-done work is reported`() throws {
    let parts = """
        entry  saveLater
          view  perform
            save
        entry  saveLaterInSync
          sync  perform
            save
        entry  saveAtOnce
          view  save
        entry  write
          view  perform
            set n.title "of the design"
            save

      """
    func found(_ steps: String) throws -> [FailureKind] {
      try kinds("  view  insert Note as n\n  view  save\n" + steps, parts: parts)
    }
    func unit(_ lines: String...) -> String {
      (["  view  performAndWait"] + lines.map { "    \($0)" }).joined(separator: "\n") + "\n"
    }
    let (edit, call, end) = ("set n.title \"new\"", "call saveLater", "  view  rollback")
    #expect(try found(unit(call, edit) + end) == ["half-done work saved"])
    #expect(try found(unit(edit, call) + end) == [])
    #expect(try found(unit(call, edit, call) + end) == [])
    #expect(try found(unit(call, edit, "save") + end) == [])
    #expect(try found(unit("call write") + end) == [])
    let waits = "  view  perform\n    \(edit)\n  view  call saveAtOnce\n"
    #expect(try found(waits + end) == [])
    let inBlock = "  sync  perform\n    call saveLaterInSync\n    set m.title \"new\"\n"
    let start = "  sync  insert Note as m\n  sync  save\n"
    #expect(try found(start + inBlock + "  sync  rollback") == ["half-done work saved"])
    let before = "  view  perform\n    \(edit)\n  view  call saveLater\n"
    #expect(try found(before + end) == [])
  }

  /// No context is notified of a batch request, so no merge was pending.
  @Test func `a read is not before a merge that never comes`() throws {
    let steps =
      Self.twoCopies + """
          view  batchUpdate Note {title: "new"}
          sync  get n.title
        """
    let found = try kinds(steps, sync: " autoMerge")
    #expect(found == ["stale copy", "stale copy in a following context"])
  }

  /// A program that asks for new values has not relied on the old ones.
  @Test func `a read is not before a merge if the object was refreshed`() throws {
    let read = Self.staleSync + "  sync  get n.title\n"
    let merge = "  sync  call catchUp"
    let entry = """
        entry  catchUp
          sync  mergeChanges didSave view 2

      """
    #expect(try kinds(read + merge, parts: entry) == ["stale read before a merge"])
    #expect(try kinds(read + "  sync  refresh n\n" + merge, parts: entry) == [])
  }
}
