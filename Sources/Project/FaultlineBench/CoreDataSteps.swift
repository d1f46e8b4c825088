import Campaigns
import Determinism
import Execution
import Foundation
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Programs as `faultline fuzz` runs them. They are generated, run, compared with the reference
/// model, and checked against all invariants.
struct CoreDataSteps {
  let models: [ModelSource]

  /// Runs the given number of programs, and returns the number of their steps.
  func run(_ profile: Profile, programs: Int, jobs: Int = 1, seed: UInt64 = 1) -> Int {
    var settings = CampaignSettings(models: models)
    settings.profile = profile
    settings.runs = programs
    settings.seed = seed
    return FuzzCampaign(settings, jobs: jobs).collect().steps
  }

  private static let rarest = 20

  /// Returns the average time of a step of each kind in nanoseconds, including all checks after it.
  /// The time includes other steps that the step runs, as in a block.
  ///
  /// `rare` contains kinds that occurred fewer than `rarest` times, whose averages say little.
  func timeByKind(programs: Int, samples: Int) -> (figures: [Figure], rare: [String]) {
    var times: [String: [Double]] = [:]
    var seen: Set<String> = []
    for _ in 0..<samples {
      var sums: [String: (seconds: Double, count: Int)] = [:]
      var settings = CampaignSettings(models: models)
      settings.runs = programs
      for index in 0..<programs {
        var choices = Choices(seed: Generator.derive(1, UInt64(index)))
        let configuration = settings.configuration(for: models[index % models.count], &choices)
        let outcome = ProgramRunner(configuration).run(&choices)
        time(outcome.program, configuration, &sums)
      }
      seen.formUnion(sums.keys)
      for (kind, sum) in sums where sum.count >= CoreDataSteps.rarest {
        times[kind, default: []].append(sum.seconds / Double(sum.count) * 1e9)
      }
    }
    let figures = times.keys.sorted().filter { times[$0]?.count == samples }.map {
      Figure(name: $0, unit: "ns", samples: times[$0] ?? [])
    }
    return (figures, seen.subtracting(figures.map(\.name)).sorted())
  }

  private func time(
    _ program: Program, _ configuration: RunConfiguration,
    _ sums: inout [String: (seconds: Double, count: Int)]
  ) {
    var recording = Choices.Recording()
    recording[.schedule] = program.schedule
    var choices = Choices(replaying: recording)
    var differentialRun = DifferentialRun(
      model: program.model, stack: program.stack, quirks: configuration.quirks,
      policy: program.isInterleaved ? .random : .inOrder)
    for step in program.steps where !differentialRun.isOver {
      let seconds = Sampling.seconds { differentialRun.run(step, &choices) }
      let sum = sums[step.step.verb] ?? (0, 0)
      sums[step.step.verb] = (sum.seconds + seconds, sum.count + 1)
    }
  }
}
