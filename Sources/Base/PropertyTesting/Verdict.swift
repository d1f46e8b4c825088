/// The result of a property for one case. A property is a function `(inout Choices) -> Verdict`.
package enum Verdict<Failure> {
  case passed
  case failed(Failure)
  /// The property makes no claim about the case, for example because a list breaks an assumption.
  case discarded
}

extension Verdict: Sendable where Failure: Sendable {}
extension Verdict: Equatable where Failure: Equatable {}

/// A failure that identifies its bug, so that a shrinker never replaces one bug with another.
///
/// The identity names the broken claim and the kind of breach, but no values of the case, because
/// values change during shrinking.
package protocol IdentifiedFailure {
  associatedtype Key: Hashable = String

  var identity: String { get }
  /// A key that is equal exactly for failures with equal identities. A campaign counts failures by
  /// it.
  var key: Key { get }
}

extension IdentifiedFailure where Key == String {
  package var key: String { identity }
}

extension String: IdentifiedFailure {
  package var identity: String { self }
}
