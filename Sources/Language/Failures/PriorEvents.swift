package import Vocabulary

/// Events before a violation on which its remedy may depend.
package struct PriorEvents: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let save = PriorEvents(rawValue: 1)
  package static let batchRequest = PriorEvents(rawValue: 2)
  package static let rollback = PriorEvents(rawValue: 4)
  /// A store is removed or destroyed.
  package static let storeRemoval = PriorEvents(rawValue: 8)
  /// A lane waits for a group.
  package static let groupWait = PriorEvents(rawValue: 16)

  /// An object or a row is deleted.
  package static let deletion = PriorEvents(rawValue: 32)
  /// An object is refreshed without merging.
  package static let refresh = PriorEvents(rawValue: 64)
  /// A batch request inserts rows, and perhaps overwrites others.
  package static let batchInsertion = PriorEvents(rawValue: 128)

  private static let all: [PriorEvents] = [
    .save, .batchRequest, .rollback, .storeRemoval, .groupWait, .deletion, .refresh,
    .batchInsertion,
  ]

  /// Collects the events that steps of the program or of its stack cause.
  package init(in steps: [AddressedStep], on stack: Stack) {
    let steps = steps + stack.ownSteps
    self = PriorEvents.all.filter { event in
      steps.contains { $0.contains { event.isCaused(by: $0.step) } }
    }.reduce([]) { $0.union($1) }
  }

  /// Returns a Boolean value that indicates whether the step brings about this event.
  private func isCaused(by step: Step) -> Bool {
    switch (self, step) {
    case (.save, .save), (.batchRequest, .batch), (.rollback, .rollback),
      (.storeRemoval, .removeStore), (.storeRemoval, .destroyStore), (.groupWait, .wait),
      (.deletion, .delete), (.deletion, .forEach(_, .delete)):
      true
    case (.deletion, .batch(let request)): request.kind == .delete
    case (.batchInsertion, .batch(let request)): request.isInsertion
    case (.refresh, let step): step.dropsChanges
    default: false
    }
  }
}

extension Step {
  /// A Boolean value that indicates whether the step refreshes objects and drops their unsaved
  /// changes.
  package var dropsChanges: Bool {
    switch self {
    case .refresh(_, mergeChanges: false), .forEach(_, .refresh(mergeChanges: false)): true
    default: false
    }
  }
}
