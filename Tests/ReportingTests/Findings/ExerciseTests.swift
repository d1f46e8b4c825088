import Campaigns
import Generation
import Reporting
import Scenario
import Testing

@Suite struct `The saves of a campaign` {
  /// Surveys programs on a main context beside a background context.
  private func survey(_ modelText: String, runs: Int = 200) throws -> CampaignReport {
    let model = try ModelText.parse(modelText)
    let design = try StackDesignText.parse(
      """
      stack  two
      origin  inferred

        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store
      """
    ) { _ in .failure(UnreadableModel(message: "there is none")) }
    var settings = CampaignSettings(models: [.file(path: "Test.model", model)])
    settings.stack = design.stack
    (settings.runs, settings.seed) = (runs, 5)
    return FuzzCampaign(settings).survey()
  }

  /// A mandatory to-many relationship without a minimum count may be empty (SV-A12).
  @Test func `saves succeed whether lists may be empty or are mandatory`() throws {
    func drawer(_ mark: String) -> String {
      let kinds = ["Plate", "Cup", "Fork", "Spoon", "Knife"]
      return "Drawer\n  label  string?\n"
        + kinds.map { "  \($0.lowercased())s  \($0)\(mark) inverse drawer\n" }.joined()
        + kinds.map { "\($0)\n  label  string?\n  drawer  Drawer inverse \($0.lowercased())s\n" }
        .joined()
    }
    let (mandatory, optional) = (try survey(drawer("+")).saves, try survey(drawer("*")).saves)
    #expect(mandatory.storingRuns * 10 > optional.storingRuns * 9)
    #expect(mandatory.done * 10 > optional.done * 8, "\(mandatory) \(optional)")
  }

  @Test func `a new object gets a parent that exists already`() throws {
    let report = try survey(
      """
      Folder
        notes  Note* inverse folder
      Note
        title  string?
        folder  Folder inverse notes
      """)
    let (folders, notes) = (report.insertionCounts[0][0], report.insertionCounts[0][1])
    // Half of the insertions are notes.
    #expect(folders * 4 < notes * 7, "\(folders) folders, \(notes) notes")
    #expect(report.saves.refused * 3 < report.saves.done * 2, "\(report.saves)")
  }

  @Test func `each end of a mandatory pair gets one partner`() throws {
    let saves = try survey("A\n  b  B inverse a\nB\n  a  A inverse b\n", runs: 60).saves
    #expect(saves.storingRuns > 30, "\(saves)")
  }

  /// Each link of the chain needs the next one, and no program creates all six.
  @Test func `a report says that saves are too few if validation refuses nearly all`() throws {
    let links = ["A", "B", "C", "D", "E", "F"]
    let report = try survey(
      links.indices.map { index in
        "\(links[index])\n  next  \(links[(index + 1) % 6]) inverse previous\n"
          + "  previous  \(links[(index + 5) % 6])? inverse next\n"
      }.joined())
    #expect(report.saves.refused > report.saves.done)
    #expect(report.exercisesLittle && !report.passes)
    let text = HumanReport(report, tool: "faultline", options: "", detail: .usual).text
    let last = try #require(text.split(separator: "\n").last)
    #expect(last.hasPrefix("FAIL  too few programs saved to a store: "), "\(last)")
    #expect(text.contains("refused by validation"))
    let formats = MachineReport(report) { _ in "" }
    for text in [formats.markdown(), formats.sarif(), formats.junit(), formats.github()] {
      #expect(text.contains("too few programs saved to a store"), "\(text)")
    }
    #expect(formats.json().contains("\"refused\"") && formats.markdown().contains("## ❌"))
  }

  @Test func `a campaign that leaves out saves needs none`() throws {
    var report = try survey("Note\n  title  string?", runs: 30)
    #expect(!report.exercisesLittle && report.saves.storingRuns * 2 > 30)
    report.settings.stepFilter.without = [.save]
    report.saves = SaveTally()
    #expect(!report.exercisesLittle)
    report.settings.stepFilter.without = []
    #expect(report.exercisesLittle)
    report.runs = 19
    #expect(!report.exercisesLittle)
  }
}
