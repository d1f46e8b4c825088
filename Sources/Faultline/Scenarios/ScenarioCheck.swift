import ObjectModel
package import Scenario
package import SimulatedCoreData
package import Vocabulary

/// Whether a scenario still tells the truth: its transcript, its claims, and that engine and
/// reference agree on every step.
package struct ScenarioCheck {
  /// One thing that is not as the file says.
  package struct Problem: Hashable {
    /// The line of the file; nil where it concerns the whole.
    package var line: Int?
    package var message: String

    package init(line: Int?, message: String) {
      self.line = line
      self.message = message
    }
  }

  package private(set) var problems: [Problem] = []
  package private(set) var runCount = 0
  package private(set) var stepCount = 0

  /// How many interleavings `interleave  every` runs at the most.
  static let interleavingLimit = 20_000

  package init(
    _ scenario: Scenario, quirks: QuirkSet? = nil, bugs: PlantedBugSet = PlantedBugSet()
  ) {
    let runner = ScenarioRunner(scenario, quirks: quirks, bugs: bugs)
    if scenario.interleave == .every {
      checkEvery(scenario, runner)
    } else {
      let run = runner.run()
      note(run)
      compareTranscripts(scenario, run)
      for (index, claim) in scenario.claims.enumerated() where !run.claims[index] {
        let finding = run.findings[index].map { "; it is \($0)" } ?? ""
        problems.append(
          Problem(line: nil, message: "does not hold: \(claim.text(in: scenario))\(finding)"))
      }
    }
  }

  private mutating func note(_ run: ScenarioRun) {
    runCount += 1
    stepCount += run.stepCount
    if let disagreement = run.disagreement {
      problems.append(
        Problem(line: nil, message: "engine and reference differ: \(disagreement.identity)"))
    }
  }

  private mutating func compareTranscripts(_ scenario: Scenario, _ run: ScenarioRun) {
    for (item, actual) in zip(scenario.items, run.transcripts) where item.transcript != actual {
      let position = zip(item.transcript, actual).prefix { $0 == $1 }.count
      let expected =
        position < item.transcript.count ? "'\(item.transcript[position])'" : "nothing more"
      let found = position < actual.count ? "'\(actual[position])'" : "nothing more"
      problems.append(
        Problem(
          line: item.line == 0 ? nil : item.line + 1 + position,
          message: "the transcript says \(expected), the run says \(found)"))
    }
  }

  /// Every schedule, as a depth-first walk over the scheduler's choices.
  private mutating func checkEvery(_ scenario: Scenario, _ runner: ScenarioRunner) {
    var holdCounts = Array(repeating: 0, count: scenario.claims.count)
    for run in Interleavings(runner, limit: ScenarioCheck.interleavingLimit) {
      note(run)
      for (index, holds) in run.claims.enumerated() where holds { holdCounts[index] += 1 }
    }
    for (claim, count) in zip(scenario.claims, holdCounts) {
      let holds = claim.quantifier == .sometimes ? count > 0 : count == runCount
      if !holds {
        problems.append(
          Problem(
            line: nil,
            message:
              "holds in \(count) of \(runCount) interleavings: \(claim.text(in: scenario))"))
      }
    }
  }
}

/// The runs of a scenario under every schedule, one after the other.
struct Interleavings: Sequence, IteratorProtocol {
  private let runner: ScenarioRunner
  private var remaining: Int
  private var upcoming: [UInt32]? = []

  init(_ runner: ScenarioRunner, limit: Int) {
    self.runner = runner
    remaining = limit
  }

  /// Counts up the last choice that can be counted up, and drops what came after it.
  mutating func next() -> ScenarioRun? {
    guard remaining > 0, let schedule = upcoming else { return nil }
    remaining -= 1
    let run = runner.run(schedule: schedule)
    upcoming = successor(of: run)
    return run
  }

  private func successor(of run: ScenarioRun) -> [UInt32]? {
    var schedule = run.schedule
    while let last = schedule.popLast() {
      let bound = run.scheduleBounds[schedule.count]
      if last + 1 < bound { return schedule + [last + 1] }
    }
    return nil
  }
}
