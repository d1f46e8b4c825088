import Diagnosis
import Failures
import TestSupport

extension FailingRun {
  var cause: Cause? { Experiment(of: failure, in: program, configuration).cause }
  var part: DesignPart? { Experiment(of: failure, in: program, configuration).part(for: cause) }
  var text: String? { cause?.text(in: part) }
  var group: FailureGroup {
    FailureIdentity(failure.kind, cause).group(part: part, ways: failure.detail?.ways)
  }
}
