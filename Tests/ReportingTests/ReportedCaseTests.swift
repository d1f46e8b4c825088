import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Generation
import InputFiles
import Invariants
import Scenario
import TestSupport
import Testing
import Timelines
import Vocabulary

/// Reported failures that depend on which lane runs first. Campaigns look for them with a stack and
/// the general workload, by programs that know nothing of the report.
@Suite struct `A reported case` {
  /// One main context, one child with a queue of its own, and nothing else.
  private static let bare = """
    # The smallest stack in which a context can wait for one that waits for it.

    stack  bare
    origin  reported  JSQCoreDataKit #68

      time  read 2 write 10 row 1 budget 16
      store  main
      view  mainQueue coordinator store
      work  privateQueue parent view

    """

  private func stack(_ name: String) throws -> Stack {
    if name == "bare" {
      return try StackDesignText.parse(Self.bare) { .failure(UnreadableModel(message: $0)) }.stack
    }
    return try StackFile.read(path: Repository.root + "/Fixtures/Stacks/\(name).stack").stack
  }

  /// `signs` are phrases of the violation's report. Prints the number of programs that it took.
  @Test(arguments: [
    (
      "main waits for a child that waits for main", "bare", "deadlock",
      ["waits for the main queue, which", "with 'work  save'"]
    ),
    (
      "main waits for a child that waits for main", "import-operation-on-main", "deadlock",
      ["waits for the main queue, which", "with 'work  save'"]
    ),
    (
      "main waits for a saving import", "refresh-at-every-level", "deadlock by the stack",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "main waits for a saving import", "refresh-from-the-root", "deadlock by the stack",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "a fetch on main against a writer that calls main", "private-root-main-workers",
      "deadlock by the stack",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "the main context is saved from a worker's block", "import-operation-on-main",
      "wrong-queue access", ["view was used by", "from work; its queue is the main queue"]
    ),
    (
      "an import works beside its context's queue", "import-operation-on-main",
      "wrong-queue access by the stack", ["work was used by 'work  save' from operations"]
    ),
    (
      "an import's look-ups go through main", "import-operation-on-main",
      "store access on the main queue", lookUpOnMain
    ),
    (
      "a change to what main has as a fault does not reach the list",
      "background-import-merged-on-DidSave", "stale list in a following context",
      ["the stores have"]
    ),
  ])
  func `a campaign that has the stack alone meets a reported case`(
    report: String, name: String, kind: FailureKind, signs: [String]
  ) throws {
    let number = try firstProgram(on: name, upTo: 1_500, showing: kind, signs)
    #expect(number != nil, "\(report), on \(name)")
    if let number { print("\(report), on \(name): met by program \(number)") }
  }

  /// The same look-ups by a context beside main.
  @Test func `a case about look-ups is not met where the import is no child of main`() throws {
    let number = try firstProgram(
      on: "background-import-merged-on-DidSave", upTo: 300,
      showing: "store access on the main queue", Self.lookUpOnMain)
    #expect(number == nil)
  }

  private static let lookUpOnMain = [
    "a block of work accessed a store while it held the main queue", "'work  fetch",
  ]

  /// Returns the number of the first program, from 1, with such a violation whose report has all
  /// signs.
  private func firstProgram(
    on name: String, upTo limit: Int, showing kind: FailureKind, _ signs: [String]
  ) throws -> Int? {
    let models = try Repository.models() + [.generated]
    var settings = CampaignSettings(models: models)
    settings.stack = try stack(name)
    // Batch requests bypass the contexts. They would also make a list stale, and so would a
    // deletion in the list's own context.
    settings.stepFilter.without = [
      .batchUpdate, .batchDelete, .batchInsert, .delete, .syncDeletions,
    ]
    // A report about a context that is used off its queue is about steps of the app there.
    settings.withSteps = [.directly]
    let campaign = FuzzCampaign(settings)
    return (1...limit).first { number in
      var choices = Choices(seed: Generator.derive(50, UInt64(number)))
      let outcome = campaign.run(models[number % models.count], &choices)
      return outcome.violations.contains { violation in
        guard violation.kind == kind else { return false }
        let text = violation.report(in: outcome.program)
        return signs.allSatisfy(text.contains)
      }
    }
  }
}
