import Diagnosis
import Execution
import Failures
import TestSupport
import Testing
import Vocabulary

/// A failure that only the program causes is no failure of the design that it runs on.
@Suite struct `Failures that a program brings upon itself` {
  /// Returns the kinds of failures on a stack of two roots, `view` and `sync`, and a child of
  /// `view`, `edit`.
  func kinds(
    _ steps: String, view: String = "", sync: String = "", parts: String = ""
  ) throws -> [FailureKind] {
    let text = smallScenario(steps: steps).replacing(
      "  view  mainQueue coordinator store\n",
      with: "  queue  eraser\n  view  mainQueue coordinator store\(view)\n"
    ).replacing(
      "  edit  privateQueue parent view\n",
      with: """
          sync  privateQueue coordinator store\(sync)
          edit  privateQueue parent view
        \(parts)

        """)
    return try judge(text).outcome.failureKinds
  }

  private static let saved = """
      view  insert Note as n
      view  save

    """

  // MARK: Looking for what is not there

  @Test func `a program that looks for what went with its store raises no error`() throws {
    let reset = """
        entry  reset
          view  reset
          view  dispatchAsync eraser
            sync  destroyStore main anew
      """
    let look = "  sync  object view.n\n"
    let save = "  sync  get n.title\n  sync  save"
    let late = Self.saved + "  view  call reset\n" + look + save
    #expect(try kinds(late, parts: reset) == [])
    let early = Self.saved + look + "  view  call reset\n" + save
    #expect(try kinds(early, parts: reset) == ["raised error"])
  }

  @Test func `a look for an object that has no row yet is no deletion by a read`() throws {
    let observer = """
        observe  didSave view
          sync  forEach registered touch
      """
    let look = "  sync  object view.n\n"
    let steps = "  view  delete n\n  view  save"
    let late = "  view  insert Note as n\n" + look + "  view  delete n\n  view  save"
    #expect(try kinds(late, parts: observer) == [])
    let early = Self.saved + look + "  sync  refresh n\n" + steps
    #expect(try kinds(early, parts: observer) == ["object deleted by being read by the stack"])
  }

  /// The context has sent the request itself.
  @Test func `a read after the context's own batch request is no deletion`() throws {
    func found(_ sender: String) throws -> [FailureKind] {
      let steps = "  view  refresh n\n  \(sender)  batchDelete Note\n  view  get n.title"
      return try kinds(Self.saved + steps, view: " zeroStaleness")
    }
    #expect(try found("view") == [])
    #expect(try found("sync") == ["object deleted by being read"])
  }

  // MARK: Giving up

  /// The context had merged the deletion, and the rollback undoes that.
  @Test func `a read is not before a merge if the merge is rolled back`() throws {
    let observer = """
        observe  didSave view
          sync  mergeChanges delivered
      """
    let steps =
      Self.saved + """
          sync  object view.n
          view  delete n
          view  save
          sync  rollback
          sync  get n.title
        """
    #expect(try kinds(steps, parts: observer) == [])
    #expect(try kinds(steps) == ["object deleted by being read"])
  }

  /// A child has read what its parent gives up. That is an aborted read of a value that was never
  /// stored.
  @Test func `a copy of a value that was never stored is not stale`() throws {
    let insertion = """
        view  insert Note as n
        edit  fetch Note realised
        view  obtainPermanentIDs n
        view  rollback
      """
    #expect(try !kinds(insertion).contains("stale copy"))
    let value =
      Self.saved + """
          view  set n.title "typed"
          edit  fetch Note realised
          view  rollback
        """
    #expect(try !kinds(value).contains("stale copy"))
    #expect(try kinds(value.replacing("rollback", with: "save")) == [])
    let stored =
      Self.saved + """
          edit  fetch Note realised
          view  set n.title "typed"
          view  save
        """
    #expect(try kinds(stored) == ["stale copy"])
  }

  /// An entry point that saves first, without regard to errors, loses the work that it was given.
  @Test func `a program that calls what cancels loses nothing`() throws {
    let parts = """
        entry  cancel
          sync  discard
        entry  finish
          sync  save
          sync  discard
      """
    let work = "  sync  insert Note as n\n"
    #expect(try kinds(work + "  sync  call cancel", parts: parts) == [])
    #expect(try kinds(work + "  sync  call finish", parts: parts) == [])
    let full = work + "  sync  refuseWrite main 1\n  sync  call finish"
    #expect(try kinds(full, parts: parts) == ["unsaved changes discarded by the stack"])
  }

