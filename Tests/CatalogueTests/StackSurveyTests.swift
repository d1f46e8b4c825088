import CampaignSupport
import Campaigns
import Catalogue
import Determinism
import Execution
import Failures
import Generation
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `The table of stacks` {
  private func survey(_ name: String, runs: Int = 60) throws -> StackSurvey {
    let design = try StackFile.read(path: Repository.root + "/Fixtures/Stacks/\(name).stack")
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.runs = runs
    settings.seed = 5
    return StackSurvey(name: name, stack: design.stack, settings: settings)
  }

  @Test func `the table says what was seen, what was not, and what cannot be`() throws {
    let survey = try survey("modal-edit-child")
    guard case .seen(let count) = survey.cell(for: "duplicate awakeFromInsert") else {
      Issue.record("a child's save awakens no object")
      return
    }
    #expect(count > 10 && count <= 60)
    #expect(survey.cell(for: "broken inverse") == .neverSeen)
    #expect(survey.cell(for: "deadlock") == .impossible("there is only one queue"))
    #expect(survey.mainQueueHolds.median > 0)
    #expect(survey.mainQueueHolds.worst >= survey.mainQueueHolds.median)
    #expect(survey.mainQueueOccupancies.median >= survey.mainQueueHolds.median)
    #expect(survey.mainQueueOccupancies.worst > survey.mainQueueHolds.worst)
    let replay = try #require(survey.replay(of: "duplicate awakeFromInsert"))
    let left = ["illegal", "suspend", "directly"].map { " --without-steps \($0)" }.joined()
    #expect(replay.hasSuffix(left))
  }

  @Test func `the page names each stack and each reason`() throws {
    let surveys = [try survey("main-only"), try survey("proxy")]
    let page = StacksPage(surveys, surveys[0].report.settings).text
    for survey in surveys {
      #expect(page.contains("[\(survey.name)](../Fixtures/Stacks/\(survey.name).stack)"))
    }
    #expect(page.contains("- lost update, in 1: no context has a parent."))
    for kind in FailureKind.violations { #expect(page.contains("| \(kind) |"), "\(kind)") }
    #expect(StacksTable(surveys).lines.count == 2 + 1 + 1 + FailureKind.violations.count + 4)
  }

  /// A failure that is called impossible on a generated stack is never seen on it.
  @Test(arguments: Profile.allCases)
  func `the table calls nothing impossible that happens`(profile: Profile) throws {
    for index in 0..<120 {
      var choices = Choices(seed: Generator.derive(77, UInt64(index)))
      let model = ModelGenerator().model(&choices)
      var stack = StackGenerator(model: model, limits: StackLimits()).stack(&choices)
      for context in stack.contextIDs where index % 2 == 0 {
        stack.contexts[context.index].isDiscardable = true
      }
      var configuration = RunConfiguration(model: model, quirks: profile.quirks)
      configuration.stack = stack
      configuration.checkLevel = .design
      for violation in ProgramRunner(configuration).run(&choices).violations {
        let reason = violation.kind.impossibility(in: stack, profile.quirks)
        #expect(reason == nil, "\(violation.kind) at \(index)")
      }
    }
  }

  /// A failure that is not called impossible on every stack happens in some scenario, and no other
  /// failure does.
  @Test func `the table calls possible what a scenario shows`() throws {
    var seen: [FailureKind] = []
    for (path, scenario) in try Repository.scenarios() {
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .design
      var stack = scenario.stack
      // A scenario decides itself which contexts it discards.
      for context in stack.contextIDs { stack.contexts[context.index].isDiscardable = true }
      for kind in ProgramRunner(configuration).run(Program(scenario)).failureKinds {
        #expect(kind.impossibility(in: stack, scenario.quirkSet) == nil, "\(kind), \(path)")
        if !seen.contains(kind) { seen.append(kind) }
      }
    }
    let bugsOnly: [FailureKind] = ["broken inverse", "dirty read", "lost save", "torn store"]
    // The scenario of this failure shows it in some interleavings only.
    let interleaved: [FailureKind] = ["stale read before a merge"]
    let missing = FailureKind.violations.filter {
      !seen.contains($0) && !bugsOnly.contains($0) && !interleaved.contains($0)
    }
    #expect(missing == [])
  }

  @Test func `the table gives reasons for failures that take a bug`() {
    for kind: FailureKind in ["dirty read", "lost save", "torn store"] {
      let reason = kind.impossibility(in: Stack(), Profile.current.quirks)
      #expect(reason?.hasPrefix("it requires a bug in Core Data, because ") == true, "\(kind)")
    }
  }
}
