import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Generation
import InputFiles
import Scenario
import ScenarioChecking
import SimulatedCoreData
import TestSupport
import Testing
import Vocabulary

@Suite struct `A campaign` {
  private func settings(_ profile: Profile, runs: Int, seed: UInt64) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.profile = profile
    settings.runs = runs
    settings.seed = seed
    settings.shrinkBudget = 400
    return settings
  }

  @Test(arguments: Profile.allCases)
  func `a campaign finds that engine and reference model agree`(profile: Profile) throws {
    // A survey only counts disagreements. A campaign of the tool prints them.
    let report = FuzzCampaign(try settings(profile, runs: 240, seed: 3)).survey()
    #expect(report.disagreementCount == 0)
    #expect(report.runs == 240)
    #expect(report.steps > 8_000)
  }

  @Test func `a campaign is a function of its seed`() throws {
    let settings = try settings(.current, runs: 60, seed: 7)
    let first = FuzzCampaign(settings, certifying: 2).run()
    let second = FuzzCampaign(settings, certifying: 2).run()
    #expect(first.digest == second.digest)
    #expect(first.violations.map(\.seed) == second.violations.map(\.seed))
    #expect(
      first.violations.map { ScenarioText.print($0.example) }
        == second.violations.map { ScenarioText.print($0.example) })
    var other = settings
    other.seed = 8
    #expect(FuzzCampaign(other).survey().digest != first.digest)
  }

  @Test func `a stack with one root, the error policy and no quirks has no failures`() throws {
    var settings = try settings(.documented, runs: 400, seed: 5)
    settings.limits.rootCount = 1
    settings.limits.mergePolicies = [.error]
    let report = FuzzCampaign(settings).run()
    // Blocks that wait for each other do so in every stack. Steps that bypass the contexts on
    // purpose depend on no policy.
    let rest = report.violations.filter { violation in
      if case .bypass = violation.cause { return false }
      return violation.kind != "deadlock"
    }
    #expect(rest.map(\.kind) == [])
    #expect(report.disagreements.map(\.kind) == [])
  }

  @Test func `a campaign finds the failures that reports of iOS 5 to 9 describe`() throws {
    let report = FuzzCampaign(try settings(.legacy, runs: 1_200, seed: 6), certifying: 0).run()
    let causes = Dictionary(
      report.violations.map { ($0.kind, $0.cause) }, uniquingKeysWith: { first, _ in first })
    #expect(causes["temporary ID leak"] == .quirk(.childKeepsTemporaryID))
    #expect(causes["duplicate awakeFromInsert"] == .quirk(.parentAwakensInsertedObject))
    #expect(causes["two instances for one row"] == .quirk(.rowHasTwoInstances))
    #expect(causes["stale read through a cached ancestor"] == .quirk(.ancestorCacheHidesUpdates))
    #expect(
      [.severalCoordinators, .bypass(.batchRequests)].contains(
        causes["stale read through the row cache"]))
    #expect(causes["lost update"] == .quirk(.childSaveIgnoresMergePolicy))
    #expect(causes["silently ignored save"] == .quirk(.childSaveIgnoresEqualValues))
  }

  @Test func `a campaign prints examples that can be read back and still fail`() throws {
    let report = FuzzCampaign(try settings(.current, runs: 150, seed: 11), certifying: 3).run()
    #expect(report.violations.count >= 3)
    for failure in report.violations {
      let text = ScenarioText.print(failure.example)
      let scenario = try ScenarioText.parse(text) { path in
        do throws(InputError) {
          return .success(try ModelFile.read(path: path))
        } catch {
          return .failure(UnreadableModel(message: error.description))
        }
      }
      #expect(ScenarioText.print(scenario) == text)
      #expect(ScenarioCheck(scenario).problems.map(\.message) == [], "\(failure.kind)")
      let outcome = ProgramRunner(
        RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      ).run(Program(scenario))
      #expect(outcome.failureKinds.contains(failure.kind))
    }
  }

  /// The models of real apps, if they are available.
  @Test(arguments: ModelFolders.hasShared ? ModelFolders.sharedNames : [])
  func `engine and reference model agree on a real model`(name: String) throws {
    let path = "\(ModelFolders.shared)/\(name).xcdatamodeld"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.runs = 60
    #expect(FuzzCampaign(settings).survey().disagreementCount == 0)
  }

  @Test func `a campaign wastes few steps`() throws {
    let report = FuzzCampaign(try settings(.current, runs: 200, seed: 13)).survey()
    #expect(report.wastedSteps * 20 < report.steps, "\(report.wastedSteps) of \(report.steps)")
  }

  @Test func `a campaign counts every kind of step`() throws {
    let report = FuzzCampaign(try settings(.current, runs: 300, seed: 15)).survey()
    let verbs = Set(report.stepCounts.map(\.verb))
    // Fragments consist of other steps.
    let fragments: [StepGenerator.Kind] =
      [.writeConflict, .waitForWork, .repeatedRead, .query, .illegal]
      + Workload.allCases.map(\.kind)
    for kind in StepGenerator.Kind.allCases where !fragments.contains(kind) && !kind.isOnDemand {
      #expect(verbs.contains("\(kind)"), "\(kind)")
    }
  }

  @Test func `a campaign counts the runs that reach a mark, however it is divided`() throws {
    var settings = try settings(.documented, runs: 200, seed: 17)
    settings.models = [.generated]
    let report = FuzzCampaign(settings).survey()
    var byHand = MarkCoverage()
    for index in 0..<200 {
      let seed = Generator.derive(Generator.derive(17, 0), UInt64(index))
      var choices = Choices(seed: seed)
      var one = MarkCoverage()
      one.count(FuzzCampaign(settings).run(.generated, &choices).marks)
      byHand.merge(one)
    }
    #expect(report.coverage == byHand)
    #expect(report.coverage[.mergeConflict] > 0)
    #expect(report.coverage.summary.hasPrefix("marks: "))
    #expect(MarkCoverage().unreached == Mark.allCases)
    #expect(MarkCoverage().summary.contains("; not reached: mergeConflict"))
  }
}

@Suite struct `A seed` {
  @Test func `a seed repeats its run, and so does the program of that run`() throws {
    let models = try Repository.models()
    let settings = CampaignSettings(models: models)
    for index in 0..<60 {
      let seed = Generator.derive(31, UInt64(index))
      let source = models[index % models.count]
      var choices = Choices(seed: seed)
      let outcome = FuzzCampaign(settings).run(source, &choices)
      var again = Choices(seed: seed)
      #expect(FuzzCampaign(settings).run(source, &again).digest == outcome.digest)
      var replayed = Choices(replaying: choices.recording)
      #expect(FuzzCampaign(settings).run(source, &replayed).digest == outcome.digest)
      let configuration = RunConfiguration(model: outcome.program.model, quirks: settings.quirks)
      #expect(ProgramRunner(configuration).run(outcome.program).digest == outcome.digest)
    }
  }
}