  @Test func `a program that changes what it has handed over loses nothing`() throws {
    let parts = """
        entry  finish
          sync  perform
            when hasChanges
              save
          view  perform
            sync  discard
      """
    let late = "  sync  call finish\n  sync  insert Note as n"
    #expect(try kinds(late, parts: parts) == [])
  }

  // MARK: Reading

  /// The merge of a later save brings the value, but it is not the merge that was pending.
  @Test func `a read is not before a merge of another save`() throws {
    let entry = """
        entry  catchUp
          sync  mergeChanges didSave view 3
      """
    let steps =
      Self.saved + """
          sync  existingObject view.n
          view  set n.title "new"
          view  save
          sync  get n.title
          view  set n.title "newer"
          view  save
          sync  call catchUp
        """
    #expect(try kinds(steps, parts: entry) == [])
    let same = entry.replacing("view 3", with: "view 2")
    #expect(try kinds(steps, parts: same) == ["stale read before a merge"])
  }

  /// A program that refreshes knows the current value. A call of the app's function does not show
  /// that.
  @Test func `a count is not lost if the program has refreshed it`() throws {
    func found(_ refresh: String) throws -> [FailureKind] {
      let text = smallScenario(
        steps: """
            view  insert Note as n
            view  save
            sync  existingObject view.n
            sync  increment n.views
            view  increment n.views
            view  save
            sync  \(refresh)
            sync  save
          """
      ).replacing("    title  string?\n", with: "    title  string?\n    views  integer = 0\n")
        .replacing(
          "  edit  privateQueue parent view\n",
          with: """
              sync  privateQueue coordinator store
              entry  catchUp
                sync  refreshAllObjects

            """)
      return try judge(text).outcome.failureKinds
    }
    #expect(try found("refresh n merging") == [])
    #expect(try found("call catchUp") == ["lost update through a merge in the store"])
  }

  /// A loop marks objects with a value that a program may also write.
  @Test func `a read of a mark is not dirty`() throws {
    let steps =
      Self.saved + """
          sync  existingObject view.n
          sync  forEach registered mark
          sync  save
          view  set n.title "s1"
          sync  reset
          sync  existingObject view.n
        """
    #expect(try !kinds(steps).contains("dirty read"))
  }

  // MARK: Causes

  func cause(
    of kind: FailureKind, _ text: String
  ) throws -> (cause: Cause?, part: DesignPart?) {
    let (outcome, configuration) = try judge(text)
    let target = try #require(outcome.failures.first { $0.kind == kind })
    var designed = configuration
    designed.stack = outcome.program.stack
    let experiment = Experiment(of: target, in: outcome.program, designed)
    let cause = experiment.cause
    return (cause, experiment.part(for: cause))
  }

  /// Under another schedule the program fails without the quirk, too. The quirk only changes the
  /// schedule.
  @Test func `a quirk is not the cause if only the schedule depends on it`() throws {
    let text = """
      scenario  test
      evidence  inferred
      profile  current
      interleave  choices 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store policy mergeByPropertyStoreTrump
        background  privateQueue coordinator store policy mergeByPropertyStoreTrump
        backgroundChild  privateQueue parent background policy mergeByPropertyStoreTrump
        viewChild  mainQueue parent view policy mergeByPropertyStoreTrump
        observe  didSave viewChild
          view  perform
            when hasChanges
              save
        observe  didSave backgroundChild
          background  perform
            when hasChanges
              save

      steps
        view  insert Note as note1
        view  save
        view  set note1.title "s1"
        backgroundChild  fetch Note
        viewChild  save
        backgroundChild  set note1.title "s2"
        backgroundChild  save

      claims
        succeeded

      """
    let kind: FailureKind = "silently ignored save in the store"
    #expect(try cause(of: kind, text).cause == .mergePolicy(.mergeByPropertyStoreTrump))
  }

  /// The function that happens to save does not matter where a merge has hidden the conflict.
  @Test func `a merge is the cause, whichever entry point saves`() throws {
    let text = smallScenario(
      steps: Self.saved + """
          sync  existingObject view.n
          view  set n.title "typed"
          sync  set n.title "imported"
          sync  save
          view  call done
        """
    ).replacing(
      "  edit  privateQueue parent view\n",
      with: """
          sync  privateQueue coordinator store
          entry  done
            view  save
          observe  didSave sync
            view  mergeChanges delivered

        """)
    let kind: FailureKind = "lost update through a merge in the store"
    let (cause, part) = try cause(of: kind, text)
    #expect(cause == .observer)
    #expect(part?.text == "the observer of didSave by sync, in view")
  }
}
