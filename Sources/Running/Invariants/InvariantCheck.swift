import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The check of an invariant, or of several invariants that judge the same events, with its memory
/// of the run.
///
/// `InvariantChecks.list` contains every check, in the order in which they run. A check reads the
/// world and the shared notes (`RunNotes`), and never another check.
protocol InvariantCheck: Hashable {
  /// The invariants that the check reports. A search for a violation of one of them distinguishes
  /// states by the check's memory.
  static var invariants: [Invariant] { get }
  /// The signs of the actions that the check must see.
  static var signs: EventSigns { get }
  /// A Boolean value that indicates whether the check examines turns without an action.
  static var followsTurns: Bool { get }
  /// A Boolean value that indicates whether the stack has nothing that the check judges. Then the
  /// check sees no actions.
  var isIdle: Bool { get }

  /// Notes an action, and adds the violations that it shows.
  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation])
  /// Withdraws violations that later events may explain. Called with the violations of all checks.
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation])
  /// The withdrawn violations that nothing has explained by the end of the run.
  var held: [Violation] { get }
  /// Adds the violations that show when every lane is at rest.
  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation])
  /// Adds the violations that show when the run ends, at rest or not.
  func checkAtEnd(in world: World, _ found: inout [Violation])

  /// Called after every turn of a lane, if the check follows turns.
  mutating func followTurn(of lane: LaneID, in world: World)
  /// Called after the clock has moved, if the check follows turns.
  mutating func followClock(in world: World, submitted: AddressedStep?)
  /// Extends the memory to contexts that code has created.
  mutating func grow(contextCount: Int)
  /// Makes the next check examine every object, not only those that actions touched.
  mutating func lookAtEverything()

  /// The texts of the promises of the stack that the run has tested.
  var testedPromises: [String] { get }
  /// Feeds everything that decides which violations the check will report.
  func hashMemory(in world: World, into hasher: inout Hasher)
}

extension InvariantCheck {
  static var signs: EventSigns { .everyAction }
  static var followsTurns: Bool { false }
  var isIdle: Bool { false }
  var testedPromises: [String] { [] }

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
