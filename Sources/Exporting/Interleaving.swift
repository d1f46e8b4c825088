import Scenario
import Vocabulary

/// The order of steps in a run whose queues overtake each other, and the gates that force it.
///
/// Each step of the program and of its blocks is one action of the run. Where the next action is
/// one of another lane, that lane waits at a gate until this one opens it.
struct Interleaving {
  /// The lane of the program's own steps.
  private static let program = 0

  /// A step as it stands in the program, and what it came to.
  struct Place {
    let lane: Int
    /// The first and the last action of it.
    let actions: ClosedRange<Int>
    let events: [Event]
    /// The number of the gate at which it waits.
    var entry: Int?
    /// The number of the gate that it opens.
    var exit: Int?
  }

  private(set) var gateCount = 0
  private var places: [AddressedStep: [Place]] = [:]

  /// Refused if a lane is overtaken within one step, or if a step never comes in a run that ends.
  init(
    _ scenario: Scenario, _ performances: [Rehearsal.Performance], endsInDeadlock: Bool = false
  ) throws(Refusal) {
    var runs: [AddressedStep: [(actions: ClosedRange<Int>, events: [Event])]] = [:]
    var merges: [ContextID: [Int]] = [:]
    for (index, performance) in performances.enumerated() {
      switch performance.action {
      case .merge(let context, _), .mergeRemote(let context, _):
        merges[context, default: []].append(index)
      default: break
      }
      guard case .step(let step, let phase) = performance.action else { continue }
      switch phase {
      case .whole, .flush:
        runs[step, default: []].append((index...index, performance.events))
      case .willSave, .commit, .finish:
        guard let last = runs[step]?.popLast() else { continue }
        runs[step]?.append((last.actions.lowerBound...index, last.events + performance.events))
      }
    }
    var laneCount = 1
    var order: [(step: AddressedStep, number: Int, place: Place)] = []
    func visit(_ step: AddressedStep, lane: Int) throws(Refusal) {
      if let block = step.step.block {
        var inner = lane
        if step.step.isEnqueued {
          inner = laneCount
          laneCount += 1
        }
        for next in block { try visit(next, lane: inner) }
        return
      }
      if step.step.isArrangement { return }
      let number = places[step, default: []].count
      if step.step.isMerge, !scenario.stack[step.context].automaticallyMergesChangesFromParent,
        runs[step, default: []].count <= number,
        let index = merges[step.context]?.first
      {
        merges[step.context]?.removeFirst()
        runs[step, default: []].append((index...index, performances[index].events))
      }
      guard let run = runs[step], number < run.count else {
        if endsInDeadlock { return }
        throw Refusal(
          scenario.lineText(step), "the run with the schedule of the file never comes to it")
      }
      let place = Place(lane: lane, actions: run[number].actions, events: run[number].events)
      places[step, default: []].append(place)
      order.append((step, number, place))
    }
    for item in scenario.items { try visit(item.step, lane: Interleaving.program) }
    try setGates(
      of: order.sorted { $0.place.actions.lowerBound < $1.place.actions.lowerBound }, scenario)
  }

  /// A gate wherever the next step is one of another lane.
  private mutating func setGates(
    of order: [(step: AddressedStep, number: Int, place: Place)], _ scenario: Scenario
  ) throws(Refusal) {
    for (step, next) in zip(order, order.dropFirst()) where step.place.lane != next.place.lane {
      guard step.place.actions.upperBound < next.place.actions.lowerBound else {
        throw Refusal(
          scenario.lineText(step.step),
          "another queue comes in the middle of it, where no program "
            + "can wait")
      }
      places[step.step]?[step.number].exit = gateCount
      places[next.step]?[next.number].entry = gateCount
      gateCount += 1
    }
  }

  /// The `number`-th of the places where the same step stands.
  func place(of step: AddressedStep, _ number: Int) -> Place? {
    let all = places[step, default: []]
    return all.indices.contains(number) ? all[number] : nil
  }
}

extension Step {
  fileprivate var isMerge: Bool {
    switch self {
    case .mergeChanges, .mergeRemoteChanges: true
    default: false
    }
  }

  /// Whether its block runs later, on a lane of its own.
  var isEnqueued: Bool {
    switch self {
    case .perform, .performBackgroundTask, .async, .notify: true
    default: false
    }
  }
}
