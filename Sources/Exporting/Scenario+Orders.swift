import Scenario
import ScenarioChecking
import Vocabulary

/// Which run of a scenario is exported: on today's systems, in one order of its blocks.
extension Scenario {
  /// How many orders are looked at to find the one that shows most.
  private static let orderLimit = 2_000

  /// The scenario with one order each, the one that shows most first. Refused if it depends on what
  /// today's systems do not do.
  func ordersToExport() throws(Refusal) -> [Scenario] {
    if quirkSet == Profile.current.quirks { return orders(isOfOtherQuirks: false) }
    try checkQuirks()
    var scenario = self
    scenario.profile = .current
    scenario.quirks = []
    return scenario.orders(isOfOtherQuirks: false)
  }

  /// Likewise, of systems that have `quirks` and no others: with the claims that hold there.
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

  /// In this order, with the claims that hold in it.
  private func ordered(_ interleave: Interleave) -> Scenario {
    var scenario = self
    scenario.interleave = interleave
    let run = ScenarioRunner(scenario).run()
    scenario.claims = zip(claims, run.claims).filter(\.1).map {
      Claim($0.0.condition, after: $0.0.place)
    }
    return scenario
  }

  /// In the first of the orders in which most claims hold and nothing waits for ever.
  private func mostTelling() -> Scenario? {
    var best: (count: Int, schedule: [UInt32])?
    _ = Exploration(ScenarioRunner(self), limit: Scenario.orderLimit) { run in
      let count = run.claims.count { $0 }
      if run.outcome.deadlocks.isEmpty, count > best?.count ?? 0 { best = (count, run.schedule) }
    }
    return best.map { ordered(.choices($0.schedule.map { Int($0) })) }
  }

  /// Refuses a scenario whose claims do not hold on today's systems.
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
        ? "it depends on a behaviour of which sources disagree whether systems have it"
        : "it depends on a system that behaves otherwise than today's")
  }
}
