import Execution
import ObjectModel
package import Scenario
import SimulatedCoreData
package import Vocabulary

/// Checks that the transcript and the claims of a scenario are still true, and that the engine and
/// the reference model agree on every step.
package struct ScenarioCheck {
  /// A difference between the file and the run.
  package struct Problem: Hashable {
    /// The line in the file, or `nil` if the problem concerns the whole scenario.
    package var line: Int?
    package var message: String
    /// A Boolean value that indicates whether the problem is in the transcript, which can be
    /// recorded again.
    package var isOfTranscript = false

    package init(line: Int?, message: String) {
      self.line = line
      self.message = message
    }
  }

  package private(set) var problems: [Problem] = []
  package private(set) var runCount = 0
  package private(set) var stepCount = 0
  /// The numbers of schedules and outcomes of a scenario with `interleave  every`.
  package private(set) var explorationSummary: String?

  /// Runs and checks a scenario.
  ///
  /// - Parameter limit: The maximum number of schedules to run for `interleave  every`.
  package init(
    _ scenario: Scenario, quirks: QuirkSet? = nil, bugs: PlantedBugSet = PlantedBugSet(),
    limit: Int = Exploration.usualLimit
  ) {
    let runner = ScenarioRunner(scenario, quirks: quirks, bugs: bugs)
    if scenario.interleave == .every {
      checkEvery(scenario, runner, limit: limit)
    } else {
      let run = runner.run()
      note(run)
      // Under other quirks, other lanes can be runnable.
      if let message = run.scheduleProblem, runner.isAsWritten {
        problems.append(Problem(line: nil, message: message))
      }
      compareTranscripts(scenario, run)
      var reads = NamedReads()
      reads.add(run.reads)
      // Under other quirks, a read can have another result.
      if runner.isAsWritten { problems += reads.problems(of: scenario) }
      for (index, claim) in scenario.claims.enumerated() where !run.claims[index] {
        let finding = run.findings[index].map { "; it is \($0)" } ?? ""
        problems.append(
          Problem(
            line: claim.fileLine, message: "does not hold: \(claim.text(in: scenario))\(finding)"))
      }
    }
  }

  private mutating func note(_ run: ScenarioRun) {
    runCount += 1
    stepCount += run.stepCount
    if let disagreement = run.disagreement {
      problems.append(
        Problem(
          line: nil, message: "engine and reference model differ: \(disagreement.failureKind)"))
    }
  }

  private mutating func compareTranscripts(_ scenario: Scenario, _ run: ScenarioRun) {
    for (item, actual) in zip(scenario.items, run.transcripts) where item.transcript != actual {
      let position = zip(item.transcript, actual).prefix { $0 == $1 }.count
      let expected =
        position < item.transcript.count ? "'\(item.transcript[position])'" : "nothing more"
      let found = position < actual.count ? "'\(actual[position])'" : "nothing more"
      var problem = Problem(
        line: item.line == 0 ? nil : item.line + 1 + position,
        message: "the transcript says \(expected), the run says \(found)")
      problem.isOfTranscript = true
      problems.append(problem)
    }
  }

  /// Checks all schedules, running one of several that differ only in the order of independent
  /// turns.
  private mutating func checkEvery(_ scenario: Scenario, _ runner: ScenarioRunner, limit: Int) {
    var holdCounts = Array(repeating: 0, count: scenario.claims.count)
    var reads = NamedReads()
    let exploration = Exploration(runner, limit: limit) { run in
      note(run)
      reads.add(run.reads)
      for (index, holds) in run.claims.enumerated() where holds { holdCounts[index] += 1 }
    }
    if runner.isAsWritten, exploration.cutMessage == nil {
      problems += reads.problems(of: scenario)
    }
    let outcomeCount = exploration.findings.count
    explorationSummary =
      "\(exploration.summary); \(outcomeCount) outcome\(outcomeCount == 1 ? "" : "s")"
    let verdicts = scenario.claims.indices.map { exploration.verdict(on: $0, of: scenario) }
    for (index, count) in holdCounts.enumerated() where verdicts[index] == .doesNotHold {
      let claim = scenario.claims[index].text(in: scenario)
      problems.append(
        Problem(
          line: scenario.claims[index].fileLine,
          message: "holds in \(count) of the \(runCount) schedules that were run: \(claim)"))
    }
    if let message = exploration.cutMessage, verdicts.isEmpty || verdicts.contains(.undecided) {
      problems.append(
        Problem(line: nil, message: message + "; the results of the other schedules are unknown"))
    }
  }
}

extension Claim {
  /// The line of the claim in its file, or `nil` if it was not parsed.
  fileprivate var fileLine: Int? { line == 0 ? nil : line }
}
