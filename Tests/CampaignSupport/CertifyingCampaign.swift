package import Campaigns

extension FuzzCampaign {
  /// Creates a campaign that certifies and explains only `count` failures. All failures are shrunk
  /// and diagnosed. The search for shorter examples is most of the cost of a failure.
  package init(_ settings: CampaignSettings, jobs: Int = 1, certifying count: Int) {
    self.init(settings, jobs: jobs)
    certifiedCount = count
  }
}
