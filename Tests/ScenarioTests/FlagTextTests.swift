import Scenario
import Testing
import Vocabulary

private let flagged = """
    store  main
    flag  busy
    flag  late
    view  mainQueue coordinator store

  """

@Suite struct `Flags in a stack` {
  @Test func `flags are printed as they stand, with the steps that test them`() throws {
    let text =
      flagged + """
          entry  work
            view  raise busy
            view  unless late
              when busy
                save
              unless hasChanges
                lower busy
            view  unless onMainThread
              save
        """
    let stack = try DesignText.parse(text).stack
    #expect(StackDesignText.print(try DesignText.parse(text)) == DesignText.design(text))
    #expect(stack.flags == [Stack.Flag(name: "busy"), Stack.Flag(name: "late")])
    let view = ContextID(0)
    #expect(stack.entryPoints[0].steps[0] == AddressedStep(view, .setFlag(FlagID(0), true)))
    #expect(
      stack.entryPoints[0].steps[1].step.block?[0]
        == AddressedStep(view, .when(Condition(.isRaised(FlagID(0))), [AddressedStep(view, .save)]))
    )
    #expect(stack.entryPoints[0].steps.map(\.step.verb) == ["raise", "unless", "unless"])
  }

  @Test(arguments: [
    (
      "  store  main\n  flag  hasChanges", 5,
      "'hasChanges' has another meaning after 'when'; choose another name"
    ),
    (
      "  store  main\n  flag  a\n  flag  a", 6,
      "the stack has a flag 'a' already; choose another name"
    ),
    (
      flagged + "  entry  e\n    view  raise bussy", 9,
      "step names flag 'bussy'; the stack has 'busy' and 'late': did you mean 'busy'?"
    ),
    (
      flagged + "  entry  e\n    view  unless lat\n      save", 9,
      "no condition 'lat'; there are 'hasChanges', 'onMainThread', 'offMainThread', 'found', 'busy' and "
        + "'late': did you mean 'late'?"
    ),
    (
      "  store  main\n  view  mainQueue coordinator store\n  flag  a", 6,
      "flag is below the first context; the order is time, stores, queues, flags, groups, ids, "
        + "coordinators, contexts, controllers, entries, observers, promises"
    ),
  ])
  func `flags that make no sense are refused`(lines: String, line: Int, message: String) {
    DesignText.expectError(lines, line, message)
  }
}

private let pool = """
    store  main
    view  mainQueue coordinator store
    worker*3  privateQueue parent view policy overwrite discardable

  """

@Suite struct `Pools of contexts` {
  @Test func `a pool is several contexts, each with its observers and entry points`() throws {
    let short =
      pool + """
          entry  finish worker*
            worker  save
            view  perform
              worker  discard
          observe  didSave worker*
            view  perform
              mergeChanges delivered
            performAndWait
              worker  save
        """
    let contexts = (1...3).map {
      "  worker\($0)  privateQueue parent view policy overwrite discardable"
    }
    let entries = (1...3).map { number in
      """
        entry  finish\(number)
          worker\(number)  save
          view  perform
            worker\(number)  discard
      """
    }
    let observers = (1...3).map { number in
      """
        observe  didSave worker\(number)
          view  perform
            mergeChanges delivered
          performAndWait
            save
      """
    }
    let long =
      ["  store  main\n  view  mainQueue coordinator store"] + contexts + entries + observers
    let printed = StackDesignText.print(try DesignText.parse(short))
    #expect(printed == DesignText.design(long.joined(separator: "\n")))
    #expect(try DesignText.parse(long.joined(separator: "\n")) == DesignText.parse(short))
  }

  @Test(arguments: [
    (
      "  entry  e\n    worker  save", 8,
      "step names lane 'worker', a pool; name one of its contexts, 'worker1' to 'worker3', or "
        + "write the step in a part for 'worker*'"
    ),
    (
      "  observe  didSave worker\n    save", 7,
      "observer names context 'worker', a pool; name one of its contexts, 'worker1' to 'worker3', "
        + "or write the step in a part for 'worker*'"
    ),
    (
      "  other*1  privateQueue coordinator store\n  observe  didSave other\n    save", 8,
      "observer names context 'other', a pool; name its context, 'other1', or write the step in a part "
        + "for 'other*'"
    ),
    (
      "  observe  didSave view*\n    save", 7,
      "line names pool 'view'; the stack has 'worker'"
    ),
    (
      "  worker*2  privateQueue coordinator store", 7,
      "the stack has a pool 'worker' already; choose another name"
    ),
    (
      "  worker3  privateQueue coordinator store", 7,
      "the stack has a context 'worker3' already; choose another name"
    ),
    (
      "  other*0  privateQueue coordinator store", 7,
      "expected a number of contexts from 1 to 2147483647 instead of '0'"
    ),
    (
      "  other*65  privateQueue coordinator store", 7,
      "a pool has at most 64 contexts; fewer contexts find the same failures"
    ),
    ("  entry  e worker", 7, "unexpected 'worker'; the line should end before it"),
  ])
  func `pools that make no sense are refused`(lines: String, line: Int, message: String) {
    DesignText.expectError(pool + lines, line, message)
  }

  @Test func `pools that do not exist are refused`() {
    DesignText.expectError(
      "  store  main\n  view  mainQueue coordinator store\n  observe  didSave w*\n    save", 6,
      "the stack has no pools; write 'w*3  privateQueue …' above")
  }
}
