import Faultline
import Scenario
import Testing
import Vocabulary

@Suite struct `A known violation` {
  private func edgeCases(_ names: [String]) throws -> EdgeCases {
    EdgeCases(
      try names.map { name in
        ("\(name)", try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario"))
      })
  }

  @Test func `leads to the plainest of the scenarios that show it`() throws {
    let plain = "Identity/child-keeps-temporary-ID"
    let others = [
      "Identity/child-posts-temporary-ids", "Identity/two-instances-for-one-row",
      "Merging/merge-from-a-sibling", "Reported/new-object-keeps-its-temporary-ID",
    ]
    let program = Program(
      try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(plain).scenario"))
    for names in [others + [plain], [plain] + others] {
      let found = try edgeCases(names).scenario(
        for: "temporary ID leak", .quirk(.childKeepsTemporaryID), like: program)
      #expect(found == plain)
    }
  }

  /// One is about an increment that is lost, and the other about an edit.
  @Test func `leads to the scenario that does the same steps`() throws {
    let names = [
      "Conflicts/automatic-merge-loses-an-update", "Conflicts/two-increments-that-merge-count-once",
    ]
    let known = try edgeCases(names)
    for name in names {
      let scenario = try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario")
      let found = known.scenario(
        for: "lost update through a merge in the store", .automaticMerge, like: Program(scenario))
      #expect(found == name)
    }
  }

  /// A program is made small first: what else goes wrong in it is no reason not to know it.
  @Test func `is known in a longer program`() throws {
    let known = try edgeCases(["Identity/child-keeps-temporary-ID"])
    let path = "\(Repository.root)/Scenarios/Conflicts/last-child-wins.scenario"
    let scenario = try ScenarioFile.read(path: path)
    let configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    func documented(_ kind: String) -> String? {
      known.scenario(for: kind, in: Program(scenario), configuration)
    }
    #expect(documented("temporary ID leak") == "Identity/child-keeps-temporary-ID")
    #expect(documented("lost update") == nil)
  }
}
