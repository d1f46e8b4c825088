/// The block of a step, and the app-defined objects that the step uses.
extension Step {
  /// The steps of the block, or `nil` for a step without a block.
  package var block: [AddressedStep]? {
    switch self {
    case .perform(let steps), .performAndWait(let steps), .performBackgroundTask(let steps),
      .directly(let steps), .async(_, let steps), .sync(_, let steps), .when(_, let steps),
      .trying(let steps), .notify(_, let steps):
      steps
    default: nil
    }
  }

  /// The app flag that the step sets, or tests before its block.
  package var flag: FlagID? {
    switch self {
    case .setFlag(let flag, _): flag
    case .when(let condition, _): condition.flag
    default: nil
    }
  }

  /// The dispatch group that the step enters, leaves or waits for.
  package var group: GroupID? {
    switch self {
    case .enter(let group), .leave(let group), .wait(let group), .notify(let group, _): group
    default: nil
    }
  }

  /// A Boolean value that indicates whether the step uses a flag or a group, which no queue
  /// protects.
  package var isUnprotected: Bool { flag != nil || group != nil }

  package func withBlock(_ steps: [AddressedStep]) -> Step {
    switch self {
    case .perform: .perform(steps)
    case .performAndWait: .performAndWait(steps)
    case .performBackgroundTask: .performBackgroundTask(steps)
    case .directly: .directly(steps)
    case .async(let queue, _): .async(queue, steps)
    case .sync(let queue, _): .sync(queue, steps)
    case .when(let condition, _): .when(condition, steps)
    case .trying: .trying(steps)
    case .notify(let group, _): .notify(group, steps)
    default: self
    }
  }
}

extension AddressedStep {
  /// Returns this step without the steps in its block for which `isToGo` is true. Returns `nil` if
  /// `isToGo` is true for the step itself.
  package func without(_ isToGo: (Step) -> Bool) -> AddressedStep? {
    if isToGo(step) { return nil }
    guard let block = step.block else { return self }
    return AddressedStep(context, step.withBlock(block.compactMap { $0.without(isToGo) }))
  }
}
