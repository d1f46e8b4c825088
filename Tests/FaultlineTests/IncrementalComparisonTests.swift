import Failures
import Campaigns
import Determinism
import Execution
import Invariants
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `Comparing what changed` {
  /// What a comparison of all that there is, after each action, says of a run, and what the usual
  /// one says; of invariants that look at what was touched likewise.
  private func verdicts(
    _ bug: PlantedBug?, seed: UInt64, _ source: ModelSource, profile: Profile = .current
  ) throws -> [String] {
    var settings = CampaignSettings(models: [source])
    settings.profile = profile
    settings.bugs = bug.map { [$0] } ?? []
    return [nil, 1].map { interval in
      var choices = Choices(seed: seed)
      var configuration = settings.configuration(for: source, &choices)
      configuration.fullComparisonInterval = interval
      let outcome = ProgramRunner(configuration).run(&choices)
      let disagreement = outcome.disagreement.map { "\($0.failureKind) in step \($0.stepNumber)" }
      return "\(disagreement ?? "none") \(outcome.violations.map(\.kind.name)) \(outcome.digest)"
    }
  }

  @Test(arguments: PlantedBug.allCases)
  func `finds what comparing everything finds, in the same step`(bug: PlantedBug) throws {
    let sources = try Repository.models() + [.generated]
    for seed in 0..<UInt64(Thoroughness.count(50, full: 120)) {
      let source = sources[Int(seed) % sources.count]
      let verdicts = try verdicts(bug, seed: seed, source)
      #expect(verdicts[0] == verdicts[1], "\(bug.name), seed \(seed), \(source.name)")
    }
  }

  /// Without the reference model, so that the run goes on to the save that the invariant judges.
  @Test func `finds what an invariant finds that looks at every row`() throws {
    let sources = try Repository.models()
    var foundCount = 0
    for seed in UInt64(0)..<600 {
      let source = sources[Int(seed) % sources.count]
      var settings = CampaignSettings(models: [source])
      settings.bugs = [.tearsSaves]
      let found = [nil, 1].map { interval in
        var choices = Choices(seed: seed)
        var configuration = settings.configuration(for: source, &choices)
        configuration.comparesWithReference = false
        configuration.fullComparisonInterval = interval
        return ProgramRunner(configuration).run(&choices).violations.filter {
          $0.invariant == .InverseRelationshipsAgree && $0.context == nil
        }.map { "\($0.kind) in step \($0.stepNumber)" }
      }
      #expect(found[0] == found[1], "seed \(seed), \(source.name)")
      foundCount += found[0].count
    }
    #expect(foundCount > 0, "no rows were broken, which says nothing")
  }

  @Test(arguments: Profile.allCases)
  func `sees what comparing everything sees in long runs`(profile: Profile) throws {
    for seed in UInt64(1_000)..<1_200 {
      let verdicts = try verdicts(nil, seed: seed, .generated, profile: profile)
      #expect(verdicts[0] == verdicts[1])
    }
  }
}
