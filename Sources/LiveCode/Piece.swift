import ObjectModel
import SimulatedDispatch
import Vocabulary

/// A piece of an app's code that a lane runs: the body of the run, or a block on a queue.
package final class Piece: @unchecked Sendable {
  package let number: Int
  /// The context whose event ends with it: that of a `perform` block.
  let event: ContextID?
  /// Where the code was handed over, as `File.swift:12`; empty if that is not known. Of a task, its
  /// name, which is known once the task runs.
  package internal(set) var origin: String
  /// The call of a function of the app that has set it off.
  var call: Int?
  /// Whether it is what a task does up to its next suspension.
  let isTask: Bool
  /// Nil once it has run.
  var body: (() -> Void)?
  /// Nil until its turn comes.
  var lane: LaneID?
  var thread: PooledThread?
  /// The queue that it has asked for and not got.
  var awaited: QueueID?
  /// What the last action that it asked for came to.
  var events: [Event] = []
  /// The number that its last action has read.
  var lastRead: Reading?
  /// What it has got hold of: it stays alive until the piece ends, as in an autorelease pool, so
  /// that no optimisation decides when an object goes.
  var pool: [AnyObject] = []

  init(
    _ number: Int, event: ContextID? = nil, origin: String = "", isTask: Bool = false,
    body: @escaping () -> Void
  ) {
    self.number = number
    self.event = event
    self.origin = origin
    self.isTask = isTask
    self.body = body
  }

  func drainPool() {
    while !pool.isEmpty {
      // Taken out first: what goes may add to it.
      let objects = pool
      pool = []
      withExtendedLifetime(objects) {}
    }
  }
}

/// A number that code has read.
struct Reading {
  let instance: HeldInstance
  let property: PropertyID
  let number: Int64

  init?(_ step: AddressedStep, _ events: [Event]) {
    guard case .get(let name, let property, as: _) = step.step,
      case .value(.integer(let number))? = events.last
    else { return nil }
    instance = HeldInstance(step.context, name)
    self.property = property
    self.number = number
  }

  /// Whether the step sets the number that follows.
  func isCountedUp(by step: AddressedStep) -> Bool {
    guard case .set(let name, property, .integer(let new)) = step.step else { return false }
    return HeldInstance(step.context, name) == instance && number < .max && new == number + 1
  }
}
