/// What a property says about one case. A property is a function `(inout Choices) -> Verdict`.
package enum Verdict<Failure> {
  case passed
  case failed(Failure)
  /// The case was not one the property speaks of, such as a list that breaks an assumption.
  case discarded
}

extension Verdict: Sendable where Failure: Sendable {}
extension Verdict: Equatable where Failure: Equatable {}

/// Says which failures are one bug, so that a shrinker never trades one bug for another.
///
/// The identity names the claim that broke and the kind of breach, never values of the case: those
/// change while it shrinks.
package protocol IdentifiedFailure {
  associatedtype Key: Hashable = String

  var identity: String { get }
  /// Equal for failures of equal identity, and for no others: what a campaign counts them by.
  var key: Key { get }
}

extension IdentifiedFailure where Key == String {
  package var key: String { identity }
}

extension String: IdentifiedFailure {
  package var identity: String { self }
}
