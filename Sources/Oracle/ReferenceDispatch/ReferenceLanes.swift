package import Vocabulary

/// A second, independent account of lanes, which predicts the next work of each lane. The account
/// follows the chapter of `SEMANTICS.md` about queues, lanes and blocks.
///
/// A lane is a list of work. Each turn takes the last work and may add others. `ReferenceLanes`
/// predicts actions, calls of observers and their order, the lines of queues, and that all work is
/// done. The scheduler chooses the lane of the next turn, and the queues that an action needs
/// depend on data, so neither is predicted.
package struct ReferenceLanes: Sendable {
  /// The expected result of a turn.
  package enum Turn: Hashable, Sendable {
    case performs(Action)
    /// The lane moves on without touching a context.
    case moves
    /// The lane stands in the line of a queue.
    case waits
    /// The lane should not have had a turn.
    case nothing
  }

  struct Lane: Sendable {
    var work: [Work] = []
    /// The queues that the lane's actions need, in the order of its requests. The queues of an
    /// action come before the queues of its observers' actions.
    var needs: [Int] = []
    /// The queue in whose line the lane stands.
    var awaited: Int?
    /// The queues that the lane owns but cannot use while it runs as the main thread. §take-queue.1
    var isWithout: [Int] = []
    /// A Boolean value that indicates whether the latest request of the lane has found an object.
    /// §note-answer
    var hasFound = false
  }

  struct Queue: Sendable {
    var owner: Int?
    /// The hold count: the number of times that the owner has taken the queue.
    var holdCount = 0
    var line: [Entry] = []
    var suspensionCount = 0

    var isFree: Bool { owner == nil && suspensionCount == 0 }
  }

  enum Entry: Sendable {
    case lane(Int)
    /// A block, and the queue on which it runs. In the line of a group, that is another queue.
    case block(Work, queue: Int)
  }

  // The needed parts of the stack. Access to a whole stack would retain its arrays.
  let observers: [Stack.Observer]
  let entryPoints: [Stack.EntryPoint]
  /// Indexed by context: the numbers of its observers, in order of declaration, with their
  /// notifications.
  let listeners: [[(notification: Stack.NotificationName, observer: Int)]]
  private let groupCount: Int
  var lanes: [Lane] = []
  var queues: [Queue] = []
  var flags: [Bool]
  /// The context of each DidSave and batch result, in one sequence, indexed by number.
  var posted: [(context: ContextID, isBatch: Bool)] = []
  /// The step that runs without work.
  var alone = Alone()

  /// Creates the lanes. A queue and its worker have the same number. The main queue comes first,
  /// followed by the queues of the app, the queues of contexts, the locks of coordinators, and the
  /// groups. The program's thread comes last.
  package init(_ stack: Stack) {
    (observers, entryPoints) = (stack.observers, stack.entryPoints)
    listeners = stack.contextIDs.map { context in
      stack.observers.indices.filter { stack.observers[$0].context == context }
        .map { (stack.observers[$0].notification, $0) }
    }
    groupCount = stack.groups.count
    flags = stack.flags.map { _ in false }
    queueOfContext = []
    var count = 1 + stack.queues.count
    for context in stack.contexts {
      switch context.concurrencyType {
      case .mainQueue: queueOfContext.append(0)
      case .confinement: queueOfContext.append(context.thread.map { 1 + $0.index } ?? 0)
      case .privateQueue:
        queueOfContext.append(count)
        count += 1
      }
    }
    queueCount = count + stack.coordinators.count + groupCount
    launch()
  }

  let queueCount: Int
  private(set) var queueOfContext: [Int]
  /// The program's thread.
  package var driver: Int { queueCount }

  /// Stops all lanes and resets all state except the numbers of posted saves. §stop-lanes
  mutating func launch() {
    alone.step = nil
    lanes = (0...queueCount).map { _ in Lane() }
    queues = (0..<queueCount).map { _ in Queue() }
    flags = flags.map { _ in false }
  }

  func queue(of context: ContextID) -> Int { queueOfContext[context.index] }

  func queue(of group: GroupID) -> Int { queueCount - groupCount + group.index }

  /// Returns `true` if a lane has a queue. The main thread does not have the queues of a thread
  /// that waits for it.
  func has(_ lane: Int, _ queue: Int) -> Bool {
    queues[queue].owner == lane && !lanes[lane].isWithout.contains(queue)
  }

  /// A lane that should have finished its work, or nil. A lane that waits for a suspended queue
  /// never finishes. §end-suspended
  package var unfinishedLane: Int? {
    lanes.indices.first { lane in
      guard !lanes[lane].work.isEmpty else { return false }
      guard let queue = lanes[lane].awaited else { return true }
      return queues[queue].suspensionCount == 0
    }
  }

  // MARK: Turns

  /// Submits the next step on the driver, which must be idle. §submit
  package mutating func submit(_ step: AddressedStep) {
    if step.takesTurn {
      push(.begin(step, Place()), driver)
    } else {
      begin(step, Place(), driver)
    }
  }

  /// A question that the engine answers before a turn.
  package enum Question {
    case nothing
    /// The turn begins an action. Call `need` for each queue that the action needs, nearest first.
    case needs
    /// The turn depends on whether the context has changes. §when.5.3
    case hasChanges(ContextID)
  }

  package func questionOfNextTurn(_ lane: Int) -> Question {
    switch lanes[lane].work.last {
    case .act: .needs
    case .begin(let step, let place): question(of: step, place, lane)
    case .block(let block) where block.next < block.steps.count:
      question(of: block.steps[block.next], block.place, lane)
    default: .nothing
    }
  }

  private func question(of step: AddressedStep, _ place: Place, _ lane: Int) -> Question {
    guard case .when(let condition, _) = step.step, condition.question == .hasChanges,
      isAtHome(step.context, place, lane)
    else { return .nothing }
    return .hasChanges(step.context)
  }

  /// Notes a queue that the action of the lane's next turn needs. §perform-action.1
  package mutating func need(_ queue: Int, _ lane: Int) {
    lanes[lane].needs.append(queue)
    neededCount += 1
  }

  /// Takes a turn, given the answer to its question. §run-block
  package mutating func turn(of lane: Int, hasChanges: Bool = false) -> Turn {
    guard lanes[lane].awaited == nil, let work = lanes[lane].work.popLast() else {
      return .nothing
    }
    switch consume work {
    case .begin(let step, let place): return begin(step, place, hasChanges: hasChanges, lane)
    case .block(var block):
      if block.next < block.steps.count {
        let (step, place) = (block.steps[block.next], block.place)
        block.next += 1
        push(.block(block), lane)
        return begin(step, place, hasChanges: hasChanges, lane)
      }
      if block.kind == .event, let context = block.place.context {
        push(.act(.endOfEvent(context)), lane)
      } else {
        finishIfIdle(lane)
      }
    case .take(let queue, let isReentrant):
      if queue == 0, queues[queue].owner != lane {
        lanes[lane].isWithout = queues.indices.filter { queue in
          // §take-queue.1: holds for an action whose observers are called do not count.
          let forActions = lanes[lane].needs.count { $0 == queue }
          return queues[queue].owner == lane && queues[queue].holdCount > forActions
        }
      }
      return take(queue, lane, isReentrant: isReentrant) ? .moves : .waits
    case .giveBack(let queue, _, _):
      release(queue)
      finishIfIdle(lane)
    case .act(let action):
      let count = neededCount
      neededCount = 0
      return go(action, needs: count, asked: 0, lane)
    case .acting(let action, let count, let asked):
      return go(action, needs: count, asked: asked, lane)
    case .release(let count, let next):
      release(count, of: lane)
      if let next { push(.act(next), lane) } else { finishIfIdle(lane) }
    case .call(let number, let delivered):
      let observer = observers[number]
      let place = Place(context: observer.context, delivered: delivered)
      push(.block(Block(observer.steps, place)), lane)
    case .endDelivery(let context): push(.act(.endOfDelivery(context)), lane)
    case .rest: break
    }
    return .moves
  }

  /// The answer to the question of the turn that is being taken.
  var hasChanges = false

  /// The number of queues that `need` has noted for the coming turn.
  private var neededCount = 0

  private mutating func begin(
    _ step: AddressedStep, _ place: Place, hasChanges: Bool, _ lane: Int
  ) -> Turn {
    self.hasChanges = hasChanges
    begin(step, place, lane)
    // The lane can wait for a group.
    return lanes[lane].awaited == nil ? .moves : .waits
  }

  /// Performs an action, after a turn for each queue that it needs. §perform-action
  private mutating func go(
    _ action: consuming Action, needs count: Int, asked: Int, _ lane: Int
  ) -> Turn {
    if asked < count {
      push(.acting(action, needs: count, asked: asked + 1), lane)
      let queue = lanes[lane].needs[lanes[lane].needs.count - count + asked]
      // §take-queue.2.2: a queue that the lane is without suffices (CC-08).
      let isEnough = queues[queue].owner == lane && !action.hasToAsk
      if isEnough { queues[queue].holdCount += 1 }
      return isEnough || take(queue, lane, isReentrant: true) ? .moves : .waits
    }
    push(.release(count, next: action.nextPhase), lane)
    return .performs(action)
  }

  mutating func push(_ work: consuming Work, _ lane: Int) { lanes[lane].work.append(work) }

  mutating func push(_ work: [Work], _ lane: Int) { lanes[lane].work += work }
}

