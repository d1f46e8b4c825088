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
    /// The number of a gate that it opens before it waits: it has its queue then, and blocks that
    /// others enqueue meanwhile come after it.
    var opening: Int?
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
          scenario.lineText(step), "the run with the schedule of the file never comes to it")
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

  /// A step in the order of the run: the `number`-th place of `step`.
  private struct Entry {
    let step: AddressedStep
    let number: Int
    let place: Place
  }

  /// A gate wherever the next step is one of another lane.
  private mutating func setGates(
    of order: [Entry], _ scenario: Scenario
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

  /// Refuses a block that an entry point enqueues on another queue: no gate stands in it, so that
  /// it may run before or after steps of the program.
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
          "it runs in a block that an entry point enqueues, which no step of the program can hold up"
        )
      }
    }
  }

  /// Lets a step take its queue before it waits, where a merge comes behind it on that queue: what
  /// enqueues the merge runs while the step waits. A step that waited first would stand in line
  /// behind the merge.
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

  /// The `number`-th of the places where the same step stands.
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
  /// The steps of the blocks in it that run later, on lanes of their own, with those of the entry
  /// points that they call.
  fileprivate func enqueued(in stack: Stack) -> [AddressedStep] {
    let inner = step.block ?? []
    if !step.traits.contains(.enqueues) { return inner.flatMap { $0.enqueued(in: stack) } }
    var called: [EntryPointID] = []
    return inner.flatMap { $0.leaves(in: stack, &called) }
  }

  /// Each entry point is looked through once.
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
