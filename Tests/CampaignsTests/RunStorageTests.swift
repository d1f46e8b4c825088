import CampaignSupport
import Campaigns
import Determinism
import Execution
import InputFiles
import Invariants
import Scenario
import TestSupport
import Testing

@Suite struct `A run in the storage of earlier runs` {
  /// Returns everything that can be known of a run.
  private func text(_ outcome: Outcome, _ choices: borrowing Choices) -> String {
    """
    \(outcome.digest) \(outcome.stepCount) \(outcome.wastedStepCount) \(outcome.marks)
    \(outcome.disagreement?.stepNumber ?? 0) \(outcome.violations.map(\.stepNumber))
    \(outcome.violations.map { ($0.invariant, $0.object, $0.values, $0.detail) })
    \(outcome.busyLaneCount) \(outcome.preemptionCount) \(outcome.endsSuspended)
    \(outcome.stateCoverage.visits.map(\.state)) \(choices.recording)
    """
  }

  /// Earlier runs have other models and stacks, longer and shorter ones. On a designed stack,
  /// design checks run as well.
  @Test(arguments: [nil, "wire-delayed-saves"])
  func `a run among others has the result of a run by itself`(design: String?) throws {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    if let design {
      settings.stack = try StackFile.read(
        path: "\(Repository.root)/Fixtures/Stacks/\(design).stack"
      ).stack
    }
    var storage = RunStorage()
    for index in 0..<600 {
      let source = settings.models[index % settings.models.count]
      let seed = Generator.derive(94, UInt64(index))
      var choices = Choices(seed: seed)
      var again = Choices(seed: seed)
      var configuration = settings.configuration(for: source, &choices)
      _ = settings.configuration(for: source, &again)
      configuration.steps = index % 7 == 0 ? 240 : 60
      let runner = ProgramRunner(configuration)
      let alone = runner.run(&choices)
      let outcome = runner.run(&again, in: &storage)
      #expect(text(outcome, again) == text(alone, choices), "run \(index) of \(source.name)")
    }
  }
}
