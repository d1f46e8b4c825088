import ObjectModel
import Scenario
import Vocabulary

/// Writes the body of an exported test: the stack, the steps with their expected results, and the
/// claims.
///
/// Each extension writes one of these parts, and records here which properties and helper methods
/// it needs.
struct TestWriter {
  /// A member of the test case that is written only when needed.
  enum Helper: CaseIterable {
    case observe, counts, waitForBlocks, temporaryURL, blocks, mergeHistory, setMetadata, metadata
  }

  let scenario: Scenario
  let rehearsal: Rehearsal
  let stepText: StepText
  let literals: SwiftLiteral
  /// The prefix of the names of types in the file.
  let typePrefix: String
  var names: SwiftNames
  /// The helper methods that the test case needs.
  var helpers: Set<Helper> = []
  /// The properties that record notifications or their contents, with their types.
  var records: [(name: String, type: String)] = []
  /// The index of the item that is being written.
  var item = 0
  /// The number of times that each step of this item has been written. A step may occur more than
  /// once in an item.
  var writtenCounts: [AddressedStep: Int] = [:]
  /// The deadlock that the main thread takes part in, or nil if the run has none.
  var deadlock: ExpectedDeadlock?
  /// The group that a step of the last item waits for permanently.
  var endlessGroup: GroupID?
  /// The deadlock of a program that waits on a separate queue.
  var programDeadlock: ProgramDeadlock?
  /// The path of the statement that is being written.
  var path = StepPath()
  /// The waits of the programDeadlock that have been written.
  var writtenWaits: Set<StepPath> = []
  /// The contexts with blocks that run only after a wait for them has timed out.
  var overdueContexts: Set<ContextID> = []
  /// A Boolean value that indicates whether the current statement runs only after the scenario's
  /// run has ended in a deadlock.
  var isPastDeadlock = false
  /// The order of a run whose queues overtake each other, or nil if each step ends before the next
  /// begins.
  var interleaving: Interleaving?
  /// A Boolean value that indicates whether the current statement may run later or not at all,
  /// because of a condition, a group notification or an earlier error.
  var isConditional = false
  /// A Boolean value that indicates whether the current statement leaves errors to the enclosing
  /// `do`.
  var isTrying = false
  /// The names of the semaphores that keep blocks in order.
  var gates: [String] = []
  /// The contexts whose changes are processed at other times than in the scenario.
  var earlyContexts: Set<ContextID> = []
  /// The contexts whose DidSave notifications are merged by a step.
  var mergedSaves: Set<ContextID> = []
  /// The number of batch requests that have been written, by context.
  var batchCounts: [ContextID: Int] = [:]
  /// The fetched-results controllers created since the stack was last opened.
  var currentLists: Set<ControllerID> = []
  /// The fetched-results controllers that a step creates.
  var madeLists: Set<ControllerID> = []
  /// The violations that the test demonstrates.
  let problems: [Problem]
  /// The indices of the problems whose place is marked.
  var markedProblems: Set<Int> = []
  /// The indices of the problems that an assertion shows.
  var assertedProblems: Set<Int> = []
  /// A Boolean value that indicates whether the current step belongs to an observer or entry point,
  /// and so may run more than once.
  var isInReaction = false

  init(_ scenario: Scenario, _ rehearsal: Rehearsal, typePrefix: String) {
    self.scenario = scenario
    self.typePrefix = typePrefix
    self.rehearsal = rehearsal
    problems = rehearsal.problems(of: scenario)
    names = SwiftNames(scenario, held: rehearsal.heldInstances)
    literals = SwiftLiteral(symbols: scenario.model.symbols)
    stepText = StepText(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step))
  }

  /// A Boolean value that indicates whether the run ends in a deadlock.
  var endsInDeadlock: Bool { deadlock != nil || programDeadlock != nil || endlessGroup != nil }
  var stack: Stack { scenario.stack }
  var model: ObjectModel { scenario.model }

  func refusal(_ step: AddressedStep, _ reason: String) -> Refusal {
    let line = isInReaction ? nil : scenario.items[item].line
    return Refusal(line: line == 0 ? nil : line, stepText.line(step), reason)
  }

  // MARK: What a run has shown

  /// Returns the expected events of a step, or nil if they vary or are unknown.
  mutating func answer(to step: AddressedStep) -> [Event]? {
    if isPastDeadlock { return nil }
    if isInReaction {
      let all = rehearsal.bindings.indices.flatMap { rehearsal.answers(to: step, during: $0) }
      guard let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
      return first
    }
    if let interleaving {
      let position = writtenCounts[step, default: 0]
      writtenCounts[step] = position + 1
      return interleaving.place(of: step, position)?.events
    }
    let answers = answersToCome(to: step)
    let position = writtenCounts[step, default: 0]
    writtenCounts[step] = position + 1
    if answers.count == occurrences(of: step), answers.indices.contains(position) {
      return answers[position]
    }
    guard let first = answers.first, answers.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// Returns the events of each performance of the step during this item. If the statement may run
  /// later, returns those of the first item in which the step ran.
  private func answersToCome(to step: AddressedStep) -> [[Event]] {
    let items = isConditional ? item..<scenario.items.count : item..<(item + 1)
    return items.lazy.map { rehearsal.answers(to: step, during: $0) }.first { !$0.isEmpty } ?? []
  }

  /// Returns the number of occurrences of a step in the current item.
  private func occurrences(of step: AddressedStep) -> Int {
    func count(_ other: AddressedStep) -> Int {
      (other == step ? 1 : 0) + (other.step.block ?? []).reduce(0) { $0 + count($1) }
    }
    return count(scenario.items[item].step)
  }

  /// Returns the entity of the object with a given name.
  func entity(of name: ObjectName) -> EntityID? { scenario.entitiesOfNames[name.index] }

  /// Returns the property that holds an instance.
  func variable(_ instance: HeldInstance, _ step: AddressedStep) throws(Refusal) -> String {
    guard let name = names[instance] else {
      throw refusal(
        step,
        "no step binds \(scenario.names[instance.name.index]) in "
          + "\(stack[instance.context].name), so the test has no object to use")
    }
    return name
  }
}
