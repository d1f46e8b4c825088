import Scenario
import Vocabulary

/// The order of steps in a run whose queues overtake each other, with the gates that enforce it.
///
/// Each step of the program and of its blocks performs a range of actions in the run. If the next
/// step belongs to another lane, that lane waits at a gate until the current step opens it.
struct Interleaving {
  /// The lane of steps that the program itself performs.
  private static let program = 0

  /// An occurrence of a step in the program, with the events that it produced.
  struct Place {
    let lane: Int
    /// The range of actions that the step performed.
    let actions: ClosedRange<Int>
    let events: [Event]
    /// The number of the gate at which the step waits.
    var entry: Int?
    /// The number of the gate that the step opens.
    var exit: Int?
    /// The number of a gate that the step opens before it waits. The step then already holds its
    /// queue, so blocks that other lanes enqueue run after it.
    var opening: Int?
  }

  private(set) var gateCount = 0
  private var places: [AddressedStep: [Place]] = [:]

  /// Refuses a run in which another lane interrupts a step. Also refuses a run that ends without
  /// performing one of the steps.
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
    var order: [Entry] = []
    func visit(_ step: AddressedStep, lane: Int) throws(Refusal) {
      if let block = step.step.block {
        var inner = lane
        if step.step.traits.contains(.enqueues) {
          inner = laneCount
          laneCount += 1
        }
        for next in block { try visit(next, lane: inner) }
        return
      }
      if step.step.traits.contains(.arranges) { return }
      let number = places[step, default: []].count
      let mergesOneSave = step.step.traits.contains(.merges) && step.step != .mergeHistory
      if mergesOneSave, !scenario.stack[step.context].automaticallyMergesChangesFromParent,
        runs[step, default: []].count <= number,
        let index = merges[step.context]?.first
      {
        merges[step.context]?.removeFirst()
        runs[step, default: []].append((index...index, performances[index].events))
      }
      guard let run = runs[step], number < run.count else {
        if endsInDeadlock { return }
        throw Refusal(
          scenario.lineText(step), "the run with the schedule of the file never reaches it")
      }
      let place = Place(lane: lane, actions: run[number].actions, events: run[number].events)
      places[step, default: []].append(place)
      order.append(Entry(step: step, number: number, place: place))
    }
    for item in scenario.items { try visit(item.step, lane: Interleaving.program) }
    order.sort { $0.place.actions.lowerBound < $1.place.actions.lowerBound }
    try setGates(of: order, scenario)
    if gateCount == 0 { return }
    try checkBlocksOfEntryPoints(performances, scenario)
    holdQueues(of: order, performances, scenario)
  }

  /// A step in the order of the run, as the `number`-th occurrence of `step`.
  private struct Entry {
    let step: AddressedStep
    let number: Int
    let place: Place
  }

  /// Sets a gate wherever the next step belongs to another lane.
  private mutating func setGates(
    of order: [Entry], _ scenario: Scenario
  ) throws(Refusal) {
    for (step, next) in zip(order, order.dropFirst()) where step.place.lane != next.place.lane {
      guard step.place.actions.upperBound < next.place.actions.lowerBound else {
        throw Refusal(
          scenario.lineText(step.step),
          "another queue runs in the middle of it, where a program cannot wait")
      }
      places[step.step]?[step.number].exit = gateCount
      places[next.step]?[next.number].entry = gateCount
      gateCount += 1
    }
  }

  /// Refuses a block that an entry point enqueues on another queue. No gate controls such a block,
  /// so it could run before or after steps of the program.
  private func checkBlocksOfEntryPoints(
    _ performances: [Rehearsal.Performance], _ scenario: Scenario
  ) throws(Refusal) {
    let steps = scenario.stack.entryPoints.flatMap(\.steps)
    for step in steps.flatMap({ $0.enqueued(in: scenario.stack) }) {
      let isPerformed = performances.contains {
        if case .step(step, _) = $0.action { true } else { false }
      }
      if isPerformed, places[step] == nil {
        throw Refusal(
          scenario.lineText(step),
          "it runs in a block that an entry point enqueues, and no step of the program can delay that block"
        )
      }
    }
  }

  /// Makes a step take its queue before it waits, if a merge follows on that queue. The merge is
  /// enqueued while the step waits. A step that waited first would be enqueued after the merge.
  private mutating func holdQueues(
    of order: [Entry], _ performances: [Rehearsal.Performance], _ scenario: Scenario
  ) {
    let stack = scenario.stack
    let topLevel = Set(scenario.items.map(\.step))
    var last: [Int: Entry] = [:]
    for next in order {
      defer { last[next.place.lane] = next }
      let context = next.step.context
      guard let previous = last[next.place.lane], topLevel.contains(next.step),
        next.place.lane == Interleaving.program,
        previous.place.actions.upperBound < next.place.actions.lowerBound,
        let opening = places[previous.step]?[previous.number].exit,
        places[next.step]?[next.number].entry != nil
      else { continue }
      let meanwhile = performances[
        (previous.place.actions.upperBound + 1)..<next.place.actions.lowerBound]
      let later = performances[(next.place.actions.upperBound + 1)...]
      guard !meanwhile.contains(where: { stack.queue(of: context, isNeededBy: $0.action.context) }),
        later.contains(where: {
          $0.action.isMerge && stack.shareQueue($0.action.context, context)
        })
      else { continue }
      places[previous.step]?[previous.number].exit = nil
      places[next.step]?[next.number].opening = opening
    }
  }

  /// Returns the `number`-th occurrence of a step, or nil if the step has fewer occurrences.
  func place(of step: AddressedStep, _ number: Int) -> Place? {
    let all = places[step, default: []]
    return all.indices.contains(number) ? all[number] : nil
  }
}

extension Action {
  fileprivate var isMerge: Bool {
    switch self {
    case .merge, .mergeRemote: true
    default: false
    }
  }
}

extension AddressedStep {
  /// Returns the steps in nested blocks that run later, on separate lanes. Includes the steps of
  /// entry points that those blocks call.
  fileprivate func enqueued(in stack: Stack) -> [AddressedStep] {
    let inner = step.block ?? []
    if !step.traits.contains(.enqueues) { return inner.flatMap { $0.enqueued(in: stack) } }
    var called: [EntryPointID] = []
    return inner.flatMap { $0.leaves(in: stack, &called) }
  }

  /// Returns the innermost steps. Visits each entry point only once.
  private func leaves(in stack: Stack, _ called: inout [EntryPointID]) -> [AddressedStep] {
    var inner: [AddressedStep]
    if case .call(let entry) = step {
      if called.contains(entry) { return [] }
      called.append(entry)
      inner = stack.entryPoints[entry.index].steps
    } else if let block = step.block {
      inner = block
    } else {
      return [self]
    }
    return inner.flatMap { $0.leaves(in: stack, &called) }
  }
}
