import Vocabulary

/// How many steps of each kind runs have had.
struct StepTally {
  /// By `Action.kindNumber`.
  private var counts = Array(repeating: 0, count: Action.verbs.count)

  mutating func count(_ action: Action) {
    if action.isCountedAsStep { counts[action.kindNumber] += 1 }
  }

  /// Counts a step of a program if it only arranges for others, and those in it likewise: they are
  /// no actions, and nothing observes them.
  mutating func count(arrangementsOf step: Step) {
    guard step.traits.contains(.arranges) else { return }
    counts[step.kind.rawValue] += 1
    for inner in step.block ?? [] { count(arrangementsOf: inner.step) }
  }

  mutating func merge(_ other: StepTally) {
    for number in counts.indices { counts[number] += other.counts[number] }
  }

  // MARK: By their words

  /// Those that have come, sorted by their words.
  var byVerb: [(verb: String, count: Int)] {
    zip(Action.verbs, counts).filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
      .map { (verb: $0.0, count: $0.1) }
  }

  /// What is no verb is left out.
  mutating func add(_ count: Int, to verb: String) {
    if let number = Action.verbs.firstIndex(of: verb) { counts[number] += count }
  }
}

extension Stack {
  /// By entry point: how often the steps call it, also by way of another.
  func callCounts(of steps: [AddressedStep]) -> [Int] {
    var counts = Array(repeating: 0, count: entryPoints.count)
    for step in steps { noteCalls(of: step.step, in: &counts) }
    return counts
  }

  private func noteCalls(of step: Step, in counts: inout [Int]) {
    if case .call(let entry) = step, entryPoints.indices.contains(entry.index) {
      counts[entry.index] += 1
      // It calls none but those above it.
      for inner in entryPoints[entry.index].steps { noteCalls(of: inner.step, in: &counts) }
    }
    for inner in step.block ?? [] { noteCalls(of: inner.step, in: &counts) }
  }
}
