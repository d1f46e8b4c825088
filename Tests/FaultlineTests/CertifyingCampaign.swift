import Campaigns

extension FuzzCampaign {
  /// A campaign that certifies and explains a few failures only. All are shrunk and diagnosed; the
  /// search for shorter examples is most of the cost of a failure.
  init(_ settings: CampaignSettings, jobs: Int = 1, certifying count: Int) {
    self.init(settings, jobs: jobs)
    certifiedCount = count
  }
}
