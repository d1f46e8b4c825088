import Faultline
import Testing

/// What people do in this app; what else Core Data can do is left out.
private let steps = ["insert", "set", "get", "fetch", "save"]

@Test func `notes are safe in a single context`() throws {
  try Fuzzer(model: "Notes.model", stack: "Main.stack", runs: 300, onlySteps: steps).check()
}

@Test(arguments: try ScenarioCase.all(in: "Scenarios"))
func `a scenario holds`(_ scenario: ScenarioCase) throws {
  try scenario.check()
}

/// Known, and written down in Scenarios: should it stop to be so, we want to hear of it.
@Test func `a form and a sync that save one after the other lose an edit`() throws {
  try Fuzzer(
    model: "Notes.model", stack: "Form.stack", runs: 300, onlySteps: steps,
    expected: ["lost update"],
    allowed: [
      "duplicate awakeFromInsert", "temporary ID leak", "silently ignored save",
      "non-repeatable read",
    ]
  ).check()
}

/// One issue for each kind of failure, with its scenario attached. Here, all that is found is known
/// or allowed.
@Test func `a form fails in no way that is not written down`() throws {
  var fuzzer = Fuzzer(model: "Notes.model", stack: "Form.stack", runs: 300, onlySteps: steps)
  fuzzer.known = "Scenarios"
  let allowed = ["silently ignored save", "non-repeatable read"]
  for failure in try fuzzer.run().failures
  where failure.documentedBy == nil && !allowed.contains(failure.kind) {
    Attachment.record(failure.scenario, named: failure.scenarioName)
    Issue.record(failure)
  }
}
