package import Vocabulary

/// Events before a violation on which its remedy may depend.
package struct Happenings: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let save = Happenings(rawValue: 1)
  package static let batchRequest = Happenings(rawValue: 2)
  package static let rollback = Happenings(rawValue: 4)
  /// A store is removed or destroyed.
  package static let storeTaking = Happenings(rawValue: 8)
  /// A lane waits for a group.
  package static let groupWait = Happenings(rawValue: 16)

  /// An object or a row is deleted.
  package static let deletion = Happenings(rawValue: 32)
  /// An object is refreshed without merging.
  package static let refresh = Happenings(rawValue: 64)

  private static let all: [Happenings] = [
    .save, .batchRequest, .rollback, .storeTaking, .groupWait, .deletion, .refresh,
  ]

  /// Collects the happenings in the steps of a program and of its stack.
  package init(in steps: [AddressedStep], on stack: Stack) {
    let steps = steps + stack.ownSteps
    self = Happenings.all.filter { happening in
      steps.contains { $0.contains { happening.isBrought(by: $0.step) } }
    }.reduce([]) { $0.union($1) }
  }

  /// Returns a Boolean value that indicates whether the step brings about this happening.
  private func isBrought(by step: Step) -> Bool {
    switch (self, step) {
    case (.save, .save), (.batchRequest, .batch), (.rollback, .rollback),
      (.storeTaking, .removeStore), (.storeTaking, .destroyStore), (.groupWait, .wait),
      (.deletion, .delete), (.deletion, .forEach(_, .delete)):
      true
    case (.deletion, .batch(let request)): request.kind == .delete
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
