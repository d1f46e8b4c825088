import Scenario
import Testing
import Vocabulary

/// Returns a scenario with one context, to which both lines are added.
private func scenario(
  context: String = "edit  privateQueue parent view", step: String = "view  save"
) throws -> Scenario {
  let text = """
    scenario  test
    evidence  inferred

    model
      Note
        title  string?

    stack
      store  main
      view  mainQueue coordinator store
      \(context)

    steps
      \(step)

    claims
      succeeded
    """
  return try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
}

@Suite struct `A stack in a scenario` {
  private func error(_ context: String) throws -> TextError {
    try #require(throws: TextError.self) { try scenario(context: context) }
  }

  /// CC-05, PC-A17, NT-26: such a context has no queue on which a child could reach it.
  @Test(arguments: [
    (
      "edit  confinement main parent view",
      "'edit' is confined to a thread and cannot have a parent; write 'privateQueue'"
    ),
    (
      "edit  confinement main coordinator store autoMerge",
      "a context that is confined to a thread cannot have 'autoMerge'; it would raise an exception"
    ),
    (
      "edit  confinement worker coordinator store",
      "context names thread 'worker'; the stack has none"
    ),
    (
      "edit  confinement main coordinator store\n  more  privateQueue parent edit",
      "'edit' is confined to a thread and cannot be a parent"
    ),
  ]) func `a context that stands alone is confined`(context: String, message: String) throws {
    let error = try error(context)
    #expect(error.line == 10 + context.split(separator: "\n").count)
    #expect(error.message.hasPrefix(message), "\(error.message)")
  }

  /// No context exists without a parent from which it could merge.
  @Test(arguments: [
    ("edit  privateQueue", "expected 'coordinator' or 'parent', but the line ends"),
    (
      "edit  privateQueue autoMerge",
      "expected 'coordinator' or 'parent' instead of 'autoMerge'"
    ),
    ("edit  privateQueue parent view coordinator store", "no word 'coordinator'"),
    ("edit  privateQueue coordinator store parent view", "no word 'parent'"),
  ]) func `a context has a parent or a coordinator`(context: String, message: String) throws {
    let error = try error(context)
    #expect(error.line == 11)
    #expect(error.message.hasPrefix(message), "\(error.message)")
  }

  /// MP-A2, MP-A3: a child's policy is its own and not its parent's.
  @Test(arguments: MergePolicy.allCases)
  func `each context has a merge policy`(policy: MergePolicy) throws {
    let child = try scenario(context: "edit  privateQueue parent view policy \(policy.rawValue)")
    #expect(child.stack.contexts.map(\.mergePolicy) == [.error, policy])
    let printed = try ScenarioText.parse(ScenarioText.print(child)) { _ in
      .failure(UnreadableModel(message: ""))
    }
    #expect(printed.stack == child.stack)
  }
}

@Suite struct `A request in a scenario` {
  @Test func `a request is for an entity of the model`() throws {
    let error = try #require(throws: TextError.self) {
      try scenario(step: "view  fetch Nota")
    }
    #expect(error.line == 14)
    #expect(
      error.message
        == "step fetches entity 'Nota'; the model has 'Note': did you mean 'Note'?")
  }
}
