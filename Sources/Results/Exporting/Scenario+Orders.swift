import Scenario
import ScenarioChecking
import Vocabulary

/// The choice of the run to export. Exports use the quirks of current systems and one order of
/// blocks.
extension Scenario {
  /// The maximum number of orders that are examined to find the most telling one.
  private static let orderLimit = 2_000

  /// Returns copies of the scenario, each with one order of blocks, the most telling first. Refuses
  /// a scenario that depends on behaviour that current systems do not have.
  func ordersToExport() throws(Refusal) -> [Scenario] {
    if quirkSet == Profile.current.quirks { return orders(isOfOtherQuirks: false) }
    try checkQuirks()
    var scenario = self
    scenario.profile = .current
    scenario.quirks = []
    return scenario.orders(isOfOtherQuirks: false)
  }

  /// Returns the orders on a system that has `quirks` and no others, with the claims that hold
  /// there.
  func ordersToExport(under quirks: QuirkSet) -> [Scenario] {
    var scenario = self
    scenario.profile = .documented
    scenario.quirks = quirks.quirks
    return scenario.orders(isOfOtherQuirks: true)
  }

  private func orders(isOfOtherQuirks: Bool) -> [Scenario] {
    let scenario = self
    let inOrder = scenario.ordered(.inOrder)
    switch interleave {
    case .inOrder: return [isOfOtherQuirks ? inOrder : scenario]
    case .choices:
      let run = ScenarioRunner(inOrder).run()
      let isSame =
        inOrder.claims.count == claims.count
        && zip(items, run.transcripts).allSatisfy { $0.transcript == $1 }
      return [isSame ? inOrder : scenario]
    case .every:
      guard let best = scenario.mostTelling(), best.claims.count > inOrder.claims.count else {
        return [inOrder]
      }
      return [best, inOrder]
    }
  }

  /// Returns the scenario in the given order, with the claims that hold in it.
  private func ordered(_ interleave: Interleave) -> Scenario {
    var scenario = self
    scenario.interleave = interleave
    let run = ScenarioRunner(scenario).run()
    scenario.claims = zip(claims, run.claims).filter(\.1).map {
      Claim($0.0.condition, after: $0.0.place)
    }
    return scenario
  }

  /// Returns the scenario in the first order that satisfies the most claims without a deadlock.
  private func mostTelling() -> Scenario? {
    var best: (count: Int, schedule: [UInt32])?
    _ = Exploration(ScenarioRunner(self), limit: Scenario.orderLimit) { run in
      let count = run.claims.count { $0 }
      if run.outcome.deadlocks.isEmpty, count > best?.count ?? 0 { best = (count, run.schedule) }
    }
    return best.map { ordered(.choices($0.schedule.map { Int($0) })) }
  }

  /// Refuses a scenario whose claims do not hold on current systems.
  private func checkQuirks() throws(Refusal) {
    let current = Profile.current.quirks
    let run = ScenarioRunner(self, quirks: current).run()
    let isAlike = interleave == .inOrder && !run.claims.contains(false)
    if isAlike { return }
    let line =
      quirks.isEmpty
      ? "profile  \(profile ?? .current)" : "quirk  " + quirks.map(\.name).joined(separator: " ")
    let isContested = quirkSet.quirks.contains { Quirk.contested.contains($0) }
    throw Refusal(
      line,
      isContested
        ? "it depends on a behaviour about which sources disagree"
        : "it depends on a behaviour that today's systems do not have")
  }
}
