package import Failures

/// Tests write kinds by name.
extension FailureKind: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) {
    guard let kind = FailureKind(name) else {
      preconditionFailure("no failure is called '\(name)'")
    }
    self = kind
  }
}

/// Tests write a kind for all failures of that kind.
extension FailureSignature: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(FailureKind(stringLiteral: name)) }
}
