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

/// Failures of a kind, whatever else tells them apart.
extension FailureSignature: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(FailureKind(stringLiteral: name)) }
}
