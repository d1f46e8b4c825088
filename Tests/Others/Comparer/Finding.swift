import Execution
import Scenario
import ScenarioChecking
import Vocabulary

/// A kind of difference, and the smallest program that showed it.
struct Finding {
  let kind: String
  /// The seed or the scenario that showed the difference first, as the option that runs it again.
  let origin: String
  let program: ComparableProgram
  let difference: Difference
  var count = 1

  /// The steps of the program, with both sides' answers to the last.
  var text: [String] {
    let expected = ExpectedRun(program, readsRows: false).observations
    let policies = program.program.stack.contexts.map { "\($0.name) \($0.mergePolicy.rawValue)" }
    return ["  contexts: \(policies.joined(separator: ", "))"]
      + expected.map { "  \($0.request)" }
      + ["    ours:   \(difference.expected)", "    theirs: \(difference.actual)"]
  }

  /// Returns the program as a scenario, for `faultline replay`.
  func scenario(named name: String) -> Scenario {
    Scenario(
      program.program, name: name, source: origin, profile: .current, quirks: program.quirks)
  }
}
