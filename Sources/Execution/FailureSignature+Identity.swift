package import Failures
import PropertyTesting

/// Campaigns over choices tell failures apart by text.
extension FailureSignature: IdentifiedFailure {
  package var identity: String { text }
}
