package import Failures
import Execution
import Invariants
import ObjectModel
package import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The observable outcome of a run, regardless of the order of events. Two runs with equal values
/// have the same outcome.
package struct ScenarioOutcome: Hashable, Sendable {
  /// Boolean values that indicate whether each claim holds.
  package let claims: [Bool]
  /// The kinds of violations except deadlocks, each once, sorted.
  ///
  /// They do not depend on the order of independent turns, of which only one order is run. Each
  /// violation concerns one context, the main queue, turns whose footprints overlap, or the end of
  /// the run. Turns of one context or queue always depend on each other.
  package let violations: [FailureKind]
  /// The cycles of waiting lanes with their kinds, sorted. Each cycle begins with the lane that was
  /// created first.
  package let deadlocks: [String]
  /// The transcript lines of failed steps, sorted.
  package let failures: [String]
  /// The stored rows, sorted. A row has the name of its object if there is one.
  package let rows: [String]
  /// The disagreement between the engine and the reference model, if any.
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
    failures = events.compactMap { entry in
      guard case .failed = entry.event else { return nil }
      return text.line(for: entry.event, of: entry.action)
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

  /// Returns the lines of a report about the outcome: errors, claims whose result is notable, and
  /// the stored rows.
  package func lines(of scenario: Scenario) -> [String] {
    var lines: [String] = []
    if let disagreement { lines.append("engine and reference model differ: \(disagreement)") }
    lines += deadlocks
    lines += violations.map { "violated: \($0)" }
    lines += failures
    if lines.isEmpty { lines.append("no violation, and no step fails") }
    for (claim, holds) in zip(scenario.claims, claims)
    where holds == (claim.quantifier == .sometimes) {
      // Such a claim says that a failure occurs in one schedule. The lines above already say that
      // this schedule does not show it.
      if !scenario.claimsAreAboutAllSchedules, claim.condition.isAboutWhatGoesWrong { continue }
      let text = Claim(claim.condition).text(in: scenario)
      lines.append(holds ? "holds: \(text)" : "does not hold: \(text)")
    }
    lines += rows.isEmpty ? ["the stores are empty"] : rows
    return lines
  }
}

extension Deadlock {
  /// The same cycle, beginning with the lane that was created first.
  fileprivate var fromFirstLane: Deadlock {
    // A single wait is its own beginning.
    if links.count == 1 { return self }
    let first = links.indices.min { links[$0].lane < links[$1].lane } ?? 0
    return Deadlock(links: Array(links[first...] + links[..<first]))
  }
}

extension Claim.Condition {
  /// A Boolean value that indicates whether the condition claims a deadlock, a violation or a
  /// failed step. Each outcome lists its failures itself.
  fileprivate var isAboutWhatGoesWrong: Bool {
    switch self {
    case .deadlock, .shows, .failed: true
    default: false
    }
  }
}
