package import Failures
import Execution
import Invariants
import ObjectModel
package import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// What can be told apart of how a run ended, whatever came before what: two runs that agree in all
/// of it have come to the same.
package struct ScenarioOutcome: Hashable, Sendable {
  /// By claim: whether it holds.
  package let claims: [Bool]
  /// What was violated, each kind once, sorted; deadlocks apart. None hangs on the order of
  /// independent turns, of which one is run: each is about what one context or the main queue did,
  /// whose turns all depend on each other, about turns whose footprints meet, or about the end.
  package let violations: [FailureKind]
  /// By kind: which lane waits for which, in cycles that begin with the lane that was made first.
  package let deadlocks: [String]
  /// The steps that failed, as a transcript has them, sorted.
  package let failures: [String]
  /// What the stores have, by name of the object where it has one, sorted.
  package let rows: [String]
  /// Where engine and reference disagree.
  package let disagreement: FailureKind?

  init(of run: DifferentialRun, claims: [Bool], events: [ActionEvent], _ text: EventText) {
    let world = run.world
    self.claims = claims
    var kinds: [FailureKind] = []
    for violation in run.violations
    where violation.invariant != .WaitForGraphIsAcyclic && !kinds.contains(violation.kind) {
      kinds.append(violation.kind)
    }
    violations = kinds.sorted { $0.name < $1.name }
    let circles = run.violations.filter { $0.invariant == .WaitForGraphIsAcyclic }
    deadlocks = zip(circles, world.dispatcher.deadlocks).map { violation, deadlock in
      let circle = deadlock.fromFirstLane.description(
        lane: { world.name(of: $0) }, queue: { world.name(of: $0) },
        isGroup: { world.isGroup($0) })
      return "\(violation.kind): \(circle)"
    }.sorted()
    failures = events.compactMap { happening in
      guard case .failed = happening.event else { return nil }
      return text.line(for: happening.event, of: happening.action)
    }.sorted()
    rows = world.stack.stores.indices.flatMap { store in
      world.graph.rows(of: StoreID(store)).map { row in
        let name = world.graph.name(of: row.id) == nil ? "" : " \(text.name(row.id))"
        let record = text.record(row.id.entity, row.values, row.collections)
        return
          "\(world.stack.stores[store].name)  \(world.model[row.id.entity].name)\(name) \(record)"
      }
    }.sorted()
    disagreement = run.disagreement?.failureKind
  }

  /// A line for each thing that a reader should know: what is wrong, which claims that need not
  /// hold always do, what is stored.
  package func lines(of scenario: Scenario) -> [String] {
    var lines: [String] = []
    if let disagreement { lines.append("engine and reference model differ: \(disagreement)") }
    lines += deadlocks
    lines += violations.map { "violated: \($0)" }
    lines += failures
    if lines.isEmpty { lines.append("no violation, and no step fails") }
    for (claim, holds) in zip(scenario.claims, claims)
    where holds == (claim.quantifier == .sometimes) {
      // The claim is that something goes wrong in one schedule; in this one it does not, which is
      // said above.
      if !scenario.claimsAreAboutAllSchedules, claim.condition.isAboutWhatGoesWrong { continue }
      let text = Claim(claim.condition).text(in: scenario)
      lines.append(holds ? "holds: \(text)" : "does not hold: \(text)")
    }
    lines += rows.isEmpty ? ["the stores are empty"] : rows
    return lines
  }
}

extension Deadlock {
  /// The same cycle, whichever lane closed it.
  fileprivate var fromFirstLane: Deadlock {
    // A wait that is alone begins with itself.
    if links.count == 1 { return self }
    let first = links.indices.min { links[$0].lane < links[$1].lane } ?? 0
    return Deadlock(links: Array(links[first...] + links[..<first]))
  }
}

extension Claim.Condition {
  /// Whether it is that a run fails in some way: an outcome says whether it does.
  fileprivate var isAboutWhatGoesWrong: Bool {
    switch self {
    case .deadlock, .shows, .failed: true
    default: false
    }
  }
}
