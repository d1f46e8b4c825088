package import Vocabulary

/// A step of the program's thread that nothing can come between: the same turns without deeds.
extension ReferenceLanes {
  /// Where such a step has come to.
  struct Alone: Sendable {
    /// Nil if there is no such step.
    var step: AddressedStep?
    var queue = 0
    /// What is performed next: of a save, the phase.
    var phase = Phase.whole
    /// Nothing is performed any more.
    var isAtEnd = false
    var isPerformed = false

    // A pattern: `!= nil` copies the step.
    var isOn: Bool { if case .some = step { true } else { false } }

    /// What is performed after this phase.
    mutating func goOn() {
      if let next = phase.next { phase = next } else { isAtEnd = true }
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
    alone.step = step
    alone.queue = queue
    if case .save = step.step { alone.phase = .flush } else { alone.phase = .whole }
    alone.isAtEnd = false
    alone.isPerformed = false
    return true
  }

  /// It takes a queue that its action needs, nearest first. False if it has to wait for it.
  package mutating func takeAlone(_ queue: Int) -> Bool {
    lanes[driver].needs.append(queue)
    return take(queue, driver, isReentrant: true)
  }

  /// It performs its action: whether that is this one.
  package mutating func performAlone(_ action: Action) -> Bool {
    guard let next = actionAlone, next == action else { return false }
    alone.isPerformed = true
    alone.goOn()
    return true
  }

  /// What it should perform.
  package var turnAlone: Turn { actionAlone.map { .performs($0) } ?? .nothing }

  private var actionAlone: Action? {
    guard let step = alone.step, !alone.isAtEnd else { return nil }
    return switch alone.phase {
    case .whole, .flush: action(step, Place(context: step.context))
    case let phase: .step(step, phase)
    }
  }

  /// The queues of the action go back.
  package mutating func releaseAlone() {
    guard alone.isOn else { return }
    alone.isPerformed = false
    release(lanes[driver].needs.count, of: driver)
  }

  /// The step is over.
  package mutating func endAlone() {
    guard alone.isOn else { return }
    alone.step = nil
    release(alone.queue)
  }

  /// The rest of the step, if there is one, is left to turns.
  package mutating func leaveToTurns() {
    guard let step = alone.step else { return }
    let action = actionAlone
    alone.step = nil
    let place = Place(context: step.context)
    var block = Block([step], place)
    block.next = 1
    push(.giveBack(alone.queue, block.steps, place), driver)
    push(.block(block), driver)
    if alone.isPerformed {
      push(.release(lanes[driver].needs.count, next: action), driver)
    } else if let action {
      push(.act(action), driver)
    }
  }
}
