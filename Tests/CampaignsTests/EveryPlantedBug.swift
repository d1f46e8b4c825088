import CampaignSupport
import Campaigns
import Determinism
import Execution
import TestSupport
import Testing
import Vocabulary

@Suite struct `Every planted bug` {
  static let limit = 5_000

  /// Prints the number of runs that it took. The runs use the project's models and generated ones
  /// in turn.
  @Test(arguments: PlantedBug.allCases)
  func `every planted bug is caught within five thousand runs`(bug: PlantedBug) throws {
    let models = try Repository.models() + [.generated]
    var settings = CampaignSettings(models: models)
    settings.bugs = [bug]
    let campaign = FuzzCampaign(settings)
    for index in 0..<`Every planted bug`.limit {
      var choices = Choices(seed: Generator.derive(20, UInt64(index)))
      let outcome = campaign.run(models[index % models.count], &choices)
      if outcome.showsDefect {
        print("planted bug \(bug.name): caught by run \(index + 1)")
        return
      }
    }
    Issue.record("\(bug.name) was not caught within \(`Every planted bug`.limit) runs")
  }

  @Test func `at least sixty planted bugs exist`() { #expect(PlantedBug.allCases.count >= 60) }

  @Test func `a planted bug is held out if it came after everything tuned for it`() {
    #expect(PlantedBug.heldOut.count >= 20)
    // Because of this bug the generator learned to save nothing but an order.
    #expect(!PlantedBug.heldOut.contains(.orderAloneIsNoChange))
  }
}
