import Faultline

/// Failures of a campaign, made small, certified and explained.
struct Shrinking {
  private let campaign: FuzzCampaign
  private let share: CampaignShare

  init(programs: Int) throws {
    var settings = CampaignSettings(models: try Results.models())
    settings.runs = programs
    campaign = FuzzCampaign(settings)
    share = campaign.collect()
  }

  /// How many kinds of failures there are.
  var count: Int { share.kindCount }

  /// How many were certified to be as small as can be.
  func run() -> Int {
    let report = campaign.report(on: share)
    return (report.violations + report.disagreements).count
  }
}
