package import Failures
import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Judges a run: after every action, every check sees the action, and the violations that the
/// checks have found get their signatures.
package struct InvariantChecks {
  private var checks: [any InvariantCheck]
  /// By number of the check: the signs of the actions that it has to see.
  private let signs: [EventSigns]
  private var notes: RunNotes
  private var deadlocks = Deadlocks()
  private let judgesDesigns: Bool
  /// A Boolean value that indicates whether the next moment is thorough.
  private var looksAtEverything = false
  /// The numbers of the checks that look at turns in which no action is performed.
  private let turnFollowers: [Int]

  package init(_ world: World, _ level: CheckLevel) {
    checks = InvariantChecks.list(level, for: world)
    signs = checks.map { $0.isIdle ? [] : type(of: $0).signs }
    let followers = checks.enumerated().filter { type(of: $0.element).followsTurns }
    turnFollowers = followers.map(\.offset)
    notes = RunNotes(level)
    judgesDesigns = level.judgesDesigns
  }

  /// Looks at an action that has just been performed, and returns the violations that it shows.
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
    notes.marks.strike(&found, in: world)
    for index in found.indices { notes.sign(&found[index], by: moment.author, in: world) }
    for index in checks.indices { checks[index].hold(moment, in: world, &found) }
    return found
  }

  /// Has every check look at everything on the next occasion, so that a change which checks
  /// overlook is not overlooked for good.
  package mutating func lookAtEverything() {
    for index in checks.indices { checks[index].lookAtEverything() }
    looksAtEverything = true
  }

  /// Makes room for contexts that code has created.
  package mutating func grow(contextCount: Int) {
    for index in checks.indices { checks[index].grow(contextCount: contextCount) }
  }

  /// A Boolean value that indicates whether a check looks at turns in which no action is performed.
  package var followsTurns: Bool { !turnFollowers.isEmpty }

  /// Called after every turn of a lane, if `followsTurns`.
  package mutating func followTurn(of lane: LaneID, in world: World) {
    for index in turnFollowers { checks[index].followTurn(of: lane, in: world) }
  }

  /// Called after the clock was moved.
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

  /// The texts of the promises that the run has put to the test.
  package var testedPromises: [String] {
    checks.flatMap { check in
      (check as? KeptPromises)?.tested ?? (check as? KeptCallPromises)?.tested ?? []
    }
  }

  /// The invariants that the checks judge.
  package var judged: Set<Invariant> { Set(checks.flatMap { type(of: $0).invariants }) }

  // MARK: Searching

  /// Feeds what signatures are made of.
  package func hashChanges(into hasher: inout Hasher) { hasher.combine(notes.changes) }

  /// Feeds everything that is remembered of the run so far and decides whether `invariant` will be
  /// violated.
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
  /// Has the checks look at an action, each that has to see actions of its signs.
  fileprivate mutating func ask(
    _ signs: [EventSigns], _ moment: Moment, _ notes: RunNotes, in world: World,
    _ found: inout [Violation]
  ) {
    // An array would find out before each check whether it shares its storage.
    var checks = mutableSpan
    for index in checks.indices where !signs[index].isDisjoint(with: moment.signs) {
      checks[index].check(moment, notes, in: world, &found)
    }
  }
}