extension Phase {
  /// The phase after this one (SV-16). §save
  var next: Phase? {
    switch self {
    case .whole, .finish: nil
    case .flush: .willSave
    case .willSave: .commit
    case .commit: .finish
    }
  }
}

extension Action {
  var nextPhase: Action? {
    guard hasNextPhase, case .step(let step, let phase) = self else { return nil }
    return phase.next.map { .step(step, $0) }
  }

  /// A Boolean value that indicates whether `nextPhase` exists. Does not read the step.
  var hasNextPhase: Bool {
    switch self {
    case .step(_, .flush), .step(_, .willSave), .step(_, .commit): true
    default: false
    }
  }
}

extension Action {
  /// A Boolean value that indicates whether the action certainly reads or writes above, if it needs
  /// a queue at all. §asks-above
  fileprivate var hasToAsk: Bool {
    switch self {
    case .step(_, .commit), .mergeRemote: return true
    case .step(let addressed, .whole):
      switch addressed.step {
      // §asks-above.2
      case .fetch, .performFetch, .count, .batch, .obtainPermanentIDs, .mergeHistory: return true
      // §asks-above.3: these steps fire a fault.
      case .get, .set, .setPrimitive, .increment, .delete: return true
      default: return false
      }
    default: return false
    }
  }
}

extension AddressedStep {
  /// A Boolean value that indicates whether other lanes may take turns before the step. §submit.1
  fileprivate var takesTurn: Bool {
    switch step {
    case .perform, .performBackgroundTask, .async, .suspend, .resume, .sleep, .kill, .setFlag,
      .enter, .leave, .wait, .notify:
      true
    case .when(let condition, _): condition.flag != nil
    default: false
    }
  }
}
