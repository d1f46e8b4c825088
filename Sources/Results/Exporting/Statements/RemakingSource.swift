import ObjectModel
import Scenario
import Vocabulary

/// Contexts that a step discards, and stacks that are opened again. A method creates each of them.
extension TestWriter {
  /// A Boolean value that indicates whether the app is killed. The whole stack is then opened
  /// again.
  var isKilled: Bool { scenario.contains { if case .kill = $0.step { true } else { false } } }

  /// The contexts that a step discards while the rest of the stack stays.
  var remadeContexts: [ContextID] {
    stack.contextIDs.filter { context in
      scenario.contains { step in
        step.step.traits.contains(.givesUpContext) && step.context == context
          && stack.children(of: context).isEmpty
      }
    }
  }

  /// Returns the name of the method that creates a context, such as `makeWork`.
  func methodName(making context: ContextID) -> String { "make\(capitalized(names[context]))" }

  /// Returns the capture list of a closure that outlives its statement, with a leading space.
  /// Returns an empty string if the closure captures nothing. Discarded contexts are captured
  /// strongly, because they live as long as their blocks.
  func captures(of body: [Statement]) -> String {
    let text = Statement.lines(body).joined(separator: " ")
    let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let kept = remadeContexts.map { names[$0] }.filter(words.contains)
    let others = names.all.union(records.map(\.name)).union(gates).union(TestWriter.shared)
      .union(remadeContexts.map { methodName(making: $0) }).subtracting(kept)
    let list =
      (words.isDisjoint(with: others) ? [] : ["self"]) + kept.map { "\($0) = \($0)!" }
    return list.isEmpty ? "" : " [\(list.joined(separator: ", "))]"
  }

  /// Members of the test case that are not named after a part of the scenario.
  private static let shared: Set<String> = [
    "turns", "held", "blocks", "counts", "openStack", "mergeHistory", "setMetadataNumber",
    "metadataNumber",
  ]

  /// Returns the statements of a `discard` step.
  func discardStatements(_ step: AddressedStep, _ events: [Event]?) -> [Statement] {
    guard events != [.nothing], remadeContexts.contains(step.context) else { return [] }
    return [.line("\(methodName(making: step.context))()")]
  }

  /// Returns the statements that set up the stack with `observations`, and the methods that create
  /// parts of the stack again.
  func assembled(
    _ parts: StackParts, _ observations: [(context: ContextID, statement: Statement)]
  ) -> (body: [Statement], methods: [Statement]) {
    var body = parts.coordinators
    var methods: [Statement] = []
    for (context, statements) in parts.contexts {
      guard remadeContexts.contains(context) else {
        body += statements
        continue
      }
      body.append(.line("\(methodName(making: context))()"))
      let observed = observations.filter { $0.context == context }.map(\.statement)
      methods += [
        .block("private func \(methodName(making: context))() {", statements + observed), .empty,
      ]
    }
    body += parts.queues
    let others = observations.filter { !remadeContexts.contains($0.context) }.map(\.statement)
    if !others.isEmpty { body += [.empty] + others }
    if !isKilled { return (body, methods) }
    methods += [.block("private func openStack() throws {", body), .empty]
    return ([.line("try openStack()")], methods)
  }

  /// The parts of a stack, in order of creation.
  struct StackParts {
    var coordinators: [Statement]
    var contexts: [(context: ContextID, statements: [Statement])]
    var queues: [Statement]
  }
}

extension Scenario {
  /// Returns whether any step of the program, an observer or an entry point satisfies `isWanted`.
  func contains(where isWanted: (AddressedStep) -> Bool) -> Bool {
    allSteps.contains { $0.contains(where: isWanted) }
  }
}
