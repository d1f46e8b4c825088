import Campaigns
import Foundation
import InputFiles
import Reporting
import Scenario
import ScenarioChecking
import Vocabulary

/// Campaigns as a developer waits for them, from the first program to the last explained failure.
struct Verdicts {
  /// The names of stacks that represent app designs with workers, merges, an import, a single
  /// context, and a form.
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
    /// The time of each stage.
    var parts: [Double]
    var failureCount = 0
  }

  /// Measures a campaign on an existing stack, on one thread.
  func time(on stack: String) throws -> Time {
    var settings = CampaignSettings(models: models)
    settings.stack = try StackFile.read(path: "Fixtures/Stacks/\(stack).stack").stack
    settings.runs = programs
    return time(settings)
  }

  /// Measures a campaign on generated stacks. It has five times as many programs, because generated
  /// stacks are small and seldom fail.
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

  /// Returns the share of each stage in the time of several campaigns together, without stages that
  /// took no time.
  ///
  /// - Parameter times: The samples of each campaign.
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

  /// Does the same work each time, for a counter of instructions. Returns the number of failures.
  static func fixedWork() throws -> Int {
    let verdicts = try Verdicts(programs: 60)
    return try verdicts.time(on: stacks[0]).failureCount
      + verdicts.timeOnGeneratedStacks().failureCount
  }
}
