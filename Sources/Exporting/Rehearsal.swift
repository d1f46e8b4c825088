import Execution
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// What the run of a scenario has come to, action by action: what the exported test expects.
struct Rehearsal {
  struct Performance {
    let action: Action
    let events: [Event]
    /// The program's step during which it happened.
    let item: Int
  }

  /// What a name stands for in a context.
  struct Binding: Hashable {
    let id: ObjectID
    /// Whether the context still has the instance.
    let isRegistered: Bool
  }

  private(set) var performances: [Performance] = []
  /// By item: what is bound after it.
  private(set) var bindings: [[HeldInstance: Binding]] = []
  /// By item: the contexts of the main queue with changes after it that no event has ended with.
  private(set) var unprocessed: [[ContextID]] = []
  /// By item: whether a group still has to notify.
  private let pendingNotifications: [Bool]
  /// As the run has left it.
  let world: World
  /// What was run.
  let program: Program
  /// What must not happen and did, also where only a stack that was designed promises that.
  let violations: [Violation]
  /// The last step of the program that was submitted.
  let lastItem: Int
  let isDeadlocked: Bool
  private let isInterleaved: Bool
  let isSuspended: Bool
  let isEndless: Bool
  /// What the scenario's steps insert, whether the run comes to them or not.
  private let insertions: Set<HeldInstance>
  private var answers: [Key: [Answer]] = [:]
  /// By step of the run: the index of its first action.
  private var stepStarts: [Int] = []

  private struct Key: Hashable {
    let item: Int
    let step: AddressedStep
  }

  /// One time that a step was performed.
  private struct Answer {
    var events: [Event]
    var actions: ClosedRange<Int>
  }

  init(_ scenario: Scenario) {
    var performances: [Performance] = []
    var bindings: [[HeldInstance: Binding]] = []
    var unprocessed: [[ContextID]] = []
    var pendingNotifications: [Bool] = []
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .scenario
    program = Program(scenario)
    let played = ProgramRunner(configuration).play(program) { action, events in
      let item = min(bindings.count, scenario.items.count - 1)
      performances.append(Performance(action: action, events: events, item: item))
    } following: { run, _ in
      bindings.append(Rehearsal.bindings(in: run.world, scenario))
      unprocessed.append(run.world.contextsToProcess)
      pendingNotifications.append(run.world.hasPendingNotifications)
    }
    world = played.run.world
    violations = played.run.violations
    var insertions: Set<HeldInstance> = []
    for step in scenario.allSteps {
      _ = step.contains { inner in
        if case .insert(_, as: let name) = inner.step {
          insertions.insert(HeldInstance(inner.context, name))
        }
        return false
      }
    }
    self.insertions = insertions
    isInterleaved = scenario.interleave != .inOrder
    isDeadlocked = !world.dispatcher.deadlocks.isEmpty
    isSuspended = world.waitsForResume
    isEndless = played.run.ending == .endlessReaction
    lastItem = max(0, bindings.count - 1)
    while bindings.count < scenario.items.count { bindings.append([:]) }
    bindings[bindings.count - 1] = Rehearsal.bindings(in: world, scenario)
    self.performances = performances
    self.unprocessed = unprocessed
    self.pendingNotifications = pendingNotifications
    self.bindings = bindings
    collectAnswers()
  }

  private static func bindings(
    in world: World, _ scenario: Scenario
  ) -> [HeldInstance: Binding] {
    var bindings: [HeldInstance: Binding] = [:]
    for context in scenario.stack.contextIDs {
      for name in scenario.names.indices.map({ ObjectName($0) }) {
        guard let id = world.graph.heldID(context, name) else { continue }
        bindings[HeldInstance(context, name)] = Binding(
          id: id, isRegistered: world.graph.heldInstance(context, name) != nil)
      }
    }
    return bindings
  }

  private mutating func collectAnswers() {
    for (index, performance) in performances.enumerated() {
      if performance.action.isCountedAsStep { stepStarts.append(index) }
      guard case .step(let step, let phase) = performance.action else { continue }
      let key = Key(item: performance.item, step: step)
      switch phase {
      case .whole, .flush:
        answers[key, default: []].append(
          Answer(events: performance.events, actions: index...index))
      case .willSave, .commit, .finish:
        // A part of the save that began last.
        guard var all = answers.removeValue(forKey: key), let last = all.popLast() else { continue }
        all.append(
          Answer(
            events: last.events + performance.events, actions: last.actions.lowerBound...index))
        answers[key] = all
      }
    }
  }

  /// What a step came to each time that it was performed during `item`.
  func answers(to step: AddressedStep, during item: Int) -> [[Event]] {
    answers[Key(item: item, step: step), default: []].map(\.events)
  }

  /// The actions of a step, each time that it was performed during `item`.
  func actions(of step: AddressedStep, during item: Int) -> [ClosedRange<Int>] {
    answers[Key(item: item, step: step), default: []].map(\.actions)
  }

  /// The index of the action with which the `number`-th step of the run begins; they count from 1.
  func performance(ofStep number: Int) -> Int? {
    stepStarts.indices.contains(number - 1) ? stepStarts[number - 1] : nil
  }

  /// Whether a group has still to notify when the item is over, or never does.
  func hasPendingNotifications(after item: Int) -> Bool {
    world.hasPendingNotifications
      || item < pendingNotifications.count && pendingNotifications[item]
  }

  /// The name of what has `id`, if the program has named it.
  func name(of id: ObjectID) -> ObjectName? { world.graph.name(of: id) }

  /// Where `instance` is bound before `item` ends, or before it begins.
  func binding(of instance: HeldInstance, at item: Int) -> Binding? {
    // Blocks may run after later steps: what is bound in the end was bound then.
    if isInterleaved, let binding = bindings[bindings.count - 1][instance] { return binding }
    return bindings[item][instance] ?? (item > 0 ? bindings[item - 1][instance] : nil)
  }

  /// Every instance that the program ever holds, by name and context.
  var heldInstances: [HeldInstance] {
    var all = insertions
    for binding in bindings { all.formUnion(binding.keys) }
    // What a block has held and let go of again.
    for performance in performances {
      guard case .step(let step, _) = performance.action else { continue }
      switch step.step {
      case .object(_, let name), .existingObject(_, let name), .registeredObject(_, let name),
        .objectForURI(_, let name):
        if case .object? = performance.events.answer {
          all.insert(HeldInstance(step.context, name))
        }
      case .get(_, _, as: let name?), .fetch(_, as: let name?):
        all.insert(HeldInstance(step.context, name))
      default: break
      }
    }
    return all.sorted { ($0.name, $0.context) < ($1.name, $1.context) }
  }
}
