package import Vocabulary

/// A step of the program's thread that nothing can come between: the same turns without deeds.
extension ReferenceLanes {
  /// Where such a step has come to.
  struct Alone: Sendable {
    let step: AddressedStep
    let queue: Int
    /// What is performed next; nil if the step is at its end.
    var action: Action?
    /// The queues that the action has taken, until it gives them back.
    var needs: [Int] = []
    var isPerformed = false

    init(_ step: AddressedStep, on queue: Int, _ action: Action) {
      (self.step, self.queue, self.action) = (step, queue, action)
    }
  }

  /// The thread takes the queue of the step's context; false, and nothing happens, if it has
  /// something else to do, or if the queue is not free.
  package mutating func beginAlone(_ step: AddressedStep) -> Bool {
    let queue = queue(of: step.context)
    guard lanes[driver].deeds.isEmpty, lanes[driver].awaited == nil, queues[queue].isFree else {
      return false
    }
    queues[queue].owner = driver
    queues[queue].holdCount = 1
    alone = Alone(step, on: queue, action(step, Place(context: step.context)))
    return true
  }

  /// It takes the queues that its action needs, and performs it.
  package mutating func performAlone(needing needs: [Int]) -> Turn {
    guard let action = alone?.action else { return .nothing }
    for queue in needs where !take(queue, driver, isReentrant: true) { return .waits }
    alone?.needs = needs
    alone?.isPerformed = true
    alone?.action = action.nextPhase
    return .performs(action)
  }

  /// The queues of the action go back.
  package mutating func releaseAlone() {
    guard let needs = alone?.needs else { return }
    alone?.needs = []
    alone?.isPerformed = false
    for queue in needs.reversed() { release(queue) }
  }

  /// The step is over.
  package mutating func endAlone() {
    guard let queue = alone?.queue else { return }
    alone = nil
    release(queue)
  }

  /// The rest of the step, if there is one, is left to turns.
  package mutating func leaveToTurns() {
    guard let alone else { return }
    self.alone = nil
    let place = Place(context: alone.step.context)
    push(.giveBack(alone.queue, [alone.step], place), driver)
    push(.endBlock(place, isEvent: false), driver)
    if alone.isPerformed {
      push(.release(alone.needs, next: alone.action), driver)
    } else if let action = alone.action {
      push(.act(action), driver)
    }
  }
}
