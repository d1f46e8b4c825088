import Vocabulary

/// What a lane still has to do: one turn each. The last of a list comes first.
enum Deed: Sendable {
  /// A step begins.
  case begin(AddressedStep, Place)
  /// A block: a turn for each step that is left, and one for its end.
  case block(Block)
  /// A wait for a queue. One that is not reentrant waits for its own lane, too.
  case take(Int, isReentrant: Bool)
  /// A wait is over, with these steps, which it has held.
  case giveBack(Int, [AddressedStep], Place)
  /// An action, before it is known which queues it needs.
  case act(Action)
  /// An action that needs so many queues, of which the lane has asked for some. They are the last
  /// of `Lane.needs`.
  case acting(Action, needs: Int, asked: Int)
  /// The action is performed: so many queues go back, and a save goes on with its next phase.
  case release(Int, next: Action?)
  /// An observer is called, by number, with the notification of a save.
  case call(Int, delivered: Int?)
  /// All observers were called: what notifications held of a context may go.
  case endDelivery(ContextID)
  /// A notification is over, a sleep, or a wait for a group.
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
    /// A `perform` block: an event of the context ends after it.
    case event
    /// A `do` in which each call is tried.
    case trying
    /// A function of the app that throws nothing.
    case called
  }
}

/// Where a step stands: what its block is about.
struct Place: Sendable {
  /// The context of the block; nil on a queue of the app, and outside blocks.
  var context: ContextID?
  /// The save that `delivered` means.
  var delivered: Int?
  /// Whether the steps run on the lane as it is (CC-12).
  var isDirect = false
  /// Whether the block keeps no context that others let go of.
  var holdsNothing = false

  /// The place of the steps of a block for `context` that begins here.
  func inside(_ context: ContextID?) -> Place { Place(context: context, delivered: delivered) }
}

extension Deed {
  /// Whether it keeps `context`: a block holds the contexts that it has steps for (CC-19).
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
