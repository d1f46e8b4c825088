import ObjectModel
import Scenario
import Testing
import Vocabulary

/// Time, queues, threads and entry points in a stack, and the steps that use them.
@Suite struct `The app around the contexts` {
  /// The stack begins on line 11.
  private static func text(_ stack: String, steps: String = "") -> String {
    """
    scenario  test
    evidence  inferred

    model
      Note
        title  string?
        views  integer16?
        rate  double?

    stack

    """ + stack + "\n" + (steps.isEmpty ? "" : "\nsteps\n\(steps)\n")
  }

  private static let roots = """
      store  main
      queue  writer
      view  mainQueue coordinator store
      work  confinement writer coordinator store
    """

  private static let everything = """
      time  read 2 write 10 row 1 budget 100
      store  main
      queue  writer
      queue  reader
      view  mainQueue coordinator store
      work  confinement writer coordinator store policy overwrite undoManager
      old  confinement main coordinator store
      entry  add
        view  insert Note as n
        view  set n.title "x"
      entry  all
        view  call add
        work  dispatchAsync reader
          view  save
          work  perform
            save
            view  save
      observe  didSave view
        call all
        increment n.views by -1
        dispatchSync writer
          work  mergeChanges delivered
          view  dispatchAsync writer
    """

  @Test(arguments: [
    text(everything),
    text(
      everything,
      steps: "  view  call all\n  view  increment n.views\n  work  dispatchSync reader\n"
        + "    old  save\n  work  kill"),
    text("  time  read 2\n" + roots), text("  time  write 10\n" + roots),
    text("  time  row 3\n" + roots), text("  time  budget 100\n" + roots),
    text("  time  read 2 budget 100\n" + roots),
  ])
  func `the app of a stack is printed as it stands`(text: String) throws {
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario) == text)
    #expect(try Examples.parse(ScenarioText.print(scenario)) == scenario)
  }

  @Test func `the app of a stack is read as it is written`() throws {
    let stack = try Examples.parse(Self.text(Self.everything)).stack
    #expect(stack.timing.read == 2 && stack.timing.write == 10)
    #expect(stack.timing.mainQueueBudget == 100)
    #expect(stack.queues == [Stack.Queue(name: "writer"), Stack.Queue(name: "reader")])
    #expect(stack.contexts.map(\.concurrencyType) == [.mainQueue, .confinement, .confinement])
    #expect(stack.contexts.map(\.thread) == [nil, AppQueueID(0), nil])
    #expect(stack.entryPoints.map(\.name) == ["add", "all"])
    let (view, work) = (ContextID(0), ContextID(1))
    #expect(
      stack.entryPoints[1].steps == [
        AddressedStep(view, .call(EntryPointID(0))),
        AddressedStep(
          work,
          .async(
            AppQueueID(1),
            [
              AddressedStep(view, .save),
              AddressedStep(
                work, .perform([AddressedStep(work, .save), AddressedStep(view, .save)])),
            ])),
      ])
    #expect(
      stack.observers[0].steps.prefix(2) == [
        AddressedStep(view, .call(EntryPointID(1))),
        AddressedStep(view, .increment(ObjectName(0), PropertyID(1), by: -1)),
      ])
  }

  /// The words may be in any order, and are printed in one order.
  @Test func `time is read in any order of its words`() throws {
    let text = Self.text("  time  budget 100 row 1 write 10 read 2\n" + Self.roots)
    let printed = ScenarioText.print(try Examples.parse(text))
    #expect(printed == Self.text("  time  read 2 write 10 row 1 budget 100\n" + Self.roots))
  }

  private static let order =
    "the order is time, stores, queues, flags, groups, ids, coordinators, contexts, controllers, "
    + "entries, observers, promises"

  @Test(arguments: [
    ("  time", 11, "expected 'read', 'write', 'row' or 'budget', but the line ends"),
    ("  time  reed 2", 11, "expected 'read', 'write', 'row' or 'budget' instead of 'reed'"),
    (
      "  time  read", 11,
      "expected a number of milliseconds from 1 to 2147483647, but the line ends"
    ),
    (
      "  time  read 0", 11,
      "expected a number of milliseconds from 1 to 2147483647 instead of '0'"
    ),
    (
      "  time  read -2", 11,
      "expected a number of milliseconds from 1 to 2147483647 instead of '-2'"
    ),
    ("  time  read 2 read 3", 11, "'read' is given twice; once is enough"),
    ("  time  read 2 3", 11, "expected 'read', 'write', 'row' or 'budget' instead of '3'"),
    ("  time  read 2\n  time  write 3", 12, "time is given twice; once is enough"),
    ("  store  main\n  time  read 2", 12, "time is below the first store; \(order)"),
    ("  queue", 11, "expected the name of a queue, but the line ends"),
    ("  queue  main", 11, "there is a main queue already; choose another name"),
    ("  queue  a b", 11, "unexpected 'b'; the line should end before it"),
    (
      "  queue  a\n  queue  a", 12, "the stack has a queue 'a' already; choose another name"
    ),
    ("  queue  a\n  store  main", 12, "store is below the first queue; \(order)"),
    (
      roots + "\n  writer  privateQueue coordinator store", 15,
      "the stack has a queue 'writer' already; choose another name"
    ),
    (
      roots + "\n  old  confinement", 15,
      "expected the context's thread, a queue or 'main', but the line ends"
    ),
    (
      roots + "\n  old  confinement coordinator store", 15,
      "context names thread 'coordinator'; the stack has 'writer'"
    ),
    (
      roots + "\n  old  confinement writr coordinator store", 15,
      "context names thread 'writr'; the stack has 'writer': did you mean 'writer'?"
    ),
    (
      roots + "\n  kill  privateQueue coordinator store", 15,
      "'kill' cannot be a context's name; it has another meaning in steps: \(Step.Kind.reservedContextNamesText)"
    ),
    (
      roots + "\n  call  privateQueue coordinator store", 15,
      "'call' cannot be a context's name; it has another meaning in steps: \(Step.Kind.reservedContextNamesText)"
    ),
    (roots + "\n  entry", 15, "expected the name of an entry point, but the line ends"),
    (roots + "\n  entry  a b", 15, "unexpected 'b'; the line should end before it"),
    (
      roots + "\n  entry  a\n    view  save\n  entry  a", 17,
      "the stack has an entry point 'a' already; choose another name"
    ),
    (
      roots + "\n  entry  a\n    save", 16,
      "step names no lane; write 'LANE  save', where the lane is a context"
    ),
    (
      roots + "\n  refresh*2  privateQueue coordinator store", 15,
      "'refresh' cannot be a context's name; it has another meaning in steps: \(Step.Kind.reservedContextNamesText)"
    ),
    (
      roots + "\n  entry  a\n    view  save\n    > view  nothing", 17,
      "transcript below an entry point; write transcripts below steps"
    ),
    (
      roots + "\n  entry  a\n    view  call a", 16,
      "entry point 'a' calls itself, which would never end"
    ),
    (
      roots + "\n  observe  didSave view\n    save\n  entry  a", 17,
      "entry is below the first observe; \(order)"
    ),
    (
      roots + "\n  observe  didSave view\n    dispatchAsync writer\n      save", 17,
      "step names no lane; write 'LANE  save', where the lane is a context"
    ),
  ])
  func `a malformed app is refused`(stack: String, line: Int, message: String) {
    let text = Self.text(stack)
    #expect(throws: TextError(line: line, message: message), "\(text)") {
      try Examples.parse(text)
    }
  }

  /// Steps stand on line 36, below `everything`.
  @Test(arguments: [
    ("view  call", "expected the name of an entry point, but the line ends"),
    (
      "view  call al", "step calls 'al'; declared above are 'add' and 'all': did you mean 'all'?"
    ),
    ("view  call all now", "unexpected 'now'; the line should end before it"),
    ("view  dispatchAsync", "expected the name of a queue, but the line ends"),
    (
      "view  dispatchSync raeder",
      "step names queue 'raeder'; the stack has 'writer' and 'reader': did you mean 'reader'?"
    ),
    (
      "view  dispatchSync main",
      "'main' is not a queue of the app; steps for the main queue are enqueued by 'view  perform', for a "
        + "mainQueue context"
    ),
    ("view  increment n", "expected a property instead of 'n'; write 'n.PROPERTY'"),
    ("view  increment n.title", "only integers can be incremented; write 'set'"),
    ("view  increment n.rate", "only integers can be incremented; write 'set'"),
    ("view  increment n.views 2", "unexpected '2'; the line should end before it"),
    ("view  kill now", "unexpected 'now'; the line should end before it"),
    (
      "work  tick",
      "only the main queue has a run loop; 'tick' is for a 'mainQueue' or 'confinement main' context"
    ),
  ])
  func `a malformed step on an app is refused`(step: String, message: String) {
    let text = Self.text(Self.everything, steps: "  \(step)")
    #expect(throws: TextError(line: 36, message: message), "\(text)") {
      try Examples.parse(text)
    }
  }
}
