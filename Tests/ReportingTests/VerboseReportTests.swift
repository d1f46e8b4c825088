import CampaignSupport
import Campaigns
import Execution
import Generation
import Prose
import Reporting
import TestSupport
import Testing
import Vocabulary

@Suite struct `A verbose report` {
  @Test func `a verbose report counts every kind of step`() throws {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.profile = .current
    settings.runs = 300
    settings.seed = 15
    settings.shrinkBudget = 400
    let report = FuzzCampaign(settings).survey()
    let text = HumanReport(
      report, tool: "bin/faultline", options: "", detail: .verbose
    ).text
    for (verb, count) in report.stepCounts { #expect(text.contains("\(verb) \(grouped(count))")) }
  }

  @Test func `a verbose report says how many programs were seen in every schedule`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.strategy = .exhaustive
    settings.runs = 40
    settings.steps = 5
    settings.limits.contextCount = 3
    settings.seed = 9
    let small = FuzzCampaign(settings).survey()
    let tally = try #require(small.exhaustion)
    let text = HumanReport(small, tool: "faultline", options: "", detail: .verbose).text
    #expect(text.contains("\(tally.completeCount) programs ran under every schedule"))
  }
}
