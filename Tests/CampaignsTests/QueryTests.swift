import CampaignSupport
import Campaigns
import Determinism
import Execution
import Generation
import ObjectModel
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

/// Engine and reference model answer requests over relationships alike, and printed requests can be
/// read again.
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
  func `engine and reference model answer a generated query alike`(profile: Profile) throws {
    let report = FuzzCampaign(try settings(profile, runs: 200)).survey()
    #expect(report.disagreementCount == 0)
    let queries = report.stepCounts.filter { ["fetch", "count"].contains($0.verb) }
      .reduce(0) { $0 + $1.count }
    #expect(queries > 400, "\(queries)")
  }

  /// Some queries cannot be replaced by a comparison for equality.
  @Test func `a generated query asks for the beginnings of texts`() throws {
    let settings = try settings(.current, runs: 1)
    let campaign = FuzzCampaign(settings)
    var lengths: Set<Int> = []
    func note(_ tree: PredicateTree) {
      switch tree {
      case .constant, .isOf, .matches: break
      case .and(let parts), .or(let parts): parts.forEach(note)
      case .not(let part): note(part)
      case .comparison(_, let relation, .value(.string(let symbol)), _, _):
        guard relation == .beginsWith || relation == .contains, let token = symbol.token else {
          return
        }
        lengths.insert(String(token).count)
      case .comparison: break
      }
    }
    for index in 0..<120 {
      var choices = Choices(seed: Generator.derive(31, UInt64(index)))
      let model = settings.models[index % settings.models.count]
      for step in campaign.run(model, &choices).program.steps {
        if case .fetch(let request, as: _) = step.step, let tree = request.tree { note(tree) }
      }
    }
    #expect(lengths.isSuperset(of: [1, 2, 3, 4]), "\(lengths.sorted())")
  }

  @Test func `a generated query is read as it was printed`() throws {
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
        if case .fetch(let request, as: _) = step.step { request.tree != nil } else { false }
      }
      let read = try ScenarioText.parse(text) { _ in
        .failure(UnreadableModel(message: "there is no file"))
      }
      #expect(ScenarioText.print(read) == text)
    }
    #expect(count > 50, "\(count)")
  }
}
