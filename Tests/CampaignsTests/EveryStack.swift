import CampaignSupport
import Campaigns
import Foundation
import InputFiles
import Scenario
import TestSupport
import Testing
import Vocabulary

@Suite struct `Every stack` {
  private static let folder = Repository.root + "/Fixtures/Stacks"
  private static let names = StackFile.names(in: folder)

  private func read(_ name: String) throws -> StackDesign {
    try StackFile.read(path: "\(Self.folder)/\(name).stack")
  }

  @Test(arguments: names)
  func `every stack is printed as it was written and named after its file`(name: String) throws {
    let design = try read(name)
    let text = try TextFile.read(path: "\(Self.folder)/\(name).stack")
    // A pool of contexts is printed as separate contexts, and read as the same stack.
    let hasPools = text.split(separator: "\n").contains { $0.contains(/^  \w+\*\d/) }
    let printed = StackDesignText.print(design)
    #expect((printed == text) != hasPools)
    let again = try StackDesignText.parse(printed) { _ in
      .failure(UnreadableModel(message: "none"))
    }
    #expect(again.stack == design.stack)
    #expect(design.name == name)
  }

  @Test(arguments: names)
  func `every stack states its purpose, its source and its timing`(name: String) throws {
    let design = try read(name)
    #expect(!design.prose.isEmpty && design.source != nil)
    #expect(!design.stack.entryPoints.isEmpty)
    let timing = design.stack.timing
    #expect(timing.read == 2 && timing.write == 10 && timing.row == 1)
    #expect(timing.mainQueueBudget == 16)
  }

  @Test(arguments: names, Profile.allCases)
  func `every stack runs as the reference model predicts`(name: String, profile: Profile) throws {
    let design = try read(name)
    #expect(!design.stack.namesEntities && !design.stack.namesObjects)
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.stack = design.stack
    settings.profile = profile
    settings.runs = 12
    let report = FuzzCampaign(settings).survey()
    #expect(report.runs == 12 && report.disagreementCount == 0)
  }

  @Test func `the table of the folder's page has every stack`() throws {
    let page = try TextFile.read(path: Self.folder + "/README.md")
    #expect(Self.names.count >= 15)
    for name in Self.names { #expect(page.contains("`\(name)`"), "\(name)") }
  }

  /// The example is complete, short, and written as the printer writes it.
  @Test func `a stack can be written like the example of the page`() throws {
    let page = try TextFile.read(path: Self.folder + "/README.md")
    let parts = page.components(separatedBy: "```stack\n")
    try #require(parts.count == 2)
    let example = try #require(parts[1].components(separatedBy: "```").first)
    let design = try StackDesignText.parse(example) { _ in
      .failure(UnreadableModel(message: "the example names none"))
    }
    #expect(StackDesignText.print(design) == example)
    #expect(example.split(separator: "\n").count < 40)
    var settings = CampaignSettings(models: [.generated])
    settings.stack = design.stack
    settings.runs = 20
    #expect(FuzzCampaign(settings).survey().disagreementCount == 0)
  }
}
