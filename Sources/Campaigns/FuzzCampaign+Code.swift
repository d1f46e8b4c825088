package import Diagnosis
package import Execution
package import Failures
import Generation
import Invariants
import ObjectModel
import Shrinking
import Vocabulary

/// Failures of an app's code, as programs that code was recorded as.
extension FuzzCampaign {
  /// How a recorded program fails: sliced, diagnosed, shrunk and explained as the failures of
  /// generated programs are. Without a certificate it is shrunk in a hurry.
  package func describe(
    _ target: FailureSignature, recordedAs program: Program, isCertified: Bool
  ) -> FailureReport {
    describe(
      lead(target, program).diagnosed(), uncertified: isCertified ? nil : .unsearched
    ).failure
  }

  /// The key of the finding that a recorded program shows, as far as a slice of it tells.
  package func key(of target: FailureSignature, recordedAs program: Program) -> FindingKey {
    let (sliced, result) = lead(target, program).shrunk(by: [.truncate])
    return sliced.diagnosed(result.outcome).blame.key
  }

  private func lead(_ target: FailureSignature, _ program: Program) -> Lead {
    Lead(
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
    // The stack is the code's own: another would fail for a reason that the code does not have.
    configuration.stack = program.stack
    configuration.stepFilter = StepFilter().forDesign(allowing: [])
    configuration.keepsSubjects = true
    configuration.bugs = PlantedBugSet(settings.bugs)
    configuration.checkLevel = .code
    configuration.admitsForeignIDs = false
    // Code that passes temporary IDs on fails by them.
    configuration.admitsForeignIDs =
      !ProgramRunner(configuration).run(program).fails(as: target)
    return configuration
  }
}
