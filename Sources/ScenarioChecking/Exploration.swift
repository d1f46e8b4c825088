package import Execution
package import Scenario

/// The outcomes of a scenario under all schedules.
package struct Exploration {
  /// The maximum number of schedules that are run, unless the caller says otherwise.
  package static let usualLimit = 20_000

  /// An outcome, and the schedules that lead to it.
  package struct Finding {
    package let outcome: ScenarioOutcome
    /// The choices of the first schedule that led to it.
    package let schedule: [UInt32]
    package fileprivate(set) var runCount: Int
    /// How many schedules lead to it, run or pruned.
    package fileprivate(set) var scheduleCount: Tally
  }

  package private(set) var runCount = 0
  /// The schedules that were run and those for which they stand.
  package private(set) var scheduleCount = Tally(0)
  /// In the order in which they were found.
  package private(set) var findings: [Finding] = []
  /// A lower bound of the number of the scenario's schedules; nil unless `limit` ended the search.
  private var leastCount: Tally?

  /// Without `prunes`, or with claims between steps, runs those too that differ only in the order
  /// of independent turns.
  package init(
    _ runner: ScenarioRunner, limit: Int = Exploration.usualLimit, prunes: Bool = true,
    observing observe: (ScenarioRun) -> Void = { _ in }
  ) {
    let moments = runner.scenario.claimedMoments
    // Between two steps, the order of independent turns shows.
    let prunes = prunes && moments.isEmpty
    var walk = ScheduleWalk(
      Program(runner.scenario), runner.configuration, prunes: prunes, keepingWorldsAfter: moments)
    while let next = walk.next() {
      let count = prunes ? TurnOrder(next.turns).scheduleCount : Tally(1)
      if runCount == limit {
        leastCount = scheduleCount + count
        return
      }
      runCount += 1
      scheduleCount = scheduleCount + count
      let run = runner.result(of: next.played)
      note(run, count)
      observe(run)
    }
  }

  /// Whether all schedules were seen: `limit` did not end the search.
  package var isComplete: Bool { leastCount == nil }

  package var prunedCount: Tally { scheduleCount - runCount }

  /// How many schedules were not seen; nil if all were.
  package var cutMessage: String? {
    leastCount.map {
      "stopped after \(runCount) of at least \(runCount + 1) runs, which stand for \(scheduleCount) of "
        + "at least \($0.value) schedules"
    }
  }

  private mutating func note(_ run: ScenarioRun, _ count: Tally) {
    if let index = findings.firstIndex(where: { $0.outcome == run.outcome }) {
      findings[index].runCount += 1
      findings[index].scheduleCount = findings[index].scheduleCount + count
    } else {
      findings.append(
        Finding(outcome: run.outcome, schedule: run.schedule, runCount: 1, scheduleCount: count))
    }
  }
}

/// Claims.
extension Exploration {
  package enum Verdict: Hashable {
    case holds, doesNotHold
    /// So far it holds, or with `sometimes` does not, but schedules were cut.
    case undecided
  }

  /// Whether engine and reference agreed, and what `scenario` claims of all schedules holds.
  package func passes(_ scenario: Scenario) -> Bool {
    findings.allSatisfy { $0.outcome.disagreement == nil }
      && (!scenario.claimsAreAboutAllSchedules
        || scenario.claims.indices.allSatisfy { verdict(on: $0, of: scenario) == .holds })
  }

  package func verdict(on claim: Int, of scenario: Scenario) -> Verdict {
    let isExistential = scenario.claims[claim].quantifier == .sometimes
    let isDecided = findings.contains { $0.outcome.claims[claim] == isExistential }
    if isDecided { return isExistential ? .holds : .doesNotHold }
    if !isComplete { return .undecided }
    return isExistential ? .doesNotHold : .holds
  }
}

extension Scenario {
  /// Whether its claims are about more than one schedule: its own, whatever others come to.
  package var claimsAreAboutAllSchedules: Bool { interleave == .every }
}

extension Exploration {
  /// `70 schedules: 12 run, 58 pruned`
  package var summary: String {
    "\(scheduleCount.text(counting: "schedule")): \(runCount) run, \(prunedCount) pruned"
  }
}

extension Tally {
  package func text(counting noun: String) -> String {
    "\(self) \(noun)\(value == 1 && isExact ? "" : "s")"
  }
}
