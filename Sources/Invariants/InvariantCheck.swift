import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The check of an invariant, or of several that judge the same events, with everything that it
/// remembers of the run.
///
/// `InvariantChecks.list` has every check, in the order in which they are asked. A check reads the
/// world and the notes that checks share (`RunNotes`), and never another check.
protocol InvariantCheck: Hashable {
  /// The invariants that the check reports. A search for a violation of one of them tells states
  /// apart by the memory of the check.
  static var invariants: [Invariant] { get }
  /// The signs of the actions that the check has to see.
  static var signs: EventSigns { get }
  /// A Boolean value that indicates whether the check looks at turns in which no action is
  /// performed.
  static var followsTurns: Bool { get }
  /// A Boolean value that indicates whether there is nothing in the stack that the check judges. It
  /// sees no action then.
  var isIdle: Bool { get }

  /// Notes what an action did, and adds the violations that it shows.
  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation])
  /// Takes back violations that later events may explain. Called with what all checks have found.
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation])
  /// The violations that were taken back and that nothing has explained by the end of the run.
  var held: [Violation] { get }
  /// Adds the violations that show when every lane has come to rest.
  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation])
  /// Adds the violations that show when the run ends, at rest or not.
  func checkAtEnd(in world: World, _ found: inout [Violation])

  /// Called after every turn of a lane, if the check follows turns.
  mutating func followTurn(of lane: LaneID, in world: World)
  /// Called after the clock was moved, if the check follows turns.
  mutating func followClock(in world: World, submitted: AddressedStep?)
  /// Makes room for contexts that code has created.
  mutating func grow(contextCount: Int)
  /// Looks at the next occasion at everything, not only at what actions can have changed.
  mutating func lookAtEverything()

  /// Feeds everything that decides which violations the check will report.
  func hashMemory(in world: World, into hasher: inout Hasher)
}

extension InvariantCheck {
  static var signs: EventSigns { .everyAction }
  static var followsTurns: Bool { false }
  var isIdle: Bool { false }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {}
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation]) {}
  var held: [Violation] { [] }
  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {}
  func checkAtEnd(in world: World, _ found: inout [Violation]) {}

  mutating func followTurn(of lane: LaneID, in world: World) {}
  mutating func followClock(in world: World, submitted: AddressedStep?) {}
  mutating func grow(contextCount: Int) {}
  mutating func lookAtEverything() {}

  func hashMemory(in world: World, into hasher: inout Hasher) { hasher.combine(self) }
}
