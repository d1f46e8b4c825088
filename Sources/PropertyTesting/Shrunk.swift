package import Determinism

/// What shrinking led to.
package struct Shrunk<Failure> {
  /// The simplest recording found, without trailing zeros.
  package var recording: Choices.Recording
  /// Its size in the order of simplicity.
  package var size: Int
  package var failure: Failure
  package var statistics: ShrinkStatistics
  /// Other failures met on the way, the first recording of each identity: bugs of their own.
  package var slips: [Slip<Failure>]
}

extension Shrunk: Sendable where Failure: Sendable {}

/// A failure of another identity that an edit ran into.
package struct Slip<Failure> {
  package var identity: String
  package var recording: Choices.Recording
  package var failure: Failure
}

extension Slip: Sendable where Failure: Sendable {}

/// What shrinking cost, in executions of the property.
package struct ShrinkStatistics: Hashable, Sendable {
  package enum Stop: Hashable, Sendable {
    /// No pass can make the recording simpler.
    case normal
    /// An edit was left untried because the budget was spent.
    case budget
  }

  package struct PassCount: Hashable, Sendable {
    package var pass: ShrinkPass
    package var tries = 0
    package var successes = 0
  }

  /// Runs of the property, the first, which only confirms the failure, included.
  package var executions = 0
  /// Runs until the result was found; those after it only showed that nothing simpler is near.
  package var executionsToBest = 0
  /// Edits that made the recording simpler.
  package var successes = 0
  package var stop = Stop.normal
  /// One for every pass, in the order of `ShrinkPass`.
  package var passes = ShrinkPass.allCases.map { PassCount(pass: $0) }

  mutating func note(_ pass: ShrinkPass, since before: ShrinkStatistics) {
    passes[pass.rawValue].tries += executions - before.executions
    passes[pass.rawValue].successes += successes - before.successes
  }
}
