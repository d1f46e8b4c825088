package import Vocabulary

/// The second account of lanes: what each has to do next, by the sections of `SEMANTICS.md` about
/// queues, blocks and notifications.
///
/// A lane is a list of deeds, of which each turn takes the last and may put others in its place.
/// Which lane takes the next turn is not predicted, nor which queues an action needs: the scheduler
/// chooses the one, and data decide the other. Everything else is: which action comes, who is
/// called and in what order, what stands in the line of a queue, and that nothing is left undone.
package struct ReferenceLanes: Sendable {
  /// What a turn should come to.
  package enum Turn: Hashable, Sendable {
    case performs(Action)
    /// The lane gets on without touching a context.
    case moves
    /// It stands in the line of a queue.
    case waits
    /// It should not have had a turn.
    case nothing
  }

  struct Lane: Sendable {
    var deeds: [Deed] = []
    /// The queues that its actions need, in the order in which it asks for them: those of an action
    /// that observers hear of come before those of what these do.
    var needs: [Int] = []
    /// The queue in whose line it stands.
    var awaited: Int?
    /// While it is the main thread for a block that another waits for: what that one has.
    var isWithout: [Int] = []
  }

  struct Queue: Sendable {
    var owner: Int?
    /// How often the owner has taken it.
    var holdCount = 0
    var line: [Entry] = []
    var suspensionCount = 0

    var isFree: Bool { owner == nil && suspensionCount == 0 }
  }

  enum Entry: Sendable {
    case lane(Int)
    /// A block, and the queue that it runs on, which is another one in the line of a group.
    case block(Deed, queue: Int)
  }

  // What it needs of the stack, apart: to look at a whole one is to count its arrays.
  let observers: [Stack.Observer]
  let entryPoints: [Stack.EntryPoint]
  /// By context: its observers, by number, in order, each with what it waits for.
  let listeners: [[(notification: Stack.NotificationName, observer: Int)]]
  private let groupCount: Int
  var lanes: [Lane] = []
  var queues: [Queue] = []
  var flags: [Bool]
  /// By number: the context of each DidSave and batch result, in one sequence.
  var posted: [(context: ContextID, isBatch: Bool)] = []
  /// The step that is taken without deeds.
  var alone = Alone()

  /// Queues have the numbers of their lanes: the main queue, those of the app, of contexts with one
  /// of their own, of coordinators, of groups. The program's thread comes last.
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

  /// As at the start, but for the numbers of what was posted.
  mutating func launch() {
    alone.step = nil
    lanes = (0...queueCount).map { _ in Lane() }
    queues = (0..<queueCount).map { _ in Queue() }
    flags = flags.map { _ in false }
  }

  func queue(of context: ContextID) -> Int { queueOfContext[context.index] }

  func queue(of group: GroupID) -> Int { queueCount - groupCount + group.index }

  /// Whether it is the lane's turn on the queue. The main thread has nothing of a thread that waits
  /// for it.
  func has(_ lane: Int, _ queue: Int) -> Bool {
    queues[queue].owner == lane && !lanes[lane].isWithout.contains(queue)
  }

  /// A lane that has something to do left; nil if none has. What waits for a suspended queue may.
  package var unfinishedLane: Int? {
    lanes.indices.first { lane in
      guard !lanes[lane].deeds.isEmpty else { return false }
      guard let queue = lanes[lane].awaited else { return true }
      return queues[queue].suspensionCount == 0
    }
  }

  // MARK: Turns

  /// The program's thread, which has nothing to do, is given its next step.
  package mutating func submit(_ step: AddressedStep) {
    if step.takesTurn {
      push(.begin(step, Place()), driver)
    } else {
      begin(step, Place(), driver)
    }
  }

  /// What a turn has to be told before it is taken.
  package enum Question {
    case nothing
    /// It begins an action: `need`, for each queue that this needs, nearest first.
    case needs
    /// Whether the context has changes.
    case hasChanges(ContextID)
  }

  package func questionOfNextTurn(_ lane: Int) -> Question {
    switch lanes[lane].deeds.last {
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

  /// The action that the lane's next turn begins needs this queue.
  package mutating func need(_ queue: Int, _ lane: Int) {
    lanes[lane].needs.append(queue)
    neededCount += 1
  }

  /// Takes a turn. `hasChanges` is the answer to a question for it.
  package mutating func turn(of lane: Int, hasChanges: Bool = false) -> Turn {
    guard lanes[lane].awaited == nil, let deed = lanes[lane].deeds.popLast() else {
      return .nothing
    }
    switch consume deed {
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
          // What it has for an action that tells its observers is no block's.
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

  /// How many queues `need` has told of for the turn that comes.
  private var neededCount = 0

  private mutating func begin(
    _ step: AddressedStep, _ place: Place, hasChanges: Bool, _ lane: Int
  ) -> Turn {
    self.hasChanges = hasChanges
    begin(step, place, lane)
    // For a group.
    return lanes[lane].awaited == nil ? .moves : .waits
  }

  private mutating func go(
    _ action: consuming Action, needs count: Int, asked: Int, _ lane: Int
  ) -> Turn {
    if asked < count {
      push(.acting(action, needs: count, asked: asked + 1), lane)
      let queue = lanes[lane].needs[lanes[lane].needs.count - count + asked]
      // What it has as another thread is enough for what need not ask (CC-08).
      let isEnough = queues[queue].owner == lane && !action.hasToAsk
      if isEnough { queues[queue].holdCount += 1 }
      return isEnough || take(queue, lane, isReentrant: true) ? .moves : .waits
    }
    push(.release(count, next: action.nextPhase), lane)
    return .performs(action)
  }

  mutating func push(_ deed: consuming Deed, _ lane: Int) { lanes[lane].deeds.append(deed) }

  mutating func push(_ deeds: [Deed], _ lane: Int) { lanes[lane].deeds += deeds }
}

extension Phase {
  /// SV-16.
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

  /// Asked first: most actions have none, and their steps need not be taken apart.
  var hasNextPhase: Bool {
    switch self {
    case .step(_, .flush), .step(_, .willSave), .step(_, .commit): true
    default: false
    }
  }
}

extension Action {
  /// Whether there is no way to perform it, if it needs a queue at all, without the levels above:
  /// it reads there, or writes.
  fileprivate var hasToAsk: Bool {
    switch self {
    case .step(_, .commit), .mergeRemote: return true
    case .step(let addressed, .whole):
      switch addressed.step {
      // Requests.
      case .fetch, .performFetch, .count, .batch, .obtainPermanentIDs, .mergeHistory: return true
      // Faults that fire.
      case .get, .set, .setPrimitive, .increment, .delete: return true
      default: return false
      }
    default: return false
    }
  }
}

extension AddressedStep {
  /// Whether the program's thread takes a turn for it.
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
