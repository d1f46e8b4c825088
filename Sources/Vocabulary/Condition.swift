/// What a step of an app's own code asks before it goes on.
package struct Condition: Hashable, Sendable {
  package enum Question: Hashable, Sendable {
    /// `hasChanges` of the step's context.
    case hasChanges
    /// `Thread.isMainThread`: whether the lane has the main queue.
    case onMainThread
    case offMainThread
    /// The latest fetch or count of the lane has found an object. False before the first.
    case found
    /// Whether a flag of the app is raised.
    case isRaised(FlagID)
  }

  package var question: Question
  /// Whether the answer has to be no.
  package var isNegated: Bool

  package init(_ question: Question, isNegated: Bool = false) {
    self.question = question
    self.isNegated = isNegated
  }

  /// Whether the answer depends on the thread that asks.
  package var asksForThread: Bool { question == .onMainThread || question == .offMainThread }

  /// The flag that it asks for.
  package var flag: FlagID? {
    if case .isRaised(let flag) = question { flag } else { nil }
  }
}
