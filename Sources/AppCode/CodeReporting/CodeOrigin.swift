import Campaigns
package import Vocabulary

/// The test that ran the code, and the orders in which the code ran.
package struct CodeOrigin: Sendable {
  /// The kind of runs that a test makes.
  package enum Runs: Hashable, Sendable {
    /// A single run, with all queues in order.
    case inOrder
    /// Runs that differ only in the order of the queues.
    case schedules
    /// The run of `FAULTLINE_SCHEDULE`.
    case replay
    /// Runs of a campaign, each with its own workload. `only` selects a single run, numbered from
    /// 1.
    case campaign(only: Int?)
  }

  package let runs: Runs
  /// The name of the test in texts, such as `StockTests.testImport`.
  package let test: String
  /// A regular expression that selects the test in `swift test --filter`.
  package let filter: String
  let seed: UInt64
  let profile: Profile

  package init(
    _ runs: Runs, test: String, filter: String, seed: UInt64 = 1, profile: Profile = .current
  ) {
    (self.runs, self.test, self.filter) = (runs, test, filter)
    (self.seed, self.profile) = (seed, profile)
  }

  /// Returns a name escaped for use in a regular expression.
  package static func escaped(_ name: some StringProtocol) -> String {
    name.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// The campaign that describes failures without the code.
  var campaign: FuzzCampaign {
    var settings = CampaignSettings(models: [])
    (settings.profile, settings.seed) = (profile, seed)
    return FuzzCampaign(settings)
  }

  /// A Boolean value that indicates whether the test makes one run, as its command `again` does.
  var makesOneRun: Bool {
    switch runs {
    case .inOrder, .replay, .campaign(only: _?): true
    case .schedules, .campaign(only: nil): false
    }
  }

  var unit: String {
    switch runs {
    case .inOrder, .schedules, .replay: "schedule"
    case .campaign: "run"
    }
  }

  /// Returns the command that repeats only the run with these choices.
  func command(again schedule: ScheduleToken) -> String {
    #if DEBUG
      let build = "swift test"
    #else
      let build = "swift test -c release"
    #endif
    let variable = runs == .inOrder ? "" : "FAULTLINE_SCHEDULE=\(schedule) "
    return "\(variable)\(build) --filter '\(filter.replacing("'", with: "'\\''"))'"
  }
}
