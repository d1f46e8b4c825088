/// The block of a step, and what runs in it.
extension Step {
  /// The steps of a `perform` or its kin.
  package var block: [AddressedStep]? {
    switch self {
    case .perform(let steps), .performAndWait(let steps), .performBackgroundTask(let steps),
      .directly(let steps), .async(_, let steps), .sync(_, let steps), .when(_, let steps),
      .trying(let steps), .notify(_, let steps):
      steps
    default: nil
    }
  }

  /// The flag of the app that it sets, or asks for before its block.
  package var flag: FlagID? {
    switch self {
    case .setFlag(let flag, _): flag
    case .when(let condition, _): condition.flag
    default: nil
    }
  }

  /// The group of the app that it enters, leaves or waits for.
  package var group: GroupID? {
    switch self {
    case .enter(let group), .leave(let group), .wait(let group), .notify(let group, _): group
    default: nil
    }
  }

  /// Whether it is about a variable or a group of the app, which no queue protects.
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
  /// This step, with no step in its block that is to go; nil if it is to go itself.
  package func without(_ isToGo: (Step) -> Bool) -> AddressedStep? {
    if isToGo(step) { return nil }
    guard let block = step.block else { return self }
    return AddressedStep(context, step.withBlock(block.compactMap { $0.without(isToGo) }))
  }
}
