package import Campaigns
import Determinism
import Execution
package import Generation
import Invariants
package import Scenario
import ScenarioChecking

/// Generated programs for a calibration package: the runs of a seed without violations.
package struct CalibrationPrograms {
  /// The default maximum number of steps. Most programs without violations are short.
  package static let usualStepCount = 12
  /// The default steps of programs, without illegal steps and steps that cannot be exported.
  package static let usualSteps: StepFilter = {
    var filter = StepFilter()
    filter.without = ["illegal", "suspend", "raise"].compactMap { StepGenerator.Kind(named: $0) }
    return filter
  }()

  /// The programs as scenarios without claims. Their exports check the final states.
  package private(set) var scenarios: [Scenario] = []

  package init(_ settings: CampaignSettings, runs: Int, seed: UInt64) {
    let campaign = FuzzCampaign(settings)
    for number in 0..<runs {
      let runSeed = Generator.derive(seed, UInt64(number))
      var choices = Choices(seed: runSeed)
      let outcome = campaign.run(settings.models[number % settings.models.count], &choices)
      guard outcome.failures.isEmpty, !outcome.endsSuspended else { continue }
      let text = "0x" + String(runSeed, radix: 16)
      scenarios.append(
        Scenario(
          outcome.program, name: "program-\(number + 1)", source: "seed \(text)",
          profile: settings.profile, quirks: settings.quirks,
          prose: ["A generated program, seed \(text), with the result of each step."]))
    }
  }
}
