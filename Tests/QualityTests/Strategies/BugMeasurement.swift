import Vocabulary
import Campaigns
import Determinism
import Execution
import PropertyTesting
import SimulatedCoreData
import SimulatedDispatch

/// The number of runs of a campaign that show a planted bug, by strategy.
struct BugMeasurement: Sendable {
  static let strategies: [SearchStrategy] =
    [.portfolio] + SchedulingPolicy.allCases.map { .only($0) }
  /// The number of series, of campaigns by the default strategy.
  static let seriesCount = 100
  static let seriesLimit = 5_000

  let bug: PlantedBug
  /// The share of runs for each strategy.
  let ratios: [Ratio]
  /// The number of the first run that shows the bug, in each series of runs, or nil if none does.
  let firstRuns: [Int?]

  /// If fewer than three of `runs` runs show the bug, ten or fifty times as many runs are made.
  init(_ bug: PlantedBug, runs: Int, _ models: [ModelSource]) {
    self.bug = bug
    ratios = BugMeasurement.strategies.map { strategy in
      let search = Search(bug, strategy, models)
      var ratio = search.ratio(runs)
      for factor in [10, 50] where ratio.part < 3 { ratio = search.ratio(factor * runs) }
      return ratio
    }
    firstRuns = (0..<UInt64(BugMeasurement.seriesCount)).map {
      Search(bug, .portfolio, models).first(upTo: BugMeasurement.seriesLimit, seed: 1_000 + $0)
    }
  }

  var isHeldOut: Bool { PlantedBug.heldOut.contains(bug) }

  /// The statistics of the first runs. A series without a hit counts as longer than all others.
  var firstRun: Statistics {
    Statistics(firstRuns.map { $0 ?? BugMeasurement.seriesLimit + 1 })
  }

  private struct Search {
    let campaign: FuzzCampaign
    let models: [ModelSource]

    init(_ bug: PlantedBug, _ strategy: SearchStrategy, _ models: [ModelSource]) {
      var settings = CampaignSettings(models: models)
      settings.bugs = [bug]
      settings.strategy = strategy
      campaign = FuzzCampaign(settings)
      self.models = models
    }

    func ratio(_ runs: Int) -> Ratio {
      Ratio((0..<runs).count { isHit($0, seed: 7) }, of: runs)
    }

    func first(upTo limit: Int, seed: UInt64) -> Int? {
      (0..<limit).first { isHit($0, seed: seed) }.map { $0 + 1 }
    }

    private func isHit(_ index: Int, seed: UInt64) -> Bool {
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      return campaign.run(models[index % models.count], &choices).showsDefect
    }
  }
}

extension BugMeasurement {
  static func page(runs: Int, _ models: [ModelSource]) async throws -> String {
    let all = try await PlantedBug.allCases.concurrently { BugMeasurement($0, runs: runs, models) }
    let heads = ["bug", "first run: median, of 9 in 10, series without"] + strategies.map(\.name)
    var rows = all.map { measured in
      let firstRun = [Int(measured.firstRun.median), measured.firstRun.percentile(90)].map {
        $0 > seriesLimit ? "–" : "\($0)"
      }
      let missing = measured.firstRuns.count { $0 == nil }
      return [
        measured.bug.name + (measured.isHeldOut ? " *" : ""),
        (firstRun + ["\(missing)"]).joined(separator: ", "),
      ] + measured.ratios.map(\.thousandths)
    }
    let columns = strategies.indices.map { column in all.map { $0.ratios[column] } }
    rows.append(["**never seen**", ""] + columns.map { "\($0.count { $0.part == 0 })" })
    rows.append(
      ["**worst case, in parts of 10,000**", ""]
        + columns.map { $0.min { $0.share < $1.share }?.tenThousandths ?? "–" })
    return """
      \(runs) runs for each bug and strategy, ten or fifty times as many where fewer than three of them show it, over the project's models
      and generated ones in turn. *First run*: how many runs the default takes until one shows it, in \(seriesCount) independent series of
      at most \(seriesLimit): the median, what 9 in 10 series need at most (– is more than the limit), and how many have no such
      run. No strategy was tuned for bugs marked *, which are younger than all of them; some passes and one workload are
      younger still.

      | \(heads.joined(separator: " | ")) |
      |\(heads.map { _ in "---" }.joined(separator: "|"))|
      \(rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n"))

      Median over all bugs of the default's median first run: \(median(all)); over those marked *: \(median(all.filter(\.isHeldOut))).
      """
  }

  private static func median(_ measured: [BugMeasurement]) -> Int {
    Int(Statistics(measured.map { Int($0.firstRun.median) }).median)
  }
}

extension Ratio {
  fileprivate var tenThousandths: String {
    let parts = [share, interval.lowerBound, interval.upperBound].map { Int($0 * 10_000 + 0.5) }
    return "\(parts[0]) (\(parts[1])–\(parts[2]))"
  }
}
