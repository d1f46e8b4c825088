import Campaigns
package import Vocabulary

/// Where failures of code come from: which test ran the code, in which orders.
package struct CodeOrigin: Sendable {
  /// What the runs of a test are.
  package enum Runs: Hashable, Sendable {
    /// One, with all queues in order.
    case inOrder
    /// Orders of the queues, and nothing else that differs.
    case schedules
    /// The one of `FAULTLINE_SCHEDULE`.
    case replay
    /// Runs of a campaign, each with a workload of its own; or only that of a number, from 1.
    case campaign(only: Int?)
  }

  package let runs: Runs
  /// What the test is called in texts: `StockTests.testImport`.
  package let test: String
  /// What `swift test --filter` takes for it, a regular expression.
  package let filter: String
  let seed: UInt64
  let profile: Profile

  package init(
    _ runs: Runs, test: String, filter: String, seed: UInt64 = 1, profile: Profile = .current
  ) {
    (self.runs, self.test, self.filter) = (runs, test, filter)
    (self.seed, self.profile) = (seed, profile)
  }

  /// A name as a part of a regular expression.
  package static func escaped(_ name: some StringProtocol) -> String {
    name.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// The campaign that describes its failures without the code.
  var campaign: FuzzCampaign {
    var settings = CampaignSettings(models: [])
    (settings.profile, settings.seed) = (profile, seed)
    return FuzzCampaign(settings)
  }

  var unit: String {
    switch runs {
    case .inOrder, .schedules, .replay: "schedule"
    case .campaign: "run"
    }
  }

  /// The command that makes the run of these choices again, and no other.
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
