import CampaignSupport
import Campaigns
import Execution
import Failures
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

/// A context that the design only reads, beside a context that writes.
@Suite struct `A context that is only read` {
  private static func report(
    _ stack: String, runs: Int = 300
  ) throws -> CampaignReport {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    let model = try ModelFile.read(path: path)
    let text = "stack  reader\norigin  inferred\n\n\(stack)"
    let design = try StackDesignText.parse(text) { _ in .success(model) }
    var settings = CampaignSettings(models: [.file(path: path, model)])
    settings.stack = design.stack
    (settings.runs, settings.steps, settings.seed, settings.shrinkBudget) = (runs, 40, 1, 300)
    return FuzzCampaign(settings, certifying: 0).run()
  }

  private static func stack(_ view: String) -> String {
    """
      store  main
      view  mainQueue coordinator store \(view)
      writer  privateQueue coordinator store

    """
  }

  @Test func `a read-only context is neither changed nor saved by a program`() throws {
    let report = try Self.report(Self.stack("readOnly"))
    let failures = report.violations + report.misuses
    #expect(failures.contains { $0.kind == "stale copy" })
    for failure in failures {
      let stack = failure.example.stack
      for step in Program(failure.example).steps {
        #expect(
          !step.contains {
            stack[$0.context].isReadOnly && ($0.step == .reset || $0.step.kind.isForWriters)
          },
          "\(ScenarioText.print(failure.example))")
      }
    }
  }

  @Test func `a read-only context loses no update, and shows what is new`() throws {
    let writing = try Self.report(Self.stack("autoMerge"))
    #expect(writing.violations.contains { $0.invariant?.severity == .losesData })
    #expect(writing.violations.contains { $0.kind == "non-repeatable read" })
    let reading = try Self.report(Self.stack("autoMerge readOnly"))
    for failure in reading.violations { #expect(failure.invariant?.severity == .isStale) }
    #expect(!reading.violations.contains { $0.kind == "non-repeatable read" })
  }
}
