import Campaigns
import Determinism
import Execution
import Generation
import Scenario
import ScenarioChecking
import Testing
import Vocabulary

/// Requests over relationships: the engine and the reference model answer them alike, and what is
/// printed of them is read again.
@Suite struct `A generated query` {
  private func settings(_ profile: Profile, runs: Int) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.profile = profile
    settings.runs = runs
    settings.seed = 30
    settings.stepFilter.only = [
      .query, .insert, .set, .relate, .save, .delete, .refresh, .object, .processPendingChanges,
      .rollback, .batchUpdate,
    ]
    return settings
  }

  @Test(arguments: Profile.allCases)
  func `is answered alike by engine and reference model`(profile: Profile) throws {
    let report = FuzzCampaign(try settings(profile, runs: 200)).survey()
    #expect(report.disagreementCount == 0)
    let fetches = report.stepCounts.first { $0.verb == "fetch" }?.count ?? 0
    #expect(fetches > 500, "\(fetches)")
  }

  @Test func `is read as it was printed`() throws {
    let settings = try settings(.current, runs: 1)
    let campaign = FuzzCampaign(settings)
    var count = 0
    for index in 0..<60 {
      var choices = Choices(seed: Generator.derive(31, UInt64(index)))
      let model = settings.models[index % settings.models.count]
      let program = campaign.run(model, &choices).program
      let scenario = Scenario(
        program, name: "query", source: "seed", profile: .current,
        quirks: Profile.current.quirks)
      let text = ScenarioText.print(scenario)
      count += program.steps.count { step in
        if case .fetch(let request) = step.step { request.tree != nil } else { false }
      }
      let read = try ScenarioText.parse(text) { _ in
        .failure(UnreadableModel(message: "there is no file"))
      }
      #expect(ScenarioText.print(read) == text)
    }
    #expect(count > 50, "\(count)")
  }
}
