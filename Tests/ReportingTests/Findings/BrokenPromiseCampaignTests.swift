import CampaignSupport
import Campaigns
import Execution
import Failures
import Generation
import InputFiles
import ObjectModel
import Scenario
import TestSupport
import Testing
import Vocabulary

@Suite struct `A campaign on a stack that promises something` {
  private let model: ObjectModel
  private let stack: Stack

  init() throws {
    let fixtures = Repository.root + "/Fixtures"
    var promising = (
      stack: try StackFile.read(
        path: fixtures + "/Stacks/container-with-automatic-merging.stack"
      ).stack,
      model: try ModelFile.read(path: fixtures + "/Models/Note.model")
    )
    for promise in [
      "unique Note.title in store view", "count Note >= 0", "count Note where title == \"no\" > 1",
    ] {
      promising = try StackDesignText.adding(promise, to: promising.stack, of: promising.model)
    }
    (stack, model) = promising
  }

  private func report(runs: Int) -> CampaignReport {
    var settings = CampaignSettings(models: [.file(path: "Note.model", model)])
    settings.stack = stack
    (settings.runs, settings.seed, settings.shrinkBudget) = (runs, 7, 400)
    return FuzzCampaign(settings, certifying: 1).run()
  }

  @Test func `a campaign finds the race of two look-ups and prints a failing example`() throws {
    let report = report(runs: 300)
    let broken = report.violations.filter { $0.kind == "broken promise" }
    #expect(!broken.isEmpty)
    for failure in broken {
      #expect(failure.subject == .promise("unique Note.title"))
      // The example has the promise, in places of the design, and needs no other promise.
      let promises = failure.example.stack.promises
      #expect(promises.map(\.text) == ["unique Note.title"])
      for case .context(let context) in promises.flatMap(\.places) {
        #expect(failure.example.stack[context].name == "view")
      }
      #expect(try PrintedFinding(failure, model).untrueClaims() == [], "seed \(failure.seed.text)")
    }
  }

  /// Programs look for an object by all of the properties, of which one may be a relationship.
  @Test(arguments: ["unique Episode.feed and guid", "unique Episode.podcast and guid"])
  func `a campaign finds two objects that agree in several properties`(promise: String) throws {
    let model = try ModelText.parse(
      """
      Podcast
        title  string?
        episodes  Episode* inverse podcast
      Episode
        feed  string?
        guid  string?
        podcast  Podcast? inverse episodes
      """)
    let text = """
      stack  podcasts

        store  main
        player  mainQueue coordinator store autoMerge
        feed  privateQueue coordinator store policy mergeByPropertyObjectTrump

      """
    let design = try StackDesignText.parse(text) { _ in .success(model) }
    let promising = try StackDesignText.adding(promise, to: design.stack, of: model)
    var settings = CampaignSettings(models: [.file(path: "Podcasts.model", promising.model)])
    settings.stack = promising.stack
    settings.workloads = [.importObjects]
    (settings.runs, settings.seed) = (1_000, 5)
    let kinds = FuzzCampaign(settings).survey().failureTallies.map(\.kind.name)
    #expect(kinds.contains("broken promise"), "\(kinds)")
  }

  @Test func `a campaign says which promises were put to the test`() {
    let counts = report(runs: 60).promiseCounts
    #expect(counts.map(\.text) == stack.promises.map(\.text))
    #expect(counts[0].count > 0 && counts[1].count > 0)
    // No program creates such notes.
    #expect(counts[2].count == 0)
  }

  /// The only part of the stack calls nothing, saves nothing and merges nothing.
  @Test func `a promise that was not tested has a reason`() throws {
    let design = try StackDesignText.parse(
      """
      stack  idle
      origin  inferred
      model  Note.model

        store  main
        view  mainQueue coordinator store
        entry  idle
          view  processPendingChanges
        promise  eventually count Note == 0
        promise  view shows the store at rest
        promise  no objectsDidChange in view twice for one change
        promise  clean view after idle
        promise  idle saves only view
        promise  idle keeps Note.title
        promise  count Note <= 1 after idle
      """
    ) { _ in .success(model) }
    var settings = CampaignSettings(models: [.file(path: "Note.model", model)])
    settings.stack = design.stack
    (settings.runs, settings.seed) = (20, 5)
    let counts = FuzzCampaign(settings).survey().promiseCounts
    #expect(
      counts[1...2].allSatisfy { $0.count == 0 } && counts[4...5].allSatisfy { $0.count == 0 })
    #expect(
      counts.map(\.absence) == [
        "it held at once in each program that did not break it itself",
        "no other context saved while view had objects",
        "no merge or refresh by the design announced a refreshed object",
        "no program had unsaved changes in view when it called idle",
        "idle saved no other context",
        "no call of idle changed objects while objects of the entity existed",
        "no program had objects to judge without breaking the promise itself",
      ])
  }

  @Test func `a program looks for an object before it inserts one`() {
    func conditions(promising: Bool) -> Int {
      var settings = CampaignSettings(models: [.file(path: "Note.model", model)])
      settings.stack = stack
      if !promising { settings.stack?.promises = [] }
      settings.runs = 60
      let counts = FuzzCampaign(settings).survey().stepCounts
      return counts.first { $0.verb == "unless" }?.count ?? 0
    }
    #expect(conditions(promising: true) > conditions(promising: false) + 20)
  }
}
