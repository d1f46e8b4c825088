import Failures
import TestSupport
import Testing

/// Edits that an entry point rolls back, and their authors.
@Suite struct `A rollback by an entry point` {
  private static let kind: FailureKind = "unsaved changes discarded by the stack"
  private static let stack = """
      view  mainQueue coordinator store
      shared  privateQueue coordinator store
      first  privateQueue parent shared
      second  privateQueue parent shared
      entry  cancel
        shared  performAndWait
          rollback
    """
  private static let edit = "  shared  insert Note as n\n  shared  set n.title \"typed\"\n"

  private func discards(_ steps: String, _ stack: String = Self.stack) throws -> Bool {
    try failureKinds(stack, steps).contains(Self.kind)
  }

  @Test func `a rollback from another queue discards another block's changes`() throws {
    #expect(try discards(Self.edit + "  first  perform\n    call cancel"))
  }

  @Test func `a rollback may give up the changes of its caller`() throws {
    #expect(
      try !discards(
        """
          first  perform
            shared  performAndWait
              insert Note as n
              set n.title "typed"
            call cancel
        """))
  }

  @Test func `a rollback may give up a context on whose queue it is called`() throws {
    #expect(try !discards(Self.edit + "  shared  perform\n    call cancel"))
  }

  /// Outside of blocks, a program performs its steps one after the other.
  @Test func `a rollback outside of blocks may give up all that the program did`() throws {
    #expect(try !discards(Self.edit + "  first  call cancel"))
  }

  /// The observer's save has stored the changes that the child had saved to its parent.
  @Test func `a rollback discards nothing that has been saved since`() throws {
    let observer = "\n  observe  didSave second\n    shared  performAndWait\n      save"
    let stack = Self.stack.replacing(
      "      rollback", with: "      forEach registered delete\n      rollback")
    #expect(
      try !discards(
        """
          second  insert Note as n
          second  set n.title "fine"
          second  save
          shared  object second.n as k
          view  perform
            call cancel
        """, stack + observer))
  }

  /// The entry point saves both contexts, and rolls both back if a save fails.
  @Test func `a rollback may give up what its own save has handed up`() throws {
    let stack =
      Self.stack + """

          entry  finish
            first  performAndWait
              try
                save
                shared  performAndWait
                  save
            shared  performAndWait
              when hasChanges
                rollback
        """
    #expect(
      try !discards(
        """
          first  perform
            insert Note as m
            set m.title "fine"
            shared  performAndWait
              refuseWrite main 1
            call finish
        """, stack))
  }
}

@Suite struct `A context with values that may not be saved` {
  private static let kind: FailureKind = "poisoned context"
  private static let stack = """
      back  privateQueue coordinator store
      entry  write
        back  performAndWait
          save
    """
  private static let bad = "  back  insert Note as bad\n  back  set bad.title \"long\"\n"
  private static let good = "  back  insert Note as good\n"
  private static let call = "  back  call write\n"

  private func isPoisoned(_ steps: String, _ stack: String = Self.stack) throws -> Bool {
    try failureKinds(stack, steps, mark: " max 3").contains(Self.kind)
  }

  @Test func `a value that may not be saved poisons its context for the next save`() throws {
    #expect(try isPoisoned(Self.bad + Self.call + Self.good + Self.call))
  }

  /// The second save loses nothing that the first had not already lost.
  @Test func `a context is not poisoned if nothing else is saved`() throws {
    #expect(try !isPoisoned(Self.bad + Self.call + Self.call))
  }

  @Test func `a program can repair a poisoned context`() throws {
    let steps = Self.bad + Self.call + Self.good
    #expect(try !isPoisoned(steps + "  back  set bad.title \"ok\"\n" + Self.call))
    #expect(try !isPoisoned(steps + "  back  set bad.title \"long\"\n" + Self.call))
  }

  @Test(arguments: ["rollback", "reset"])
  func `a design can put a poisoned context in order`(step: String) throws {
    let stack = Self.stack.replacing(
      "      save", with: "      try\n        save\n      when hasChanges\n        \(step)")
    #expect(try !isPoisoned(Self.bad + Self.call + Self.good + Self.call, stack))
  }

  @Test func `a poisoned context does not outlive a kill`() throws {
    #expect(try !isPoisoned(Self.bad + Self.call + "  back  kill\n" + Self.good + Self.call))
  }

  /// The user sees the error and repairs the value.
  @Test func `a context on the main queue is not poisoned`() throws {
    let stack = Self.stack.replacing("privateQueue", with: "mainQueue")
    #expect(try !isPoisoned(Self.bad + Self.call + Self.good + Self.call, stack))
  }

  @Test func `the program's own saves do not poison a context`() throws {
    #expect(try !isPoisoned(Self.bad + "  back  save\n" + Self.good + Self.call))
  }
}

/// Calls of an entry point that promises to leave a context without changes.
@Suite struct `A promise about calls` {
  private static let kind: FailureKind = "broken promise of an entry point"

  private func isBroken(_ entry: String, _ steps: String, promise: String) throws -> Bool {
    let stack = """
        view  mainQueue coordinator store
        work  privateQueue parent view
      \(entry)
        promise  \(promise)
      """
    return try failureKinds(stack, steps).contains(Self.kind)
  }

