import Scenario
import Testing
import Vocabulary

private let head = """
    store  main
    group  saved
    group  read
    ids  changed
    view  mainQueue coordinator store

  """

@Suite struct `Groups in a stack` {
  @Test func `groups are printed as they stand, with the steps that use them`() throws {
    let text =
      head + """
          entry  work
            view  enter saved
            view  perform
              save
              leave saved
            view  wait read
            view  notify saved
              refreshAllObjects
        """
    let stack = try DesignText.parse(text).stack
    #expect(StackDesignText.print(try DesignText.parse(text)) == DesignText.design(text))
    #expect(stack.groups == [Stack.Group(name: "saved"), Stack.Group(name: "read")])
    let view = ContextID(0)
    #expect(stack.entryPoints[0].steps[0] == AddressedStep(view, .enter(GroupID(0))))
    #expect(stack.entryPoints[0].steps[2] == AddressedStep(view, .wait(GroupID(1))))
    #expect(
      stack.entryPoints[0].steps[3]
        == AddressedStep(view, .notify(GroupID(0), [AddressedStep(view, .refreshAllObjects)])))
  }

  @Test(arguments: [
    (
      head + "  entry  e\n    view  enter save", 10,
      "step names group 'save'; the stack has 'saved' and 'read': did you mean 'saved'?"
    ),
    (
      "  store  main\n  view  mainQueue coordinator store\n  entry  e\n    view  wait a", 7,
      "the stack has no groups; write 'group  a' above the contexts"
    ),
    (
      "  store  main\n  view  mainQueue coordinator store\n  group  a", 6,
      "group is below the first context; the order is time, stores, queues, flags, groups, "
        + "ids, coordinators, contexts, controllers, entries, observers, promises"
    ),
    (
      head + "  entry  e\n    view  notify saved", 10,
      "'notify' has no steps; write its steps below it, indented"
    ),
    (
      "  store  main\n  group  privateQueue coordinator store", 5,
      "'group' cannot be a context's name; it begins a declaration, choose another name: \(Step.Kind.reservedContextNamesText)"
    ),
    (
      "  store  main\n  ids*2  privateQueue coordinator store", 5,
      "'ids' cannot be a context's name; it begins a declaration, choose another name: \(Step.Kind.reservedContextNamesText)"
    ),
    (
      "  store  main\n  group  a\n  group  a", 6,
      "the stack has a group 'a' already; choose another name"
    ),
  ])
  func `groups that make no sense are refused`(lines: String, line: Int, message: String) {
    DesignText.expectError(lines, line, message)
  }
}

@Suite struct `Sets of IDs in a stack` {
  @Test func `sets of IDs are printed as they stand, with the steps that use them`() throws {
    let text =
      head + """
          entry  push
            view  forEach changed touch
            view  forEach changed delete
            view  remember changed inserted
            view  forget changed
          observe  didSave view
            remember changed delivered
        """
    let stack = try DesignText.parse(text).stack
    #expect(StackDesignText.print(try DesignText.parse(text)) == DesignText.design(text))
    #expect(stack.idSets == [Stack.IDSet(name: "changed")])
    let set = IDSetID(0)
    #expect(
      stack.entryPoints[0].steps.map(\.step) == [
        .forEach(.remembered(set), .touch), .forEach(.remembered(set), .delete),
        .remember(set, .inserted), .forget(set),
      ])
    #expect(stack.observers[0].steps[0].step == .remember(set, .delivered))
  }

  @Test(arguments: [
    (
      "  store  main\n  ids  updated", 5,
      "'updated' has another meaning after 'forEach'; choose another name"
    ),
    (
      head + "  entry  e\n    view  remember change inserted", 10,
      "step names set of IDs 'change'; the stack has 'changed': did you mean 'changed'?"
    ),
    (
      head + "  entry  e\n    view  forEach change touch", 10,
      "no set of objects 'change'; there are 'delivered', 'deliveredUpdates', 'inserted', "
        + "'updated', 'registered' and 'changed': did you mean 'changed'?"
    ),
    (
      head + "  entry  e\n    view  remember changed delivered", 10,
      "only an observer of 'didSave' receives a save; write the step there, or "
        + "'didSave CONTEXT 1'"
    ),
    (
      "  store  main\n  view  mainQueue coordinator store\n  entry  e\n    view  forget a", 7,
      "the stack has no sets of IDs; write 'ids  a' above the contexts"
    ),
  ])
  func `sets of IDs that make no sense are refused`(lines: String, line: Int, message: String) {
    DesignText.expectError(lines, line, message)
  }
}
