import ObjectModel
import Scenario
import Vocabulary

/// Writes the body of an exported test: the stack, the steps with what they should come to, and the
/// claims.
///
/// The extensions each write one of these. What the test needs besides, such as properties and
/// methods that wait, is noted here while they do.
struct TestWriter {
  /// A method of the test case that some tests need.
  enum Helper: CaseIterable {
    case observe, counts, waitForBlocks, temporaryURL, blocks, mergeHistory, setMetadata, metadata
  }

  let scenario: Scenario
  let rehearsal: Rehearsal
  let stepText: StepText
  let literals: SwiftLiteral
  /// What the names of the file's types begin with.
  let typePrefix: String
  var names: SwiftNames
  /// Which methods the test case needs.
  var helpers: Set<Helper> = []
  /// The properties that hold notifications or what they list, with their types.
  var records: [(name: String, type: String)] = []
  /// What each kind of notification of a context is counted in.
  var recordNames: [RecordKey: String] = [:]
  /// The program's step that is being written.
  var item = 0
  /// How often each step of this item was written, of those that stand in it more than once.
  var writtenCounts: [AddressedStep: Int] = [:]
  /// Nil if the run ends with all its steps.
  var deadlock: ExpectedDeadlock?
  /// The group for which a step of the last item waits for ever.
  var endlessGroup: GroupID?
  /// A deadlock of a program that waits on a queue of its own.
  var standstill: Standstill?
  /// Where the statement stands that is being written.
  var path = StepPath()
  /// The waits of the standstill that are written.
  var writtenWaits: Set<StepPath> = []
  /// The contexts for whose blocks a wait with a limit gives up: their blocks run later.
  var overdueContexts: Set<ContextID> = []
  /// Whether what is written runs only after the run of the scenario has ended in a deadlock.
  var isPastDeadlock = false
  /// The order of a run whose queues overtake each other; nil if each step ends before the next.
  var interleaving: Interleaving?
  /// Whether what is written may run later, or not at all: under a condition, or when a group is
  /// empty.
  var isConditional = false
  /// Whether an error leaves what is written for the `do` around it.
  var isTrying = false
  /// The semaphores that keep blocks in their order.
  var gates: [String] = []
  /// The contexts whose changes are processed at other times than in the scenario.
  var earlyContexts: Set<ContextID> = []
  /// The DidSave notifications that later steps merge.
  var mergedSaves: Set<ContextID> = []
  /// The results of batch requests that later steps merge, by context.
  var batchCounts: [ContextID: Int] = [:]
  /// The fetched-results controllers of contexts that are still there.
  var currentLists: Set<ControllerID> = []
  /// The fetched-results controllers that a step has made.
  var madeLists: Set<ControllerID> = []
  /// What goes wrong in the run.
  let problems: [Problem]
  /// Those whose place is marked.
  var markedProblems: Set<Int> = []
  /// Those that an assertion shows.
  var assertedProblems: Set<Int> = []
  /// What is written about observers and entry points: their steps run more than once.
  var isInReaction = false

  struct RecordKey: Hashable {
    let event: WatchedEvent
    let context: ContextID
  }

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

  /// Whether the run stops with steps that wait for each other.
  var endsInDeadlock: Bool { deadlock != nil || standstill != nil || endlessGroup != nil }
  var stack: Stack { scenario.stack }
  var model: ObjectModel { scenario.model }

  func refusal(_ step: AddressedStep, _ reason: String) -> Refusal {
    let line = isInReaction ? nil : scenario.items[item].line
    return Refusal(line: line == 0 ? nil : line, stepText.line(step), reason)
  }

  // MARK: What a run has shown

  /// What a step should come to; nil if that is not the same each time, or not known.
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

  /// What the step came to during this item; where it may run later, during the first in which it
  /// did.
  private func answersToCome(to step: AddressedStep) -> [[Event]] {
    let items = isConditional ? item..<scenario.items.count : item..<(item + 1)
    return items.lazy.map { rehearsal.answers(to: step, during: $0) }.first { !$0.isEmpty } ?? []
  }

  /// How often a step stands in the item that is being written.
  private func occurrences(of step: AddressedStep) -> Int {
    func count(_ other: AddressedStep) -> Int {
      (other == step ? 1 : 0) + (other.step.block ?? []).reduce(0) { $0 + count($1) }
    }
    return count(scenario.items[item].step)
  }

  /// The entity of what a name stands for.
  func entity(of name: ObjectName) -> EntityID? { scenario.entitiesOfNames[name.index] }

  /// The property that holds an instance.
  func variable(_ instance: HeldInstance, _ step: AddressedStep) throws(Refusal) -> String {
    guard let name = names[instance] else {
      throw refusal(
        step,
        "\(scenario.names[instance.name.index]) is never bound in "
          + "\(stack[instance.context].name), so a program has no object to use")
    }
    return name
  }
}
