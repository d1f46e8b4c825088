package import Failures
import PropertyTesting

/// Campaigns over choices distinguish failures by text.
extension FailureSignature: IdentifiedFailure {
  package var identity: String { text }
  /// The signature itself, because a lookup by signature is faster than making its text.
  package var key: FailureSignature { self }
}
