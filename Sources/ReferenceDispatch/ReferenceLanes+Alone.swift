package import Vocabulary

/// A step of the program's thread that nothing can come between: the same turns without deeds.
extension ReferenceLanes {
  /// Where such a step has come to.
  struct Alone: Sendable {
    let step: AddressedStep
    let queue: Int
    /// What is performed next; nil if the step is at its end.
    var action: Action?
    var isPerformed = false
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
    let action = action(step, Place(context: step.context))
    alone = Alone(step: step, queue: queue, action: action)
    return true
  }

  /// It takes a queue that its action needs, nearest first. False if it has to wait for it.
  package mutating func takeAlone(_ queue: Int) -> Bool {
    lanes[driver].needs.append(queue)
    return take(queue, driver, isReentrant: true)
  }

  /// It performs its action: whether that is this one.
  package mutating func performAlone(_ action: Action) -> Bool {
    guard let next = alone?.action, next == action else { return false }
    alone?.isPerformed = true
    alone?.action = next.nextPhase
    return true
  }

  /// What it should perform.
  package var turnAlone: Turn { alone?.action.map { .performs($0) } ?? .nothing }

  /// The queues of the action go back.
  package mutating func releaseAlone() {
    if alone == nil { return }
    alone?.isPerformed = false
    release(lanes[driver].needs.count, of: driver)
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
    var block = Block([alone.step], place)
    block.next = 1
    push(.giveBack(alone.queue, block.steps, place), driver)
    push(.block(block), driver)
    if alone.isPerformed {
      push(.release(lanes[driver].needs.count, next: alone.action), driver)
    } else if let action = alone.action {
      push(.act(action), driver)
    }
  }
}
