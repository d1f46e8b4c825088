import Campaigns
import Foundation
import InputFiles
import Reporting
import Scenario
import ScenarioChecking
import Vocabulary

/// Campaigns as a developer waits for them, from the first program to the last explained failure.
struct Verdicts {
  /// Designs of apps, by name: workers, merges, an import, one context, a form.
  static let stacks = [
    "private-root-main-workers", "container-with-automatic-merging",
    "background-import-merged-on-DidSave", "main-only", "modal-edit-child",
  ]
  private let models: [ModelSource]
  private let programs: Int

  init(programs: Int) throws {
    models = try Results.models()
    self.programs = programs
  }

  /// The time of one campaign, in seconds.
  struct Time {
    var whole = 0.0
    /// By stage.
    var parts: [Double]
    var failureCount = 0
  }

  /// A campaign on a ready stack, on one thread.
  func time(on stack: String) throws -> Time {
    var settings = CampaignSettings(models: models)
    settings.stack = try StackFile.read(path: "Fixtures/Stacks/\(stack).stack").stack
    settings.runs = programs
    return time(settings)
  }

  /// A campaign on generated stacks, which are small and fail seldom: five times as many programs.
  func timeOnGeneratedStacks() -> Time {
    var settings = CampaignSettings(models: models)
    settings.runs = 5 * programs
    return time(settings)
  }

  private func time(_ settings: CampaignSettings) -> Time {
    var campaign = FuzzCampaign(settings)
    campaign.certifiedCount = HumanReport.inFull
    campaign.clock = { Date.timeIntervalSinceReferenceDate }
    var time = Time(parts: [])
    time.whole = Sampling.seconds {
      let report = campaign.run()
      time.failureCount = report.violations.count + report.misuses.count
    }
    time.parts = StageTimes.Stage.allCases.map { campaign.stageTimes.seconds(of: $0) }
    return time
  }

  static func figure(_ name: String, _ times: [Time]) -> Figure {
    Figure(name: name, unit: "ms", samples: times.map { $0.whole * 1_000 })
  }

  /// For each stage its share of some campaigns together, of which `times` has the samples. Without
  /// stages that took no time.
  static func shares(of times: [[Time]]) -> [Figure] {
    let samples = times.first?.indices ?? 0..<0
    return StageTimes.Stage.allCases.compactMap { stage in
      let shares = samples.map { sample in
        let campaigns = times.map { $0[sample] }
        return campaigns.reduce(0) { $0 + $1.parts[stage.rawValue] }
          / campaigns.reduce(0) { $0 + $1.whole } * 100
      }
      guard shares.allSatisfy({ $0 > 0 }) else { return nil }
      return Figure(name: "share of \(stage)", unit: "%", samples: shares)
    }
  }

  /// The same work each time, for a counter of instructions; the number of failures.
  static func fixedWork() throws -> Int {
    let verdicts = try Verdicts(programs: 60)
    return try verdicts.time(on: stacks[0]).failureCount
      + verdicts.timeOnGeneratedStacks().failureCount
  }
}
