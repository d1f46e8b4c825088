package import Failures
import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Judges a run. After every action, the checks that look for its signs see the action, and the
/// violations get their signatures.
package struct InvariantChecks {
  private var checks: [any InvariantCheck]
  /// The signs of the actions that each check must see, indexed like `checks`.
  private var signs: [EventSigns]
  private var notes: RunNotes
  private var deadlocks = Deadlocks()
  private let judgesDesigns: Bool
  /// A Boolean value that indicates whether the next moment is thorough.
  private var looksAtEverything = false
  /// The indices of the checks that examine turns without an action.
  private let turnFollowers: [Int]

  /// - Parameter judged: The invariants that are checked if `level` has them, or `nil` for all of
  ///   the level. Invariants that a check reports together with them are checked, too.
  package init(_ world: World, _ level: CheckLevel, judging judged: [Invariant]? = nil) {
    checks = InvariantChecks.list(level, judging: judged, for: world)
    signs = checks.map { $0.isIdle ? [] : type(of: $0).signs }
    let followers = checks.enumerated().filter { type(of: $0.element).followsTurns }
    turnFollowers = followers.map(\.offset)
    notes = RunNotes(level)
    judgesDesigns = level.judgesDesigns
  }

  /// Checks an action that has just been performed, and returns the violations that it shows.
  package mutating func check(
    _ action: Action, by lane: LaneID, step: Int, in world: World
  ) -> [Violation] {
    let moment = Moment(
      action, by: lane, step: step, EventSigns(action, in: world),
      isThorough: looksAtEverything, isSigned: notes.changes != nil, in: world)
    looksAtEverything = false
    var found: [Violation] = []
    notes.noteBeforeChecks(moment, in: world)
    checks.ask(signs, moment, notes, in: world, &found)
    notes.noteAfterChecks(moment, in: world)
    if found.isEmpty { return found }
    notes.marks.removeMarked(from: &found, in: world)
    for index in found.indices { notes.sign(&found[index], by: moment.author, in: world) }
    for index in checks.indices { checks[index].hold(moment, in: world, &found) }
    return found
  }

  /// Makes every check examine every object next time, so that no change stays overlooked.
  package mutating func lookAtEverything() {
    for index in checks.indices { checks[index].lookAtEverything() }
    looksAtEverything = true
  }

  /// Extends the checks to contexts that code has created.
  package mutating func grow(contextCount: Int) {
    for index in checks.indices { checks[index].grow(contextCount: contextCount) }
  }

  /// Adopts the promises that were added to the stack.
  package mutating func adoptPromises(in world: World) {
    for index in checks.indices {
      guard var kept = checks[index] as? KeptPromises else { continue }
      kept.adoptPromises(in: world)
      checks[index] = kept
      signs[index] = kept.isIdle ? [] : KeptPromises.signs
    }
  }

  /// A Boolean value that indicates whether a check examines turns without an action.
  package var followsTurns: Bool { !turnFollowers.isEmpty }

  /// Called after every turn of a lane, if `followsTurns`.
  package mutating func followTurn(of lane: LaneID, in world: World) {
    for index in turnFollowers { checks[index].followTurn(of: lane, in: world) }
  }

  /// Called after the clock has moved.
  package mutating func followClock(in world: World, submitted: AddressedStep?) {
    for index in turnFollowers {
      checks[index].followClock(in: world, submitted: submitted)
    }
  }

  /// Returns the deadlocks that are new since the last call.
  package mutating func deadlocks(in world: World, submitted: AddressedStep?) -> [Violation] {
    deadlocks.check(notes, judgesDesigns: judgesDesigns, in: world, submitted: submitted)
  }

  /// Returns the violations that show at the end of a run.
  package func atEnd(of world: World) -> [Violation] {
    var found: [Violation] = []
    if world.dispatcher.deadlocks.isEmpty, world.dispatcher.isQuiescent {
      for check in checks { check.checkAtRest(notes, in: world, &found) }
    }
    for check in checks { check.checkAtEnd(in: world, &found) }
    for index in found.indices { notes.sign(&found[index], by: .program, in: world) }
    for check in checks { found += check.held }
    return found
  }

  /// The texts of the promises that the run has tested.
  package var testedPromises: [String] { checks.flatMap(\.testedPromises) }

  /// The invariants that the checks judge.
  package var judged: Set<Invariant> { Set(checks.flatMap { type(of: $0).invariants }) }

  // MARK: Searching

  /// Feeds the data from which signatures are made.
  package func hashChanges(into hasher: inout Hasher) { hasher.combine(notes.changes) }

  /// Feeds everything remembered of the run that decides whether `invariant` will be violated.
  package func hashMemory(
    of invariant: Invariant, in world: World, into hasher: inout Hasher
  ) {
    for check in checks where type(of: check).invariants.contains(invariant) {
      check.hashMemory(in: world, into: &hasher)
    }
    notes.hashMemory(of: invariant, into: &hasher)
  }
}

extension [any InvariantCheck] {
  /// Runs the checks that must see an action with these signs.
  fileprivate mutating func ask(
    _ signs: [EventSigns], _ moment: Moment, _ notes: RunNotes, in world: World,
    _ found: inout [Violation]
  ) {
    // An array would test before each check whether its storage is shared. Apple's systems have
    // mutable spans only from macOS 26 on.
    unsafe withUnsafeMutableBufferPointer { checks in
      for index in checks.indices where !signs[index].isDisjoint(with: moment.signs) {
        unsafe checks[index].check(moment, notes, in: world, &found)
      }
    }
  }
}
