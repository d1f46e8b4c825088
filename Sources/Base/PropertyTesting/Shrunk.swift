package import Determinism

/// The result of shrinking.
package struct Shrunk<Failure> {
  /// The simplest recording found, without trailing zeros.
  package var recording: Choices.Recording
  /// The size of `recording` in the order of simplicity.
  package var size: Int
  package var failure: Failure
  package var statistics: ShrinkStatistics
  /// Failures with other identities that edits caused, with the first recording of each identity.
  /// Each is a separate bug.
  package var slips: [Slip<Failure>]
}

extension Shrunk: Sendable where Failure: Sendable {}

/// A failure with another identity that an edit caused during shrinking.
package struct Slip<Failure> {
  package var identity: String
  package var recording: Choices.Recording
  package var failure: Failure
}

extension Slip: Sendable where Failure: Sendable {}

/// The cost of shrinking, in executions of the property.
package struct ShrinkStatistics: Hashable, Sendable {
  package enum Stop: Hashable, Sendable {
    /// No pass can make the recording simpler.
    case normal
    /// An edit was not tried because the budget was spent.
    case budget
  }

  package struct PassCount: Hashable, Sendable {
    package var pass: ShrinkPass
    package var tries = 0
    package var successes = 0
  }

  /// The number of executions of the property, including the first, which only confirms the
  /// failure.
  package var executions = 0
  /// The number of executions until the result was found. Later executions only showed that no edit
  /// makes it simpler.
  package var executionsToBest = 0
  /// The number of edits that made the recording simpler.
  package var successes = 0
  package var stop = Stop.normal
  /// The counts of each pass, in the order of `ShrinkPass`.
  package var passes = ShrinkPass.allCases.map { PassCount(pass: $0) }

  mutating func note(_ pass: ShrinkPass, since before: ShrinkStatistics) {
    passes[pass.rawValue].tries += executions - before.executions
    passes[pass.rawValue].successes += successes - before.successes
  }
}
