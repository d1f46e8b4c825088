import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import TestSupport
import Testing
import Vocabulary

@Suite struct `Unexpected turns of lanes` {
  /// Bugs by which blocks, merges and queues act in the wrong order, or not at all.
  @Test(arguments: [
    PlantedBug.dropsQueuedBlock, .dropsBlockOfSuspendedQueue, .dropsAutomaticMerge,
    .mergesOneSaveLate, .nestedWaitKeepsQueue, .newestBlockRunsFirst,
  ])
  func `an unexpected turn is a disagreement`(bug: PlantedBug) throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.bugs = [bug]
    var kinds: [FailureKind] = []
    for index in 0..<400 where !kinds.contains(.disagreement(.turn)) {
      var choices = Choices(seed: Generator.derive(77, UInt64(index)))
      let source = settings.models[index % settings.models.count]
      let outcome = ProgramRunner(settings.configuration(for: source, &choices)).run(&choices)
      if let disagreement = outcome.disagreement { kinds.append(disagreement.failureKind) }
    }
    #expect(kinds.contains(.disagreement(.turn)), "\(kinds)")
  }
}
