import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Invariants
import TestSupport
import Testing
import Vocabulary

@Suite struct `Comparing what changed` {
  /// Returns the verdicts on a run: of comparing everything after each action, and of the usual
  /// comparison. Invariants that look at touched objects are checked in the same two ways.
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
  func `an incremental comparison finds a bug as soon as a full one`(bug: PlantedBug) throws {
    let sources = try Repository.models() + [.generated]
    for seed in 0..<UInt64(Thoroughness.count(50, full: 120)) {
      let source = sources[Int(seed) % sources.count]
      let verdicts = try verdicts(bug, seed: seed, source)
      #expect(verdicts[0] == verdicts[1], "\(bug.name), seed \(seed), \(source.name)")
    }
  }

  /// Runs without the reference model, so that the run reaches the save that the invariant judges.
  @Test func `an incremental check finds what a check of all rows finds`() throws {
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
  func `the incremental comparison agrees with the full one in long runs`(profile: Profile) throws {
    for seed in UInt64(1_000)..<1_200 {
      let verdicts = try verdicts(nil, seed: seed, .generated, profile: profile)
      #expect(verdicts[0] == verdicts[1])
    }
  }
}
