import Campaigns

/// Failures of a campaign, shrunk, certified and explained.
struct Shrinking {
  private let campaign: FuzzCampaign
  private let share: ShardResult

  /// `budget` is how many runs the search for each smallest example may take; nil is the usual one.
  init(programs: Int, budget: Int? = nil) throws {
    var settings = CampaignSettings(models: try Results.models())
    settings.runs = programs
    if let budget { settings.shrinkBudget = budget }
    campaign = FuzzCampaign(settings)
    share = campaign.collect()
  }

  /// How many kinds of failures there are.
  var count: Int { share.kindCount }

  /// Makes all of them small; their number.
  func run() -> Int {
    let report = campaign.report(on: share)
    return (report.violations + report.disagreements).count
  }
}
