import Execution
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A run of the scenario, recorded action by action. The exported test expects the same results.
struct Rehearsal {
  struct Performance {
    let action: Action
    let events: [Event]
    /// The index of the item during which the action was performed.
    let item: Int
  }

  /// The object that a name refers to in a context.
  struct Binding: Hashable {
    let id: ObjectID
    /// A Boolean value that indicates whether the context still has the instance.
    let isRegistered: Bool
  }

  private(set) var performances: [Performance] = []
  /// The bindings after each item.
  private(set) var bindings: [[HeldInstance: Binding]] = []
  /// The main queue contexts that have unprocessed changes after each item.
  private(set) var unprocessed: [[ContextID]] = []
  /// Boolean values that indicate whether a group notification is pending after each item.
  private let pendingNotifications: [Bool]
  /// The world at the end of the run.
  let world: World
  /// The program that was run.
  let program: Program
  /// Violations in the run, including violations of promises that only a designed stack makes.
  let violations: [Violation]
  /// The index of the last item that was submitted.
  let lastItem: Int
  let isDeadlocked: Bool
  private let isInterleaved: Bool
  let isSuspended: Bool
  let isEndless: Bool
  /// The instances that the scenario's steps insert, including steps that the run does not reach.
  private let insertions: Set<HeldInstance>
  private var answers: [Key: [Answer]] = [:]
  /// The index of the first action of each step in the run.
  private var stepStarts: [Int] = []

  private struct Key: Hashable {
    let item: Int
    let step: AddressedStep
  }

  /// The events and actions of one performance of a step.
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
        // This phase continues the save that began last.
        guard var all = answers.removeValue(forKey: key), let last = all.popLast() else { continue }
        all.append(
          Answer(
            events: last.events + performance.events, actions: last.actions.lowerBound...index))
        answers[key] = all
      }
    }
  }

  /// Returns the events of each performance of a step during `item`.
  func answers(to step: AddressedStep, during item: Int) -> [[Event]] {
    answers[Key(item: item, step: step), default: []].map(\.events)
  }

  /// Returns the actions of each performance of a step during `item`.
  func actions(of step: AddressedStep, during item: Int) -> [ClosedRange<Int>] {
    answers[Key(item: item, step: step), default: []].map(\.actions)
  }

  /// Returns the index of the first action of the `number`-th step in the run, counted from 1.
  func performance(ofStep number: Int) -> Int? {
    stepStarts.indices.contains(number - 1) ? stepStarts[number - 1] : nil
  }

  /// Returns whether a group notification is pending after `item` or never arrives.
  func hasPendingNotifications(after item: Int) -> Bool {
    world.hasPendingNotifications
      || item < pendingNotifications.count && pendingNotifications[item]
  }

  /// Returns the name of the object with `id`, if the program has named it.
  func name(of id: ObjectID) -> ObjectName? { world.graph.name(of: id) }

  /// Returns the binding of `instance` at the end of `item`, or else at its beginning.
  func binding(of instance: HeldInstance, at item: Int) -> Binding? {
    // Blocks may run after later steps, so prefer the final binding.
    if isInterleaved, let binding = bindings[bindings.count - 1][instance] { return binding }
    return bindings[item][instance] ?? (item > 0 ? bindings[item - 1][instance] : nil)
  }

  /// All instances that the program holds at any time, sorted by name and context.
  var heldInstances: [HeldInstance] {
    var all = insertions
    for binding in bindings { all.formUnion(binding.keys) }
    // Add instances that a block held and then released.
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