  private static let edit = "  work  insert Note as n\n"
  private static let clean = "clean work after finish"
  private static let empty = "  entry  finish\n    view  hasChanges"
  private static let saving = "  entry  finish\n    work  perform\n      save"

  @Test func `a call breaks a promise if it leaves what was changed before`() throws {
    #expect(try isBroken(Self.empty, Self.edit + "  view  call finish", promise: Self.clean))
    #expect(try !isBroken(Self.saving, Self.edit + "  view  call finish", promise: Self.clean))
  }

  @Test func `a change after the call does not break a promise`() throws {
    let steps = "  view  call finish\n" + Self.edit
    #expect(try !isBroken(Self.empty, steps, promise: Self.clean))
  }

  @Test func `a call whose save fails does not break a promise`() throws {
    let stack = "  entry  finish\n    work  performAndWait\n      save\n    view  save"
    let promise = "clean view after finish"
    let steps = "  view  insert Note as n\n  view  refuseWrite main 1\n  view  call finish"
    #expect(try !isBroken(stack, steps, promise: promise))
    #expect(try isBroken(Self.saving, steps, promise: promise))
  }

  @Test func `a call whose save fails breaks a promise that includes failures`() throws {
    let saving = "  entry  finish\n    view  save"
    let promise = "clean view after finish or failure"
    let steps = "  view  insert Note as n\n  view  refuseWrite main 1\n  view  call finish"
    #expect(try isBroken(saving, steps, promise: promise))
    #expect(try isBroken(saving, steps + "\n  work  hasChanges", promise: promise))
    let rollingBack = saving + "\n    view  when hasChanges\n      rollback"
    #expect(try !isBroken(rollingBack, steps, promise: promise))
  }

  /// The observer's block is the last one of the lane, in the middle of the save.
  @Test func `a promise is not judged before the save has ended`() throws {
    let steps = Self.edit + "  view  call finish"
    let observer = "\n  observe  contextWillSave work\n    work  hasChanges"
    #expect(try !isBroken(Self.saving + observer, steps, promise: Self.clean))
  }

  @Test func `a change that the program has taken back does not break a promise`() throws {
    let both = Self.saving + "\n      view  performAndWait\n        save"
    let steps = "  view  insert Note as draft\n  view  delete draft\n  view  call finish"
    #expect(try !isBroken(both, steps, promise: "finish saves only work"))
  }

  /// A deletion in a child takes back an insertion that no other context knows.
  @Test(arguments: [("", false), ("  work  save\n", true)])
  func `a deleted insertion is unsaved if the parent has it`(save: String, isUnsaved: Bool) throws {
    let steps = Self.edit + save + "  work  delete n\n  view  call finish"
    #expect(try isBroken(Self.empty, steps, promise: Self.clean) == isUnsaved)
  }

  @Test func `a promise is about contexts in which programs have changed something`() throws {
    let both = Self.saving + "\n      view  performAndWait\n        save"
    let promise = "finish saves only work"
    #expect(try !isBroken(both, Self.edit + "  view  call finish", promise: promise))
    let draft = "  view  insert Note as draft\n"
    #expect(try isBroken(both, draft + "  view  call finish", promise: promise))
    #expect(try !isBroken(both, draft + "  view  save\n  view  call finish", promise: promise))
    let saved = promise + " view"
    #expect(try !isBroken(both, draft + "  view  call finish", promise: saved))
  }
}

/// Promises about data at the end of calls.
@Suite struct `A promise about data after a call` {
  private static let stack = """
      view  mainQueue coordinator store
      work  privateQueue coordinator store
      entry  finish
        work  performAndWait
          save
    """
  private static let mine = "  view  insert Note as mine\n  view  save\n"
  private static let other = "  work  insert Note as other\n"
  private static let call = "  view  call finish\n"

  private func isBroken(
    _ steps: String, promise: String = "count Note <= 1 after finish"
  ) throws -> Bool {
    try failureKinds("\(Self.stack)\n  promise  \(promise)", steps).contains("broken promise")
  }

  @Test func `a promise about data is judged when a call is over`() throws {
    for (steps, isExpected) in [
      (Self.other + Self.mine + Self.call, true), (Self.other + Self.call, false),
      (Self.other + Self.mine, false),
      // The save outside of the call breaks the promise, and the call is over before.
      (Self.call + Self.other + Self.mine + "  work  save\n", false),
    ] {
      #expect(try isBroken(steps) == isExpected, "\(steps)")
    }
  }

  @Test func `a program that could have known breaks the promise itself`() throws {
    let two = "  work  insert Note as first\n  work  insert Note as second\n"
    #expect(try !isBroken(two + Self.call))
    #expect(try !isBroken(Self.mine + Self.other + Self.call))
  }

  @Test func `a promise about data counts from when it first holds`() throws {
    #expect(try !isBroken(Self.call + Self.call, promise: "count Note >= 1 after finish"))
  }

  @Test func `a promise about data is judged in its places alone`() throws {
    let steps = Self.other + Self.mine + Self.call
    #expect(try !isBroken(steps, promise: "count Note <= 1 in view after finish"))
    #expect(try isBroken(steps, promise: "count Note <= 1 in store after finish"))
  }

  @Test func `a call whose save fails does not break a promise about data`() throws {
    let refusal = "  view  refuseWrite main 1\n"
    #expect(try !isBroken(Self.other + Self.mine + refusal + Self.call))
  }
}
