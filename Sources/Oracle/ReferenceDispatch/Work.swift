import Vocabulary

/// A piece of work that a lane still has to do, in one turn each. The last of a list comes first.
enum Work: Sendable {
  /// A step that begins.
  case begin(AddressedStep, Place)
  /// A block, with a turn for each remaining step and one for its end. §run-block
  case block(Block)
  /// A wait for a queue. A wait that is not reentrant waits even if its lane owns the queue.
  case take(Int, isReentrant: Bool)
  /// The end of a wait for a queue, and the steps that the wait has held.
  case giveBack(Int, [AddressedStep], Place)
  /// An action whose queues are not known yet.
  case act(Action)
  /// An action with the number of queues that it needs, which are the last of `Lane.needs`, and the
  /// number that the lane has asked for.
  case acting(Action, needs: Int, asked: Int)
  /// The end of an action: its queues are released, and a save continues with its next phase.
  case release(Int, next: Action?)
  /// The call of an observer, by number, with the number of a save.
  case call(Int, delivered: Int?)
  /// The end of a delivery, after all observers were called.
  case endDelivery(ContextID)
  /// The end of a notification, a sleep, or a wait for a group.
  case rest
}

/// Steps that a lane runs one after the other.
struct Block: Sendable {
  let steps: [AddressedStep]
  let place: Place
  let kind: Kind
  /// The step that comes next.
  var next = 0

  init(_ steps: [AddressedStep], _ place: Place, _ kind: Kind = .plain) {
    (self.steps, self.place, self.kind) = (steps, place, kind)
  }

  enum Kind: Sendable {
    case plain
    /// A `perform` block, after which an event of the context ends.
    case event
    /// The block of a `try`.
    case trying
    /// The block of an entry point, which throws nothing.
    case called
  }
}

/// The place of a step: the context and the marks of its block.
struct Place: Sendable {
  /// The context of the block. Nil on a queue of the app, and outside of blocks.
  var context: ContextID?
  var delivered: Int?
  /// True if the block is direct (CC-12).
  var isDirect = false
  /// True if the block holds no context.
  var holdsNothing = false

  /// Returns the place of the steps of a block for `context` that begins here.
  func inside(_ context: ContextID?) -> Place { Place(context: context, delivered: delivered) }
}

extension Work {
  /// Returns true if the work holds `context`: a block holds the contexts of its steps still to
  /// come (CC-19). §release-context.1
  func holds(_ context: ContextID) -> Bool {
    switch self {
    case .begin(let step, let place):
      !place.holdsNothing && step.contains { $0.context == context }
    case .block(let block):
      !block.place.holdsNothing
        && block.steps[block.next...].contains { step in step.contains { $0.context == context } }
    case .giveBack(_, let steps, let place):
      !place.holdsNothing
        && steps.contains { step in step.contains { $0.context == context } }
    case .take, .act, .acting, .release, .call, .endDelivery, .rest: false
    }
  }
}
