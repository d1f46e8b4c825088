package import Determinism

/// Who goes next. One policy a run.
///
/// A replay is not a policy of its own: `random` with recorded choices is the replay, and `random`
/// with choices that have run out does what `inOrder` does.
package enum SchedulingPolicy: Hashable, Sendable {
  /// The lane that ran last while it can run, then the one with the lowest id, and the driver only
  /// when nobody else can.
  case inOrder
  /// Each lane that can run is equally likely.
  case random

  /// One of the lanes that can run; there must be one. The `driver` is the thread that feeds the
  /// world and lets it settle first: of the alternatives it comes last.
  package func choose<Frame>(
    among dispatcher: Dispatcher<Frame>, driver: LaneID, choices: inout Choices
  ) -> LaneID {
    let ready = dispatcher.ready
    let count = ready.count
    precondition(count > 0, "nobody can run")
    switch self {
    case .random where count > 1:
      let choice = choices.draw(below: count, from: .schedule)
      return ready.alternative(choice, driver: driver)
    case .inOrder, .random:
      return ready.alternative(0, driver: driver)
    }
  }

  /// All lanes that can run, each at the position by which `random` chooses it.
  package static func alternatives<Frame>(
    in dispatcher: Dispatcher<Frame>, driver: LaneID
  ) -> [LaneID] {
    (0..<dispatcher.ready.count).map { dispatcher.ready.alternative($0, driver: driver) }
  }
}
