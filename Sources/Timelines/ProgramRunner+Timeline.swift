package import Execution

extension ProgramRunner {
  /// Runs a program that is written down, and draws what happened.
  package func timeline(of program: Program) -> (Outcome, Timeline) {
    let (outcome, run) = record(program)
    return (outcome, Timeline(of: run, outcome))
  }
}
