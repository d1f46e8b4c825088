package import Execution
package import Failures
import Scenario
package import Vocabulary

/// A run that fails, with its explanation.
package struct FailingRun {
  package var program: Program
  package var configuration: RunConfiguration
  package var failure: FailureSignature
}

/// Returns the kinds of failures of a program on a designed stack. `time` is the duration of
/// requests.
package func failureKinds(
  _ stack: String, _ steps: String, mark: String = "", time: String? = nil
) throws -> [FailureKind] {
  let (program, configuration) = try design(
    stack, steps, mark: mark, time: time.map { "\n  time  \($0)" } ?? "")
  return ProgramRunner(configuration).run(program).failureKinds
}

private func design(
  _ stack: String, _ steps: String, mark: String = "", time: String = ""
) throws -> (program: Program, configuration: RunConfiguration) {
  let text = """
    scenario  test
    evidence  inferred

    model
      Note
        title  string?\(mark)

    stack\(time)
      store  main
    \(stack)

    steps
    \(steps)

    claims
      succeeded

    """
  return try written(text)
}

/// Returns a designed stack without a program.
package func designedStack(_ stack: String) throws -> Stack {
  try design(stack, "  view  save").program.stack
}

/// Returns the first schedule with this failure, of those that begin in one of 256 ways.
/// - Parameter time: The duration of requests, such as "read 2".
package func failingRun(
  _ kind: FailureKind, _ stack: String, _ steps: String, mark: String = "",
  isInterleaved: Bool = false, time: String? = nil
) throws -> FailingRun {
  var (program, configuration) = try design(
    stack, steps, mark: mark, time: time.map { "\n  time  \($0)" } ?? "")
  program.isInterleaved = isInterleaved
  for bits in 0..<(isInterleaved ? 256 : 1) {
    program.schedule = isInterleaved ? (0..<8).map { UInt32(bits >> $0 & 1) } : []
    let outcome = ProgramRunner(configuration).run(program)
    if let failure = outcome.failures.first(where: { $0.kind == kind }) {
      return FailingRun(program: program, configuration: configuration, failure: failure)
    }
  }
  throw UnreadableModel(message: "no schedule shows \(kind)")
}
