package import Vocabulary

/// Steps of the driver that no other lane can interrupt. Their turns are the same, but need no
/// work.
extension ReferenceLanes {
  /// The progress of such a step.
  struct Alone: Sendable {
    /// Nil if no such step is running.
    var step: AddressedStep?
    var queue = 0
    /// The phase of a save that is performed next.
    var phase = Phase.whole
    /// True if no action remains.
    var isAtEnd = false
    var isPerformed = false

    // A pattern: `!= nil` copies the step.
    var isOn: Bool { if case .some = step { true } else { false } }

    /// Moves on to the action after this phase.
    mutating func goOn() {
      if let next = phase.next { phase = next } else { isAtEnd = true }
    }
  }

  /// Takes the queue of the step's context for the program's thread. Returns false, without an
  /// effect, if the thread has other work or the queue is not free.
  package mutating func beginAlone(_ step: AddressedStep) -> Bool {
    let queue = queue(of: step.context)
    guard lanes[driver].work.isEmpty, lanes[driver].awaited == nil, queues[queue].isFree else {
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

  /// Takes a queue that the action needs, nearest first. Returns false if the thread has to wait.
  /// §perform-action.2
  package mutating func takeAlone(_ queue: Int) -> Bool {
    lanes[driver].needs.append(queue)
    return take(queue, driver, isReentrant: true)
  }

  /// Performs the action of the thread. Returns false if that is another action.
  package mutating func performAlone(_ action: Action) -> Bool {
    guard let next = actionAlone, next == action else { return false }
    alone.isPerformed = true
    alone.goOn()
    return true
  }

  /// The turn that the thread should take.
  package var turnAlone: Turn { actionAlone.map { .performs($0) } ?? .nothing }

  private var actionAlone: Action? {
    guard let step = alone.step, !alone.isAtEnd else { return nil }
    return switch alone.phase {
    case .whole, .flush: action(step, Place(context: step.context))
    case let phase: .step(step, phase)
    }
  }

  /// Releases the queues of the action. §perform-action.9
  package mutating func releaseAlone() {
    guard alone.isOn else { return }
    alone.isPerformed = false
    release(lanes[driver].needs.count, of: driver)
  }

  /// Ends the step, and releases the queue of its context. §perform-and-wait.3
  package mutating func endAlone() {
    guard alone.isOn else { return }
    alone.step = nil
    release(alone.queue)
  }

  /// Turns the rest of the step, if any, into work.
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
