import CampaignSupport
import Campaigns
import Execution
import InputFiles
import Scenario
import TestSupport
import Testing

/// Short campaigns on ready stacks. The full test uses all stacks, and certifies and explains every
/// finding.
@Suite struct `A printed finding` {
  private static let fixtures = Repository.root + "/Fixtures"
  private static let names = StackFile.names(in: fixtures + "/Stacks").enumerated()
    .filter { Thoroughness.isFull || $0.offset % 6 == 0 }.map(\.element)

  @Test(arguments: names)
  func `the claims of a printed finding are true of its scenario`(stack: String) throws {
    let path = Self.fixtures + "/Models/Note.model"
    let model = try ModelFile.read(path: path)
    var settings = CampaignSettings(models: [.file(path: path, model)])
    settings.stack = try StackFile.read(path: "\(Self.fixtures)/Stacks/\(stack).stack").stack
    (settings.runs, settings.shrinkBudget) = Thoroughness.isFull ? (200, 2_000) : (15, 150)
    let report =
      Thoroughness.isFull
      ? FuzzCampaign(settings).run() : FuzzCampaign(settings, certifying: 1).run()
    let failures = report.violations + report.misuses
    #expect(failures.contains { $0.explanation != nil })
    for failure in failures {
      let claims = try PrintedFinding(failure, model).untrueClaims()
      #expect(claims == [], "\(failure.kind), seed \(failure.seed.text)")
    }
  }
}
