package import Diagnosis
package import Execution
package import Failures
import Generation
import Invariants
import ObjectModel
import Shrinking
import Vocabulary

/// Failures of an app's code, recorded as programs.
extension FuzzCampaign {
  /// Returns a report of how a recorded program fails. The program is diagnosed, shrunk and
  /// explained like a generated program. If `isCertified` is false, it is shrunk only briefly.
  package func describe(
    _ target: FailureSignature, recordedAs program: Program, isCertified: Bool
  ) -> FailureReport {
    describe(
      bucket(target, program).diagnosed(), uncertified: isCertified ? nil : .unsearched
    ).failure
  }

  /// Returns the key of the finding that a recorded program shows, according to the truncated
  /// program.
  package func key(of target: FailureSignature, recordedAs program: Program) -> FindingKey {
    let (sliced, result) = bucket(target, program).shrunk(by: [.truncate])
    return sliced.diagnosed(result.outcome).blame.key
  }

  private func bucket(_ target: FailureSignature, _ program: Program) -> FailureBucket {
    FailureBucket(
      failure: target, runs: RunSet(), program: program,
      origin: Origin(
        seed: RunSeed(settings.seed), source: .generated,
        configuration: configuration(for: program, failingAs: target)))
  }

  private func configuration(
    for program: Program, failingAs target: FailureSignature
  ) -> RunConfiguration {
    var configuration = RunConfiguration(model: program.model, quirks: settings.quirks)
    configuration.tables = RunTables(program.model)
    // Use the stack of the code. On another stack the program would fail for reasons that the code
    // does not have.
    configuration.stack = program.stack
    configuration.stepFilter = StepFilter().forDesign(allowing: [])
    configuration.keepsSubjects = true
    configuration.bugs = PlantedBugSet(settings.bugs)
    configuration.checkLevel = .code
    configuration.admitsForeignIDs = false
    // Admit temporary IDs of other contexts only if the failure of the code depends on them.
    configuration.admitsForeignIDs =
      !ProgramRunner(configuration).run(program).fails(as: target)
    return configuration
  }
}
