import Execution
import Failures
import Invariants
import Scenario
import TestSupport
import Testing

@Suite struct `A value that a child has saved` {
  private func violations(_ steps: String) throws -> [Invariant] {
    let text = """
      scenario  test
      evidence  inferred

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store
        edit  privateQueue parent view

      steps
        edit  insert Note as n
        edit  save
        view  save
        edit  set n.title "new"
        edit  save
        view  object edit.n as n
      \(steps)
        view  kill

      claims
        succeeded

      """
    let (program, configuration) = try written(text)
    return ProgramRunner(configuration).run(program).violations.map(\.invariant)
      .filter { $0 == .AcknowledgedSavesOutliveAKill }
  }

  @Test func `a value that a child saved is lost with its parent`() throws {
    #expect(try violations("  view  get n.title").count == 1)
  }

  /// The step saves nothing. The parent is checked because the step has touched it.
  @Test(arguments: ["  view  set n.title \"newer\"", "  view  delete n", "  view  rollback"])
  func `a value is given up where its parent no longer shows it`(step: String) throws {
    #expect(try violations(step).isEmpty)
  }

  private static let stack = """
      view  mainQueue coordinator store
      edit  privateQueue parent view
      entry  hand
        edit  save
      entry  done
        edit  save
        view  save
      entry  attempt
        edit  try
          save
          view  save
    """

  /// The entry point acknowledges its saves when it returns. An app that is killed before that has
  /// acknowledged nothing.
  @Test func `an entry point promises the saves of its child once it has returned`() throws {
    let kind: FailureKind = "acknowledged save gone"
    func program(_ entry: String) -> String {
      "  edit  perform\n    insert Note as n\n    call \(entry)\n  view  kill"
    }
    _ = try failingRun(kind, Self.stack, program("hand"), isInterleaved: true)
    #expect(throws: UnreadableModel.self) {
      try failingRun(kind, Self.stack, program("done"), isInterleaved: true)
    }
  }

  /// An error that the entry point catches does not end the entry point.
  @Test func `an entry point that continues after an error promises its saves`() throws {
    let stack = """
        view  mainQueue coordinator store
        edit  privateQueue parent view
        work  privateQueue coordinator store
        entry  hand
          edit  save
          work  try
            save
          edit  hasChanges
      """
    let steps = """
        edit  insert Note as n
        work  insert Note as w
        work  refuseWrite main 1
        edit  call hand
        view  kill
      """
    #expect(try failureKinds(stack, steps).contains("save left in a parent"))
  }

  /// A design that continues after the error reports success. A design that ends with the error
  /// reports the failure.
  @Test func `an entry point that ends with an error promises nothing`() throws {
    func kinds(_ entry: String) throws -> [FailureKind] {
      try failureKinds(
        Self.stack,
        """
          edit  insert Note as n
          view  refuseWrite main 1
          edit  call \(entry)
          view  kill
        """)
    }
    #expect(try kinds("done").contains("acknowledged save gone"))
    #expect(try !kinds("attempt").contains("acknowledged save gone"))
  }
}

/// If entry points save a context further up, a save of that context alone acknowledges nothing to
/// the app.
@Suite struct `A save that an entry point carries up` {
  private static let stack = """
      view  mainQueue coordinator store
      edit  privateQueue parent view
    """
  private static let finish = """

      entry  saveAll
        view  perform
          save
      entry  finish
        edit  performAndWait
          save
        edit  call saveAll
    """
  private static let save = "  edit  insert Note as n\n  edit  save\n  view  kill"

  @Test func `a save that an entry point carries up is promised at its end`() throws {
    let kind: FailureKind = "acknowledged save gone"
    #expect(try failureKinds(Self.stack, Self.save).contains(kind))
    #expect(try !failureKinds(Self.stack + Self.finish, Self.save).contains(kind))
    let call = Self.save.replacing("edit  save", with: "edit  call finish")
    let lost = try failingRun(kind, Self.stack + Self.finish, call, isInterleaved: true)
    #expect(lost.failure.kind == kind)
  }
}

/// Saves that stay in a parent, even if no kill interrupts the run.
@Suite struct `A save that is left in a parent` {
  private static let kinds: Set<FailureKind> = ["save left in a parent", "acknowledged save gone"]
  private static let insertion = "  edit  insert Note as n\n  edit  call close"

  private func kinds(
    _ entryPoints: String, _ steps: String = Self.insertion
  ) throws -> Set<FailureKind> {
    let stack = """
        view  mainQueue coordinator store
        edit  privateQueue parent view
        entry  close
          edit  save

      """
    return try Set(failureKinds(stack + entryPoints, steps)).intersection(Self.kinds)
  }

  @Test func `a save left in a parent is reported with and without a kill`() throws {
    #expect(try kinds("") == ["save left in a parent"])
    #expect(try kinds("", Self.insertion + "\n  view  kill") == ["save left in a parent"])
  }

  @Test func `a save that the program takes further is not left in a parent`() throws {
    #expect(try kinds("", Self.insertion + "\n  view  save").isEmpty)
    #expect(try kinds("", Self.insertion + "\n  view  rollback").isEmpty)
  }

  /// The app may still save the parent when it terminates. Only a kill prevents that.
  @Test func `a save is not left in a parent if another entry point saves the parent`() throws {
    let saveAll = "  entry  saveAll\n    view  save\n"
    #expect(try kinds(saveAll).isEmpty)
    #expect(try kinds(saveAll, Self.insertion + "\n  view  kill") == ["acknowledged save gone"])
  }

  /// An observer of the child's save enqueues a save of the parent.
  @Test func `an observer that saves the parent prevents a loss if no kill comes first`() throws {
    let observer = "  observe  didSave edit\n    view  perform\n      save\n"
    #expect(try kinds(observer).isEmpty)
    #expect(
      try kinds(
        observer,
        "  view  perform\n    edit  performAndWait\n"
          + "      insert Note as n\n      call close\n    kill") == ["acknowledged save gone"])
  }

  @Test func `a save whose way up failed is not reported as left in a parent`() throws {
    let observer = "  observe  didSave edit\n    view  perform\n      save\n"
    #expect(try kinds(observer, "  view  refuseWrite main 1\n" + Self.insertion).isEmpty)
  }
}
