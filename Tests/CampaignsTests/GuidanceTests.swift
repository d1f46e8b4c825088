import Campaigns
import Determinism
import Execution
import InputFiles
import TestSupport
import Testing

@Suite struct `A guided campaign` {
  private func settings(isGuided: Bool, runs: Int = 400) throws -> CampaignSettings {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [
      .file(path: path, try ModelFile.read(path: path)), .generated,
    ])
    settings.runs = runs
    settings.seed = 40
    settings.steps = 40
    settings.isGuided = isGuided
    return settings
  }

  @Test func `a guided campaign is a function of its seed, and unlike an unguided one`() throws {
    let first = FuzzCampaign(try settings(isGuided: true)).survey()
    let second = FuzzCampaign(try settings(isGuided: true)).survey()
    #expect(first.digest == second.digest)
    #expect(first.stateCount == second.stateCount)
    #expect(first.lastNewState == second.lastNewState && first.lastNewMark == second.lastNewMark)
    #expect(first.failureTallies == second.failureTallies)
    #expect(FuzzCampaign(try settings(isGuided: false)).survey().digest != first.digest)
  }

  @Test func `a guided campaign counts its states and says when the last was new`() throws {
    let report = FuzzCampaign(try settings(isGuided: true)).survey()
    #expect(report.stateCount > 1_000)
    #expect(300...400 ~= report.lastNewState)
    #expect(1...400 ~= report.lastNewMark)
    let one = FuzzCampaign(try settings(isGuided: true, runs: 1)).survey()
    #expect(10..<report.stateCount ~= one.stateCount)
    #expect(one.lastNewState == 1 && one.lastNewMark <= 1)
  }

  /// Half of its runs begin where few runs have been.
  @Test func `a guided campaign reaches more states`() throws {
    func stateCount(isGuided: Bool) throws -> Int {
      try (UInt64(1)...4).reduce(0) { sum, seed in
        var settings = try settings(isGuided: isGuided, runs: 800)
        settings.seed = seed
        return sum + FuzzCampaign(settings).survey().stateCount
      }
    }
    let (guided, free) = (try stateCount(isGuided: true), try stateCount(isGuided: false))
    #expect(guided > free, "\(guided) states with guidance, \(free) without")
  }

  @Test func `a guided campaign names runs by seeds that repeat them`() throws {
    let campaign = FuzzCampaign(try settings(isGuided: true))
    var guidance = Guidance(modelCount: 1, stepLimit: 40)
    let source = campaign.settings.models[1]
    var longest = 0
    for round in 0..<4 {
      for index in 0..<40 {
        let seed = Generator.derive(77, UInt64(40 * round + index))
        var start = guidance.start(seed, model: 0)
        let outcome = campaign.run(source, &start.choices)
        var again = campaign.choices(try #require(RunSeed(start.seed.text)), source)
        #expect(campaign.run(source, &again).digest == outcome.digest)
        #expect(start.seed.seeds.last == seed)
        longest = max(longest, start.seed.seeds.count)
        guidance.learn(
          from: outcome, seed: start.seed, recording: start.choices.recording, model: 0)
      }
      guidance.endRound()
    }
    #expect(longest >= 3)
  }

  /// Runs of one round may be made in any order, and by any thread.
  @Test func `a run does not depend on other runs of its round`() throws {
    let campaign = FuzzCampaign(try settings(isGuided: true))
    let source = campaign.settings.models[0]
    var guidance = Guidance(modelCount: 1, stepLimit: 40)
    for index in 0..<30 {
      var start = guidance.start(UInt64(index), model: 0)
      let outcome = campaign.run(source, &start.choices)
      let before = (0..<5).map { guidance.start(900 + UInt64($0), model: 0).seed }
      guidance.learn(
        from: outcome, seed: start.seed, recording: start.choices.recording, model: 0)
      #expect((0..<5).map { guidance.start(900 + UInt64($0), model: 0).seed } == before)
    }
    guidance.endRound()
    let branched = (0..<40).map { guidance.start(900 + UInt64($0), model: 0).seed }
    #expect(10...30 ~= branched.count { $0.seeds.count == 2 })
  }
}

@Suite struct `A seed of a run` {
  @Test func `the seed of a run is printed and read back`() {
    for text in ["0x7", "0x5c1a09:17:0x33f0", "0x1:2:0x3:4:0xffffffffffffffff"] {
      #expect(RunSeed(text)?.text == text)
    }
    #expect(RunSeed("7")?.text == "0x7")
    for text in ["", "0x", "0xzz", "7:", "7:3", "7:x:9", "7:3:9:3:1", "7:-1:2", ":7"] {
      #expect(RunSeed(text) == nil, "\(text)")
    }
  }

  @Test func `the seed of a run forgets what a shorter beginning does not need`() {
    let seed = RunSeed(1).branching(after: 10, to: 2).branching(after: 20, to: 3)
    #expect(seed.text == "0x1:10:0x2:20:0x3")
    #expect(seed.branching(after: 30, to: 4).text == "0x1:10:0x2:20:0x3:30:0x4")
    #expect(seed.branching(after: 20, to: 4).text == "0x1:10:0x2:20:0x4")
    #expect(seed.branching(after: 15, to: 4).text == "0x1:10:0x2:15:0x4")
    #expect(seed.branching(after: 5, to: 4).text == "0x1:5:0x4")
  }
}
