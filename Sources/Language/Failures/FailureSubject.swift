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

  /// The statement of a promise, by the words that it has in a stack.
  package enum Statement {
    case unique, every, count, sum
    case clean, savesOnly, keeps
    case showsStore, announcesOnce
  }

  /// The statement of the broken promise.
  package var statement: Statement? {
    guard var words = promise?.split(separator: " ")[...] else { return nil }
    if words.first == "eventually" { words = words.dropFirst() }
    // An entry point or a context can have the name of a keyword.
    switch words.dropFirst().first {
    case "saves": return .savesOnly
    case "keeps": return .keeps
    case "shows": return .showsStore
    default: break
    }
    return switch words.first {
    case "unique": .unique
    case "every": .every
    case "count": .count
    case "sum": .sum
    case "clean": .clean
    case "no": .announcesOnce
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
