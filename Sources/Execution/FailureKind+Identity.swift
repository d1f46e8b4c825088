package import Failures
import PropertyTesting

/// Campaigns over choices tell failures apart by name.
extension FailureKind: IdentifiedFailure {
  package var identity: String { name }
}
