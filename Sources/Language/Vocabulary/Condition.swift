/// The condition of a `when` step, which stands for an `if` in app code.
package struct Condition: Hashable, Sendable {
  package enum Question: Hashable, Sendable {
    /// The context of the step has changes.
    case hasChanges
    /// `Thread.isMainThread` is true: the lane holds the main queue.
    case onMainThread
    case offMainThread
    /// The latest fetch or count of the lane found an object. False before the first.
    case found
    /// An app flag is raised.
    case isRaised(FlagID)
  }

  package var question: Question
  /// A Boolean value that indicates whether the condition holds when the answer is no.
  package var isNegated: Bool

  package init(_ question: Question, isNegated: Bool = false) {
    self.question = question
    self.isNegated = isNegated
  }

  /// A Boolean value that indicates whether the answer depends on the thread that asks.
  package var asksForThread: Bool { question == .onMainThread || question == .offMainThread }

  /// The flag that the condition tests, if any.
  package var flag: FlagID? {
    if case .isRaised(let flag) = question { flag } else { nil }
  }
}
