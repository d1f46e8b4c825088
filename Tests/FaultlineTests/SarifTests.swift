import Campaigns
import Execution
import Failures
import Foundation
import Prose
import Reporting
import Testing

/// What the SARIF 2.1.0 schema asks of what a report has, and what code scanning reads.
@Suite struct `A report in SARIF` {
  @Test func `has a rule and a result for each kind of failure`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.runs = 120
    settings.seed = 11
    settings.shrinkBudget = 100
    var report = FuzzCampaign(settings).run()
    try #require(report.violations.count >= 3)
    report.violations[0].precedent = "Scenarios/some.scenario"
    report.violations[0].standing = .known
    let text = MachineReport(
      report, replay: { "replay \($0.seed.text)" },
      place: { $0.precedent.map { SourcePlace(path: $0, line: 7) } }
    ).sarif()
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let runs = try #require(log["runs"] as? [[String: Any]])
    try #require(runs.count == 1)
    let tool = try #require(runs[0]["tool"] as? [String: Any])
    let driver = try #require(tool["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "Faultline")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(runs[0]["results"] as? [[String: Any]])
    #expect(rules.count == report.violations.count && results.count == rules.count)
    let identifiers = rules.compactMap { $0["id"] as? String }
    #expect(Set(identifiers).count == rules.count)
    for (index, result) in results.enumerated() {
      #expect(result["ruleIndex"] as? Int == index)
      #expect(result["ruleId"] as? String == identifiers[index])
      #expect(result["level"] as? String == (index == 0 ? "note" : "error"))
      let message = try #require(result["message"] as? [String: Any])
      let words = try #require(message["text"] as? String)
      let isMetByTheWay = report.violations[index].metWhileShrinking != nil
      let share = isMetByTheWay ? "met while shrinking" : " of 120 programs"
      #expect(words.contains("replay 0x") && words.contains(share), "\(words)")
      // The first line says which failure it is, the same for each campaign.
      #expect(words.hasPrefix(report.violations[index].kind.name))
      #expect(!words.prefix { $0 != "\n" }.contains("programs"))
      // What is known is suppressed, with the reason.
      let suppressions = result["suppressions"] as? [[String: Any]] ?? []
      #expect(suppressions.count == (index == 0 ? 1 : 0))
      #expect(suppressions.allSatisfy { $0["kind"] as? String == "external" })
      // The proof, line by line.
      let flows = result["codeFlows"] as? [[String: Any]] ?? []
      let threads = flows.flatMap { $0["threadFlows"] as? [[String: Any]] ?? [] }
      let steps = threads.flatMap { $0["locations"] as? [[String: Any]] ?? [] }
      let proof = report.violations[index].details?.split(separator: "\n").dropFirst() ?? []
      #expect(flows.count == (proof.isEmpty ? 0 : 1) && steps.count == proof.count)
      #expect(steps.enumerated().allSatisfy { $1["executionOrder"] as? Int == $0 + 1 })
      let count = try #require(result["occurrenceCount"] as? Int)
      #expect(count >= 1)
      let locations = result["locations"] as? [[String: Any]] ?? []
      #expect(locations.count == (index == 0 ? 1 : 0))
      for location in locations {
        let place = try #require(location["physicalLocation"] as? [String: Any])
        let artifact = try #require(place["artifactLocation"] as? [String: Any])
        let path = try #require(artifact["uri"] as? String)
        #expect(path == "Scenarios/some.scenario")
        let region = try #require(place["region"] as? [String: Any])
        #expect(region["startLine"] as? Int == 7)
      }
    }
  }
}
