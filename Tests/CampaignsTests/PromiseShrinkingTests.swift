import Campaigns
import InputFiles
import Scenario
import TestSupport
import Testing

@Suite struct `A promise that is shrunk` {
  /// The contexts that a promise names stay in the example, so that the example can be read again.
  @Test func `a promise is shrunk with the contexts that it names`() throws {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    let model = try ModelFile.read(path: path)
    var settings = CampaignSettings(models: [.file(path: path, model)])
    settings.stack = try designedStack(
      """
        view  mainQueue coordinator store
        work  privateQueue parent view
        other  privateQueue parent view
        entry  finish
          work  save
          view  save
        promise  finish saves only work other
      """)
    settings.runs = 20
    let report = FuzzCampaign(settings).run()
    let failure = try #require(
      report.violations.first { $0.kind == "broken promise of an entry point" })
    let text = ScenarioText.print(failure.example)
    #expect(text.contains("promise  finish saves only work other"))
    let again = try ScenarioText.parse(text) { _ in .success(model) }
    #expect(ScenarioText.print(again) == text)
  }
}
