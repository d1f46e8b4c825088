package import Vocabulary

/// The promise that a failure breaks, or the error of the save that fails. Failures of one kind
/// with different subjects are different findings.
package enum FailureSubject: Hashable, Sendable {
  /// The text of the broken promise.
  case promise(String)
  case error(ErrorCode)

  package var promise: String? {
    if case .promise(let text) = self { text } else { nil }
  }

  package var error: ErrorCode? {
    if case .error(let code) = self { code } else { nil }
  }

  /// The subject in words, such as `promise 'unique Note.title'`.
  package var text: String {
    switch self {
    case .promise(let text): "promise '\(text)'"
    case .error(let code): code.name
    }
  }
}
