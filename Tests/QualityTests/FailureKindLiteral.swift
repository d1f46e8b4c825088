import Failures

/// Kinds as tests write them: by name.
extension FailureKind: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) {
    guard let kind = FailureKind(name) else {
      preconditionFailure("no failure is called '\(name)'")
    }
    self = kind
  }
}
