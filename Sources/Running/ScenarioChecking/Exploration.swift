package import Execution
package import Scenario

/// The different outcomes of a scenario under its schedules. The search runs all schedules unless
/// it reaches its limit.
package struct Exploration {
  /// The default maximum number of schedules to run.
  package static let usualLimit = 20_000

  /// An outcome, with the schedules that lead to it.
  package struct Finding {
    package let outcome: ScenarioOutcome
    /// The choices of the first schedule that led to the outcome.
    package let schedule: [UInt32]
    package fileprivate(set) var runCount: Int
    /// The number of schedules that lead to the outcome, whether run or pruned.
    package fileprivate(set) var scheduleCount: Tally
  }

  package private(set) var runCount = 0
  /// The number of schedules that were run or pruned. Each pruned schedule is equivalent to a
  /// schedule that was run.
  package private(set) var scheduleCount = Tally(0)
  /// The outcomes, in order of discovery.
  package private(set) var findings: [Finding] = []
  /// A lower bound of the number of schedules if `limit` ended the search, or `nil` otherwise.
  private var leastCount: Tally?

  /// Runs all schedules of a scenario.
  ///
  /// - Parameter prunes: Whether to run only one of several schedules that differ in the order of
  ///   independent turns. Claims between steps turn pruning off.
  package init(
    _ runner: ScenarioRunner, limit: Int = Exploration.usualLimit, prunes: Bool = true,
    observing observe: (ScenarioRun) -> Void = { _ in }
  ) {
    let moments = runner.scenario.claimedMoments
    // A claim between two steps can observe the order of independent turns.
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

  /// A Boolean value that indicates whether the search covered all schedules.
  package var isComplete: Bool { leastCount == nil }

  package var prunedCount: Tally { scheduleCount - runCount }

  /// A message about the numbers of covered and existing schedules, or `nil` if the search is
  /// complete.
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

/// Verdicts on claims.
extension Exploration {
  package enum Verdict: Hashable {
    case holds, doesNotHold
    /// The explored schedules do not decide the claim, and the search was cut short.
    case undecided
  }

  /// Returns a Boolean value that indicates whether the engine and the reference model agreed in
  /// all runs and the claims of `scenario` about all schedules hold.
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
  /// A Boolean value that indicates whether the claims concern all schedules, rather than the
  /// scenario's own schedule.
  package var claimsAreAboutAllSchedules: Bool { interleave == .every }
}

extension Exploration {
  /// A summary such as `70 schedules: 12 run, 58 pruned`.
  package var summary: String {
    "\(scheduleCount.text(counting: "schedule")): \(runCount) run, \(prunedCount) pruned"
  }
}

extension Tally {
  package func text(counting noun: String) -> String {
    "\(self) \(noun)\(value == 1 && isExact ? "" : "s")"
  }
}
