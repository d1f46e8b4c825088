import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import SimulatedDispatch
import TestSupport
import Testing
import Vocabulary

@Suite struct `Turns that are taken together` {
  /// Returns all results of a run, with turns taken together and one by one.
  private func outcomes(
    _ settings: CampaignSettings, _ source: ModelSource, seed: UInt64
  ) -> [String] {
    [true, false].map { together in
      var choices = Choices(seed: seed)
      var configuration = settings.configuration(for: source, &choices)
      configuration.takesTurnsTogether = together
      let outcome = ProgramRunner(configuration).run(&choices)
      let found = outcome.violations.map {
        "\($0.kind.name) in step \($0.stepNumber): \($0.detail ?? "") \($0.proof)"
      }
      return """
        \(outcome.digest) \(outcome.stepCount) \(outcome.disagreement?.stepNumber ?? 0) \(found)
        \(outcome.busyLaneCount) \(outcome.preemptionCount) \(outcome.endsSuspended)
        \(outcome.mainQueueOccupancy) \(outcome.longestMainQueueHold)
        \(outcome.stateCoverage.visits.map(\.state)) \(choices.recording)
        """
    }
  }

  @Test(arguments: SchedulingPolicy.allCases)
  func `turns taken together equal turns taken one by one`(policy: SchedulingPolicy) throws {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.strategy = .only(policy)
    for index in 0..<Thoroughness.count(200, full: 400) {
      let source = settings.models[index % settings.models.count]
      let outcomes = outcomes(settings, source, seed: Generator.derive(91, UInt64(index)))
      #expect(outcomes[0] == outcomes[1], "run \(index) of \(source.name)")
    }
  }

  @Test(arguments: PlantedBug.allCases)
  func `turns taken together show a planted bug in the same step`(bug: PlantedBug) throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.bugs = [bug]
    settings.proves = true
    for index in 0..<Thoroughness.count(30, full: 60) {
      let source = settings.models[index % settings.models.count]
      let outcomes = outcomes(settings, source, seed: Generator.derive(92, UInt64(index)))
      #expect(outcomes[0] == outcomes[1], "run \(index) of \(source.name)")
    }
  }

  @Test(
    arguments: [
      "private-root-main-workers", "container-with-automatic-merging", "one-writer-queue",
    ])
  func `invariants of a design judge turns taken together in the same way`(name: String) throws {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.stack = try StackFile.read(
      path: "\(Repository.root)/Fixtures/Stacks/\(name).stack"
    ).stack
    for index in 0..<Thoroughness.count(60, full: 120) {
      let source = settings.models[index % settings.models.count]
      let outcomes = outcomes(settings, source, seed: Generator.derive(93, UInt64(index)))
      #expect(outcomes[0] == outcomes[1], "run \(index) of \(source.name)")
    }
  }
}
