import Campaigns
import Execution
import Failures
import ScenarioChecking
import Shrinking
import Vocabulary

/// Failures of a campaign, shrunk, certified and explained.
struct Shrinking {
  private let campaign: FuzzCampaign
  private let share: ShardResult
  private let starts = Locked<[ContinuousClock.Instant]>([])

  /// A smallest example, and its failure.
  struct Example {
    let program: Program
    let target: FailureSignature
  }

  /// Runs a campaign and collects its failures.
  ///
  /// - Parameter budget: The number of runs that the search for each smallest example may take, or
  ///   nil for the default.
  init(programs: Int, budget: Int? = nil) throws {
    var settings = CampaignSettings(models: try Results.models())
    settings.runs = programs
    if let budget { settings.shrinkBudget = budget }
    // Each failure begins with the run that showed it, including failures found during shrinking.
    let starts = starts
    campaign = FuzzCampaign(settings) { _, _ in
      starts.withLock { $0.append(ContinuousClock().now) }
    }
    share = campaign.collect()
  }

  /// The number of different kinds of failures that the campaign found.
  var count: Int { share.kindCount }

  /// Shrinks all failures, and returns their number.
  func run() -> Int { reports().count }

  private func reports() -> [FailureReport] {
    let report = campaign.report(on: share)
    return report.violations + report.disagreements
  }

  /// Returns the time that each failure takes, in milliseconds.
  func times() -> [Double] {
    starts.withLock { $0 = [] }
    _ = reports()
    let instants = starts.withLock { $0 } + [ContinuousClock().now]
    return zip(instants, instants.dropFirst()).map { ($1 - $0) / .milliseconds(1) }
  }

  /// Returns the smallest examples of violations, which are certified.
  func examples() -> [Example] {
    reports().filter { $0.invariant != nil }.map {
      Example(program: Program($0.example), target: FailureSignature($0.kind))
    }
  }

  /// Searches for smaller programs `rounds` times, and returns the number of states.
  func certify(_ examples: [Example], rounds: Int) -> Int {
    var stateCount = 0
    for _ in 0..<rounds {
      for example in examples {
        let configuration = RunConfiguration(
          model: example.program.model, quirks: campaign.settings.quirks)
        stateCount +=
          MinimalityProof(configuration).smallest(example.program, failingAs: example.target)
          .stateCount
      }
    }
    return stateCount
  }
}
