import Campaigns
import Determinism
import Execution
import Failures
import InputFiles
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Failures that shrinking meets` {
  /// Shrinking compares only where it must. So it also sees steps after the one in which engine and
  /// reference model differ.
  @Test func `a failure that shrinking meets shows in a run`() throws {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    let source = ModelSource.file(path: path, try ModelFile.read(path: path))
    var settings = CampaignSettings(models: [source])
    settings.profile = .legacy
    settings.bugs = [.ignoresUniqueness, .copiesAllPropertiesOnChildSave]
    let campaign = FuzzCampaign(settings)
    var slipCount = 0
    for seed in UInt64(0)..<150 {
      var choices = Choices(seed: seed)
      let outcome = campaign.run(source, &choices)
      var again = Choices(replaying: choices.recording)
      let configuration = settings.configuration(for: source, &again)
      for kind in outcome.failureKinds {
        let shrunk = ProgramShrinker.shrink(
          outcome.program(showing: FailureSignature(kind)), keeping: FailureSignature(kind),
          configuration, budget: 300)
        for slip in shrunk.slips {
          slipCount += 1
          let run = ProgramRunner(configuration).run(slip.program)
          #expect(run.fails(as: slip.failure), "seed \(seed), \(slip.failure.text)")
        }
      }
    }
    #expect(slipCount > 0, "nothing was met, which says nothing")
  }
}
