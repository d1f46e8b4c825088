import Determinism
import Faultline
import ObjectModel
import Scenario
import Testing
import Vocabulary

/// What developers have reported and what depends on who goes first, looked for with a stack and the
/// general workload, by programs that know nothing of it.
@Suite struct `A reported case` {
  /// One main context and one child with a queue of its own, and nothing else.
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

  /// `signs` are what the violation's report says; prints how many programs it took.
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
      "main waits for a saving import", "refresh-at-every-level", "deadlock",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "main waits for a saving import", "refresh-from-the-root", "deadlock",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "a fetch on main against a writer that calls main", "private-root-main-workers", "deadlock",
      ["waits for the main queue, which", "performAndWait { mergeChanges delivered }'"]
    ),
    (
      "the main context is saved from a worker's block", "import-operation-on-main",
      "wrong-queue access",
      ["'view  save' from a block of work", "its queue is the main queue"]
    ),
    (
      "an import through the main context blocks it", "import-operation-on-main",
      "main queue blocked", ["a block of work had the main queue for", "the budget is 16 ms"]
    ),
    (
      "a change to what main has as a fault does not reach the list",
      "background-import-merged-on-DidSave", "stale list", ["the stores have"]
    ),
  ])
  func `is met by a campaign that is given the stack alone`(
    report: String, name: String, kind: String, signs: [String]
  ) throws {
    let limit = 300
    let models = try Repository.models() + [.generated]
    var settings = CampaignSettings(models: models)
    settings.stack = try stack(name)
    // They go past the contexts, and would do for a list that is not told.
    settings.pins.without = [.batchUpdate, .batchDelete, .batchInsert]
    let campaign = FuzzCampaign(settings)
    for index in 0..<limit {
      var choices = Choices(seed: Generator.derive(50, UInt64(index)))
      let outcome = campaign.run(models[index % models.count], &choices)
      let isMet = outcome.violations.contains { violation in
        guard violation.kind == kind else { return false }
        let text = violation.report(in: outcome.program)
        return signs.allSatisfy(text.contains)
      }
      if isMet {
        print("\(report), on \(name): met by program \(index + 1)")
        return
      }
    }
    Issue.record("\(report), on \(name): not met by \(limit) programs")
  }
}
