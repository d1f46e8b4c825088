import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks that no block holds the main queue for longer than the stack's budget. A longer hold
/// makes the app appear to hang. Virtual time passes only in requests to stores and in sleep.
struct MainQueueHolds: InvariantCheck {
  static let invariants: [Invariant] = [.MainQueueKeepsWithinItsBudget]
  static let followsTurns = true

  private struct Hold: Hashable {
    /// The identity of the hold, or `nil` for no hold, whose other fields are unset.
    var identity: World.MainQueueHold?
    var duration = 0
    /// The operations during the hold, and the waits of its owner.
    var operations: [ProofLine] = []
    var lastStep = 0
    /// The first part of the design that took time, by asking a store, sleeping or making the owner
    /// wait.
    var author = Author.program

    /// The time spent in line for a coordinator.
    var lineDuration = 0
    /// The time spent in line for requests that only read. A SQLite store would have let such
    /// requests pass the writer, so `duration` excludes this time.
    var passedDuration = 0

    /// A Boolean value that indicates whether the hold spent most of its time on other things than
    /// its own requests to stores. Waiting in line for a request is part of the request.
    var isHeldUp: Bool {
      let requests = operations.map { line in
        if case .performs(_, let duration) = line.operation { duration } else { 0 }
      }
      let own = requests.reduce(lineDuration, +)
      return own < duration - own
    }

    /// Adds time to the last operation of `context`.
    mutating func add(_ duration: Int, to context: ContextID) {
      assert(duration > 0, "an operation takes \(duration) ms longer")
      for index in operations.indices.reversed() where operations[index].context == context {
        guard case .performs(let action, let before) = operations[index].operation else { continue }
        operations[index].operation = .performs(action, milliseconds: before + duration)
        return
      }
    }
  }

  private var current = Hold()
  /// The longest holds. The first involves only the program, the second involves the design.
  private var longest = [Hold(), Hold()]
  /// The longest holds that have ended, in the same order.
  private var longestOver = [Hold(), Hold()]

  mutating func followTurn(of lane: LaneID, in world: World) {
    let identity = world.mainQueueHold
    guard let before = current.identity else {
      if let identity { current.identity = identity }
      return
    }
    if let identity {
      if identity == before { return }
      if lane != identity.lane, identity.goesOn(from: before) {
        // A block has ended on another queue, and the hold continues.
        eachLongest(of: before) { $0.identity = identity }
        current.identity = identity
        return
      }
    }
    for index in longest.indices where longest[index].identity == before {
      longestOver[index] = longest[index]
    }
    current = Hold(identity: identity)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    guard let identity = current.identity, identity.lane == moment.lane else { return }
    let duration =
      world.graph.result.storeAccess.isNone
      ? 0 : world.graph.result.storeAccess.duration(by: world.stack.timing)
    guard moment.action.isCountedAsStep else {
      // A later phase of a save that is already noted.
      if duration > 0 {
        current.add(duration, to: moment.context)
        eachLongest(of: identity) { $0.add(duration, to: moment.context) }
      }
      return
    }
    let operation = ProofLine(
      .performs(moment.action, milliseconds: duration), by: moment.context,
      step: moment.step)
    current.operations.append(operation)
    current.lastStep = moment.step
    // If a lane has only waited since it got the queue, the hold is described by the step that it
    // waited to perform.
    eachLongest(of: identity) { hold in
      guard hold.lastStep == 0 else { return }
      hold.operations.append(operation)
      hold.lastStep = moment.step
    }
  }

  private mutating func eachLongest(
    of identity: World.MainQueueHold, _ change: (inout Hold) -> Void
  ) {
    for index in longest.indices where longest[index].identity == identity {
      change(&longest[index])
    }
  }

  mutating func followClock(in world: World, submitted: AddressedStep?) {
    guard let lane = current.identity?.lane else { return }
    var hold = current
    let passed = world.mainQueueHoldingTime - hold.duration - hold.passedDuration
    assert(passed >= 0, "a hold of the main queue got shorter")
    let isCounted = !world.passesTheWriter(lane)
    if isCounted {
      if let queue = world.dispatcher.waits(of: lane), world.isCoordinator(queue) {
        hold.lineDuration += passed
      }
      hold.duration += passed
    } else {
      hold.passedDuration += passed
    }
    if let wait = wait(of: lane, world, submitted), !hold.operations.contains(wait) {
      hold.operations.append(wait)
    }
    if isCounted, hold.author == .program { hold.author = authorOfTime(on: lane, world, submitted) }
    current = hold
    let index = hold.author.isDesign ? 1 : 0
    if hold.duration > longest[index].duration { longest[index] = hold }
    // A part of the design has joined the hold, so it is no longer the program's alone.
    if index == 1, longest[0].identity == hold.identity { longest[0] = longestOver[0] }
  }

  /// Returns the author for whom time passes. Code that asks a store, sleeps or names a queue is to
  /// blame itself.
  ///
  /// A request that goes up waits for the holder of the parent's queue, who is to blame if the
  /// holder is a part of the design. A coordinator is held for as long as any request takes, so
  /// there the request on the main queue is to blame.
  private func authorOfTime(
    on lane: LaneID, _ world: World, _ submitted: AddressedStep?
  ) -> Author {
    guard let queue = world.dispatcher.waits(of: lane) else { return world.author(of: lane) }
    if !world.isCoordinator(queue), let holder = world.dispatcher.owner(of: queue),
      world.reason(ofWaitFor: queue, in: lane, submitted: submitted) != .named,
      world.author(of: holder).isDesign
    {
      return world.author(of: holder)
    }
    return world.authorOfWait(of: lane)
  }

  private func wait(of lane: LaneID, _ world: World, _ submitted: AddressedStep?) -> ProofLine? {
    guard let queue = world.dispatcher.waits(of: lane),
      let activity = world.activities(of: lane, submitted: submitted).last(where: {
        $0.queues.last == queue
      }
      ),
      let holder = world.dispatcher.owner(of: queue)
    else { return nil }
    return ProofLine(
      .waits(
        lane: world.name(of: lane), queue: world.name(of: queue),
        reason: "which \(world.name(of: holder)) holds", activity.subject))
  }

  func checkAtEnd(in world: World, _ found: inout [Violation]) {
    let budget = world.stack.timing.mainQueueBudget
    guard budget > 0, (longest + longestOver).contains(where: { $0.duration > budget }) else {
      return
    }
    // A wait without end is a deadlock, not a long hold.
    let isStuck = world.dispatcher.blockedLanes.contains { $0.lane == current.identity?.lane }
    let holds = longest.indices.map { index in
      isStuck && longest[index].identity == current.identity ? longestOver[index] : longest[index]
    }
    for hold in holds where hold.duration > budget {
      guard let lane = hold.identity?.lane else { continue }
      var violation = Violation(
        .MainQueueKeepsWithinItsBudget,
        detail: "\(world.name(of: lane)) held the main queue for "
          + "\(hold.duration) ms; the budget is \(budget) ms")
      violation.stepNumber = hold.lastStep
      violation.proof = hold.operations
      violation.author = hold.author
      if hold.isHeldUp { violation.ways = .heldUp }
      found.append(violation)
    }
  }
}
