import SimulatedDispatch
import Vocabulary

/// A piece of an app's code that a lane runs: the body of the run, or a block on a queue.
package final class Piece: @unchecked Sendable {
  package let number: Int
  /// The context whose event ends with it: that of a `perform` block.
  let event: ContextID?
  /// Where the code was handed over, as `File.swift:12`; empty if that is not known.
  package let origin: String
  /// Nil once it has run.
  var body: (() -> Void)?
  /// Nil until its turn comes.
  var lane: LaneID?
  var thread: PooledThread?
  /// What the last action that it asked for came to.
  var events: [Event] = []
  /// What it has got hold of: it stays alive until the piece ends, as in an autorelease pool, so
  /// that no optimisation decides when an object goes.
  var pool: [AnyObject] = []

  init(
    _ number: Int, event: ContextID? = nil, origin: String = "", body: @escaping () -> Void
  ) {
    self.number = number
    self.event = event
    self.origin = origin
    self.body = body
  }
}
