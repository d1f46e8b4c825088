import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// No block holds the main queue for longer than the stack's budget: what people see as an app that
/// hangs. In virtual time, which passes only in requests to stores and in sleep.
struct MainQueueHolds: Hashable {
  private struct Hold: Hashable {
    var identity: World.MainQueueHold
    var duration = 0
    /// What was done meanwhile, and what its owner waited for.
    var operations: [ProofLine] = []
    var lastStep = 0
    /// Whether its owner has waited, and only because steps of the program asked for queues.
    var waitsOfProgramAlone: Bool?

    /// So much longer took what `context` did last.
    mutating func add(_ duration: Int, to context: ContextID) {
      assert(duration > 0, "an operation takes \(duration) ms longer")
      for index in operations.indices.reversed() where operations[index].context == context {
        guard case .performs(let action, let before) = operations[index].operation else { continue }
        operations[index].operation = .performs(action, milliseconds: before + duration)
        return
      }
    }
  }

  private var current: Hold?
  private var longest: Hold?

  /// After every turn of a lane.
  mutating func follow(_ world: World, turnOf lane: LaneID) {
    let identity = world.mainQueueHold
    if identity == nil, current == nil { return }
    if identity == current?.identity { return }
    if let identity, let hold = current, lane != identity.lane, identity.goesOn(from: hold.identity)
    {
      // A block has ended on another queue.
      if longest?.identity == hold.identity { longest?.identity = identity }
      current?.identity = identity
      return
    }
    current = identity.map { Hold(identity: $0) }
  }

  package mutating func note(_ moment: Moment, in world: World) {
    guard moment.lane == current?.identity.lane else { return }
    let duration = world.storeAccess.isNone ? 0 : world.storeAccess.duration(by: world.stack.timing)
    guard moment.action.isCountedAsStep else {
      // A later phase of a save that has been noted.
      if duration > 0 {
        current?.add(duration, to: moment.action.context)
        if longest?.identity == current?.identity {
          longest?.add(duration, to: moment.action.context)
        }
      }
      return
    }
    let operation = ProofLine(
      .performs(moment.action, milliseconds: duration), by: moment.action.context,
      step: moment.step)
    current?.operations.append(operation)
    current?.lastStep = moment.step
    // A lane that has only waited since it got the queue is described by the step that it waited
    // to perform.
    if longest?.lastStep == 0, longest?.identity == current?.identity {
      longest?.operations.append(operation)
      longest?.lastStep = moment.step
    }
  }

  /// After the clock was moved.
  mutating func sample(_ world: World, submitted: AddressedStep?) {
    guard var hold = current else { return }
    assert(hold.duration <= world.mainQueueHoldingTime, "a hold of the main queue got shorter")
    hold.duration = world.mainQueueHoldingTime
    let lane = hold.identity.lane
    if let wait = wait(of: lane, world, submitted), !hold.operations.contains(wait) {
      hold.operations.append(wait)
      let isOfProgram =
        world.authorOfWait(of: lane) == .program
        && world.dispatcher.waits(of: lane).map {
          world.asksFor($0, in: lane, submitted: submitted)
        } == true
      hold.waitsOfProgramAlone = isOfProgram && hold.waitsOfProgramAlone != false
    }
    current = hold
    if hold.duration > longest?.duration ?? 0 { longest = hold }
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
        reason: "which \(world.name(of: holder)) has", activity.subject))
  }

  package func check(_ world: World, _ found: inout [Violation]) {
    guard let longest, world.stack.timing.mainQueueBudget > 0,
      longest.duration > world.stack.timing.mainQueueBudget
    else { return }
    assert(longest.duration >= current?.duration ?? 0, "a longer hold was not taken down")
    var violation = Violation(
      .MainQueueKeepsWithinItsBudget,
      detail: "\(world.name(of: longest.identity.lane)) had the main queue for "
        + "\(longest.duration) ms; the budget is \(world.stack.timing.mainQueueBudget) ms")
    violation.stepNumber = longest.lastStep
    violation.proof = longest.operations
    if longest.waitsOfProgramAlone == true { violation.ways = .programsWaits }
    found.append(violation)
  }
}
