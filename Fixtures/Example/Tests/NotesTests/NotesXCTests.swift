import Faultline
import XCTest

/// The same in XCTest: what is thrown is a failure.
final class NotesXCTests: XCTestCase {
  func testNothingIsLostInASingleContext() throws {
    try Fuzzer(
      model: "Notes.model", stack: "Main.stack", runs: 300, profile: .documented,
      onlySteps: [.insert, .set, .delete, .fetch, .save]
    ).check()
  }

  func testScenarios() throws {
    for scenario in try ScenarioCase.all(in: "Scenarios") { try scenario.check() }
  }
}
