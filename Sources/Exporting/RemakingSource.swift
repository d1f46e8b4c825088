import ObjectModel
import Scenario
import Vocabulary

/// Contexts that a step throws away, and stacks that are opened once more: each is made by a
/// method.
extension TestWriter {
  /// Whether the app is killed: the whole stack is opened again.
  var isKilled: Bool { scenario.contains { if case .kill = $0.step { true } else { false } } }

  /// The contexts that are thrown away while others stay.
  var remadeContexts: [ContextID] {
    stack.contextIDs.filter { context in
      scenario.contains { step in
        step.step.traits.contains(.givesUpContext) && step.context == context
          && stack.children(of: context).isEmpty
      }
    }
  }

  /// `makeWork`
  func methodName(making context: ContextID) -> String { "make\(capitalized(names[context]))" }

  /// What a closure that outlives its statement captures, of what `body` uses: contexts that are
  /// thrown away live as long as their blocks. With a space before it; nothing for nothing.
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

  /// Members of a test case that no part of the scenario gives its name to.
  private static let shared: Set<String> = [
    "turns", "held", "blocks", "counts", "openStack", "mergeHistory", "setMetadataNumber",
    "metadataNumber",
  ]

  /// The statements of `discard`.
  func discardStatements(_ step: AddressedStep, _ events: [Event]?) -> [Statement] {
    guard events != [.nothing], remadeContexts.contains(step.context) else { return [] }
    return [.line("\(methodName(making: step.context))()")]
  }

  /// The stack as it is set up, with `observations` of each context; and the methods that make
  /// parts of it again.
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

  /// The parts of a stack in the order in which they are made.
  struct StackParts {
    var coordinators: [Statement]
    var contexts: [(context: ContextID, statements: [Statement])]
    var queues: [Statement]
  }
}

extension Scenario {
  /// Whether a step of the program, of an observer or of an entry point is what is looked for.
  func contains(where isWanted: (AddressedStep) -> Bool) -> Bool {
    allSteps.contains { $0.contains(where: isWanted) }
  }
}
