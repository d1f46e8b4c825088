package import Failures
import PropertyTesting

/// Campaigns over choices tell failures apart by text.
extension FailureSignature: IdentifiedFailure {
  package var identity: String { text }
  /// The signature itself: looking it up is faster than making its text.
  package var key: FailureSignature { self }
}
