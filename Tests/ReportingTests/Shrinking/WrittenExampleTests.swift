import CampaignSupport
import Campaigns
import Failures
import Generation
import InputFiles
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Every example that a campaign reports can be written down and read again.
@Suite struct `An example that is reported` {
  private func failures(_ settings: CampaignSettings) -> [FailureReport] {
    let report = FuzzCampaign(settings, certifying: 3).run()
    return report.disagreements + report.violations
  }

  private func settings(
    _ model: String, _ bug: PlantedBug, runs: Int, seed: UInt64 = 1
  ) throws -> CampaignSettings {
    let path = Repository.root + "/Fixtures/Models/\(model)"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.bugs = [bug]
    (settings.runs, settings.seed) = (runs, seed)
    return settings
  }

  private func check(_ failure: FailureReport) throws {
    var example = failure.example
    let model = example.model
    example.modelPath = "model"
    let inserted = example.items.flatMap(\.step.insertedNames)
    #expect(Set(inserted).count == inserted.count, "\(failure.kind) inserts two under one name")
    let text = ScenarioText.print(example)
    let read = try ScenarioText.parse(text) { _ in .success(model) }
    #expect(ScenarioText.print(read) == text, "\(failure.kind)")
  }

  /// Two insertions under one name are of one entity, even after one entity was made more general.
  @Test func `an example inserts one entity under a name`() throws {
    let settings = try settings("EmployeeDepartment.model", .leavesOldInverse, runs: 290)
    let failures = failures(settings)
    #expect(failures.count >= 5)
    for failure in failures { try check(failure) }
  }

  /// Another attribute would be simpler here.
  @Test func `an example increments integers only`() throws {
    var settings = try settings("Library.xcdatamodeld", .readsSiblings, runs: 600, seed: 5)
    settings.profile = .documented
    settings.limits.rootCount = 1
    settings.limits.mergePolicies = [.error]
    let failures = failures(settings)
    #expect(failures.contains { $0.kind.name.contains("increment") }, "\(failures.map(\.kind))")
    for failure in failures { try check(failure) }
  }

  /// With two planted bugs, each disagreement names its own.
  @Test func `an example names the planted bug that caused it`() throws {
    var settings = try settings("Note.model", .fetchMissesInsertions, runs: 60)
    settings.bugs = [.fetchMissesInsertions, .rollbackKeepsInsertions]
    let causes = failures(settings).filter { $0.invariant == nil }.map(\.cause)
    #expect(causes.contains(.plantedBug(.fetchMissesInsertions)), "\(causes)")
    #expect(causes.contains(.plantedBug(.rollbackKeepsInsertions)), "\(causes)")
    #expect(!causes.contains(nil))
  }
}
