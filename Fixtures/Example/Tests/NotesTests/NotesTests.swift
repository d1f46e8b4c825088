import Faultline
import FaultlineTesting
import Testing

/// What this app does; the rest of Core Data is left out.
private let steps: [StepKind] = [.insert, .set, .get, .fetch, .save]

@Test(.faultline(model: "Notes.model", stack: "Main.stack", runs: 300, onlySteps: steps))
func `notes are safe in a single context`() {}

@Test(arguments: try ScenarioCase.all(in: "Scenarios"))
func `a scenario holds`(_ scenario: ScenarioCase) async throws {
  try await scenario.check()
}

/// A context that is only read may be behind for a while; nothing is lost.
@Test(
  .faultline(
    model: "Notes.model", stack: "Reader.stack", runs: 300,
    allowed: [.staleReadBeforeAMerge, .staleListInAFollowingContext]))
func `notes are safe where the main context is only read`() {}

/// A known failure, shown by a scenario: the test fails if it is not found any more.
@Test func `a form and a sync that save one after the other lose an edit`() async throws {
  try await Fuzzer(
    model: "Notes.model", stack: "Form.stack", runs: 300, onlySteps: steps,
    expected: [.lostUpdate],
    allowed: [
      .duplicateAwakeFromInsert, .temporaryIDLeak, .silentlyIgnoredSave, .nonRepeatableRead,
      .staleCopy,
    ]
  ).check()
}

/// One issue for each kind of failure, with its scenario attached. Here, all that is found is known
/// or allowed.
@Test func `a form fails in no way that is not written down`() async throws {
  var fuzzer = Fuzzer(model: "Notes.model", stack: "Form.stack", runs: 300, onlySteps: steps)
  fuzzer.known = "Scenarios"
  let allowed: [ViolationKind] = [.silentlyIgnoredSave, .nonRepeatableRead, .staleCopy]
  for failure in try await fuzzer.run().failures
  where failure.knownFailure == nil && !allowed.contains(where: { $0 == failure.violation }) {
    Attachment.record(failure.scenario, named: failure.scenarioName)
    Issue.record(failure)
  }
}
