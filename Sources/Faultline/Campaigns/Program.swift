package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// Everything that a run was: what a failure is replayed, shrunk and printed from.
package struct Program: Hashable {
  package var model: ObjectModel
  package var stack: Stack
  package var names: [String]
  package var steps: [AddressedStep]
  /// What the scheduler chose where it had a choice; empty for file order.
  package var schedule: [UInt32]
  /// Whether lanes may overtake each other at all.
  package var isInterleaved: Bool

  package init(
    model: ObjectModel, stack: Stack, names: [String], steps: [AddressedStep],
    schedule: [UInt32] = [], isInterleaved: Bool = false
  ) {
    self.model = model
    self.stack = stack
    self.names = names
    self.steps = steps
    self.schedule = schedule
    self.isInterleaved = isInterleaved
  }
}

/// What a run came to.
package struct Outcome {
  package var program: Program
  package var digest: UInt64
  package var stepCount: Int
  package var wastedStepCount: Int
  /// The rare branches of the engine that the run went through.
  package var marks: MarkSet
  package var disagreement: Disagreement?
  package var violations: [Violation]
  /// The longest that anybody had the main queue, in milliseconds of virtual time.
  package var longestMainQueueHold: Int
  /// For how much of the run somebody had the main queue, likewise.
  package var mainQueueOccupancy: Int

  /// What went wrong, each once, in order of appearance.
  package var identities: [String] {
    var result = disagreement.map { [$0.identity] } ?? []
    for violation in violations where !result.contains(violation.kind) {
      result.append(violation.kind)
    }
    return result
  }
}
