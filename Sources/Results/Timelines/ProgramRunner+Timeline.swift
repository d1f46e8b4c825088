package import Execution

extension ProgramRunner {
  /// Runs a given program, and returns its outcome and its timeline.
  package func timeline(of program: Program) -> (Outcome, Timeline) {
    let (outcome, run) = record(program)
    return (outcome, Timeline(of: run, outcome))
  }
}
