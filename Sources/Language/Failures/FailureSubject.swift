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

  /// The kind of rule by which a model can express the promise, if any.
  package var modelRule: String? {
    guard let words = promise?.split(separator: " ") else { return nil }
    return switch words.first(where: { $0 != "eventually" }) {
    case "unique": "a uniqueness constraint"
    case "every": "a validation rule or a delete rule"
    default: nil
    }
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
