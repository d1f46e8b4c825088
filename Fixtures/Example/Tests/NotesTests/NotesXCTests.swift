import Faultline
import XCTest

/// The same in XCTest: what is thrown is a failure.
final class NotesXCTests: XCTestCase {
  func testNothingIsLostInASingleContext() async throws {
    try await Fuzzer(
      model: "Notes.model", stack: "Main.stack", runs: 300, profile: .documented,
      onlySteps: [.insert, .set, .delete, .fetch, .save]
    ).check()
  }

  func testScenarios() async throws {
    for scenario in try ScenarioCase.all(in: "Scenarios") { try await scenario.check() }
  }
}
