import Campaigns
import Testing
import Vocabulary

@Suite struct `Quirks of a campaign` {
  @Test func `campaign settings turn quirks on or off`() {
    var settings = CampaignSettings(models: [.generated])
    settings.profile = .documented
    settings.withQuirks = [.mergeReachesChildren, .rowHasTwoInstances]
    settings.withoutQuirks = [.rowHasTwoInstances]
    #expect(settings.quirks.quirks == [.mergeReachesChildren])
  }
}
