import Execution
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Builds a timeline from the turns of a run.
struct TimelineBuilder {
  let world: World
  let outcome: Outcome
  let events: EventText
  let steps: StepText
  var timeline = Timeline()
  /// The column of each queue, or nil for the lock of a coordinator.
  var columns: [Int?]
  var places: [Recorder.Place] = []
  /// The latest state of objects at each place.
  var looks: [[(object: Int, look: Timeline.Look)]] = []
  /// The row caches, by place, whose changes no moment has yet.
  var newCaches: [(place: Int, sights: [Recorder.Sight])] = []
  var objects: [ObjectID] = []
  /// The enqueued blocks of each queue, with the turn and the column that enqueued them.
  var lines: [[(turn: Int, column: Int?)]]
  /// The block that each lane runs.
  var openBlocks: [Int?]
  /// The step that each lane began last, with its turn.
  var begun: [(step: AddressedStep, turn: Int)?]
  /// The unfinished saves of each lane. A save in an observer may be nested in another save.
  var saves: [[Save]]
  /// The moment at which each lane last waited.
  var waits: [Int?]
  /// The moment of the save that posted each DidSave notification.
  var posted: [Int?] = []
  /// The turns at which saves begin that cannot be shown as one moment.
  let interruptedSaves: Set<Int>
  /// The moment that includes the current turn, or nil if the turn is not shown.
  var current: Int?
  /// The moment that revealed each violation.
  var discoveries: [Int?] = []
  /// The queues that each lane holds, with the turn by which the lane had the queue.
  var holds: [[(queue: QueueID, turn: Int)]]
  /// Calls that wait for a queue, identified by their turns.
  var waitingCalls: [(turn: Int, queue: QueueID)] = []

  struct Save {
    let step: Int
    /// A Boolean value that indicates whether the beginning of the save has its own moment.
    var isShown = false
    /// The events observed so far.
    var details: [String] = []
    /// The moment of the commit, or nil before the commit.
    var moment: Int?
  }

  init(_ world: World, _ outcome: Outcome, _ interruptedSaves: Set<Int>) {
    let program = outcome.program
    (self.world, self.outcome, self.interruptedSaves) = (world, outcome, interruptedSaves)
    events = EventText(model: program.model, stack: program.stack) { id in
      world.graph.name(of: id).map { program.names[$0.index] }
    }
    steps = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    let laneCount = world.dispatcher.laneCount
    columns = Array(repeating: nil, count: world.dispatcher.queueCount)
    lines = Array(repeating: [], count: world.dispatcher.queueCount)
    openBlocks = Array(repeating: nil, count: laneCount)
    saves = Array(repeating: [], count: laneCount)
    waits = Array(repeating: nil, count: laneCount)
    begun = Array(repeating: nil, count: laneCount)
    holds = Array(repeating: [], count: laneCount)
    makeColumns()
  }

  mutating func makeColumns() {
    let stack = world.stack
    for context in stack.contextIDs {
      let queue = world.queue(of: context)
      if let column = columns[queue.index] {
        timeline.columns[column].contexts.append(context)
      } else {
        addColumn(of: queue, [context])
      }
      places.append(.context(context))
      timeline.places.append(stack[context].name)
    }
    for queue in world.dispatcher.queueIDs
    where columns[queue.index] == nil && world.isQueueOfApp(queue) {
      addColumn(of: queue, [])
    }
    timeline.queueCount = timeline.columns.count
    for (index, store) in stack.stores.enumerated() {
      timeline.columns.append(.init(name: "store \(store.name)", contexts: []))
      places.append(.store(StoreID(index)))
      timeline.places.append("store \(store.name)")
    }
    (timeline.contextCount, timeline.storeCount) = (stack.contexts.count, stack.stores.count)
    for (index, coordinator) in stack.coordinators.enumerated() {
      places.append(.rowCache(CoordinatorID(index)))
      timeline.places.append("row cache of \(coordinator.name)")
    }
    looks = Array(repeating: [], count: places.count)
  }

  mutating func addColumn(of queue: QueueID, _ contexts: [ContextID]) {
    columns[queue.index] = timeline.columns.count
    timeline.columns.append(.init(name: plainName(world.name(of: queue)), contexts: contexts))
  }

  // MARK: Turns

  mutating func add(_ turn: Recorder.Turn, _ number: Int) {
    timeline.turnCount = number + 1
    let momentCount = timeline.moments.count
    current = nil
    endWait(of: turn.lane.index, number)
    if turn.beginsBlock { beginBlock(turn, number) }
    if let step = turn.begun.last { begun[turn.lane.index] = (step, number) }
    for queue in turn.enqueuedOn { lines[queue.index].append((number, column(of: turn))) }
    switch turn.progress {
    case .performed(let action): add(action, turn, number)
    case .blocked: addWait(turn, number)
    case .moved:
      for step in turn.begun where step.step.traits.contains(.arranges) {
        addCall(step, turn, number)
      }
    }
    if let block = openBlocks[turn.lane.index] {
      timeline.blocks[block].end = number
      if turn.endsBlock { openBlocks[turn.lane.index] = nil }
    }
    if timeline.moments.count > momentCount {
      current = timeline.moments.count - 1
      timeline.moments[timeline.moments.count - 1].lane = turn.lane.index
      timeline.moments[timeline.moments.count - 1].performedCount = turn.step
    }
    if let current, current == timeline.moments.count - 1 { addCacheChanges(to: current) }
    noteHolds(turn, number)
    while discoveries.count < turn.violationCount {
      discoveries.append(current ?? timeline.moments.indices.last)
    }
  }

  mutating func beginBlock(_ turn: Recorder.Turn, _ number: Int) {
    guard let queue = world.dispatcher.queue(of: turn.lane), let column = columns[queue.index]
    else { return }
    let first = lines[queue.index].isEmpty ? nil : lines[queue.index].removeFirst()
    openBlocks[turn.lane.index] = timeline.blocks.count
    timeline.blocks.append(
      .init(
        column: column, enqueuedAt: first?.turn, enqueuedFrom: first?.column, begin: number,
        end: number))
  }

  /// Returns the queues that the lane holds after the turn, in the order in which it took them.
  func heldQueues(_ turn: Recorder.Turn) -> [QueueID] {
    let queues = turn.activities.flatMap(\.queues)
    // If the lane is still waiting, the last queue is the one it requests.
    let asks = turn.begun.last.map { turn.activities.last?.subject == .step($0) } ?? false
    return turn.wait != nil || asks ? queues.dropLast() : queues
  }

  /// Returns the column in which the lane works. It belongs to the last queue that the lane took
  /// and that has a column.
  func column(of turn: Recorder.Turn) -> Int? {
    let queues = heldQueues(turn)
    for queue in queues.reversed() { if let column = columns[queue.index] { return column } }
    return world.dispatcher.queue(of: turn.lane).flatMap { columns[$0.index] }
  }

  /// Adds a call in the column of the queue that makes it. A call by the program's thread appears
  /// in the column of its target queue.
  mutating func addCall(_ step: AddressedStep, _ turn: Recorder.Turn, _ number: Int) {
    let own = columns[queue(of: step).index]
    let caller = column(of: turn)
    guard let column = caller ?? own else { return }
    let isAtHome = column == own && !step.step.traits.contains(.runsOnAppQueue)
    // A lane that already has the queue does not wait, and nothing changes.
    if caller == own, case .performAndWait = step.step { return }
    // A tick from another queue begins again on the queue of its context.
    if caller != own, case .tick = step.step { return }
    var moment = Timeline.Moment(
      kind: .call, turn: number, time: turn.time, column: column, step: 0,
      context: isAtHome ? step.context : nil,
      text: isAtHome ? withoutLane(steps.line(step)) : plain(steps.line(step)),
      origin: origin(turn.origin))
    moment.block = openBlocks[turn.lane.index]
    timeline.moments.append(moment)
    switch step.step {
    case .performAndWait, .sync: waitingCalls.append((number, queue(of: step)))
    default: break
    }
  }

  /// Returns the queue on which the step's block runs.
  func queue(of step: AddressedStep) -> QueueID {
    switch step.step {
    case .async(let queue, _), .sync(let queue, _): world.queue(ofApp: queue)
    default: world.queue(of: step.context)
    }
  }

  mutating func addWait(_ turn: Recorder.Turn, _ number: Int) {
    guard let wait = turn.wait else { return }
    dropCall(by: turn.lane, whichIs: turn.activities.last?.subject)
    let awaited = "waits for \(world.name(of: wait.queue))"
    let column = column(of: turn) ?? columns[wait.queue.index] ?? 0
    var moment = Timeline.Moment(
      kind: .wait, turn: number, time: turn.time, column: column, step: 0,
      text: beginning(of: turn.activities.last?.subject) + awaited,
      wait: awaited, origin: origin(turn.origin))
    waits[turn.lane.index] = timeline.moments.count
    moment.block = openBlocks[turn.lane.index]
    let owner =
      wait.owner.map { "\(world.name(of: $0)) holds the queue" }
      ?? (world.isGroup(wait.queue) ? "the group is not empty" : "the queue is suspended")
    moment.details = [owner] + turn.activities.map { "in the middle of \(text($0.subject))" }
    timeline.moments.append(moment)
  }

  /// Ends the lane's latest wait, which lasts until the lane's next turn.
  mutating func endWait(of lane: Int, _ number: Int) {
    guard let wait = waits[lane], timeline.moments[wait].end == nil else { return }
    timeline.moments[wait].end = number
  }

  /// Removes the moment of a call that has to wait, so that the call and its wait are one moment.
  mutating func dropCall(by lane: LaneID, whichIs subject: World.Activity.Subject?) {
    guard let last = timeline.moments.last, last.kind == .call, let begun = begun[lane.index],
      last.turn == begun.turn, subject == .step(begun.step)
    else { return }
    timeline.moments.removeLast()
  }

  /// Returns the beginning of a text about a wait, such as `'work save' `.
  func beginning(of subject: World.Activity.Subject?) -> String {
    switch subject {
    case .step(let step), .action(.step(let step, _)): "'\(plain(steps.line(step)))' "
    case .action(let action): "'\(text(action))' "
    case nil: ""
    }
  }

  mutating func add(_ action: Action, _ turn: Recorder.Turn, _ number: Int) {
    let lane = turn.lane.index
    if case .step(let step, _) = action, step.step == .kill { abandonLanes(number) }
    let observed = turn.events.compactMap { events.line(for: $0, of: action) }
    let changes = changes(turn)
    let hasFailed = turn.hasFailed
    notePosts(turn, lane)
    if case .step(_, let phase) = action, phase != .whole {
      if phase == .flush { saves[lane].append(Save(step: turn.step)) }
      // Add the end of a save to its moment, unless changes of another lane lie in between.
      if phase == .finish, let moment = saves[lane].popLast()?.moment,
        changes.isEmpty || moment == timeline.moments.count - 1
      {
        timeline.moments[moment].details += observed
        timeline.moments[moment].changes += changes
        current = moment
        return
      }
      if phase != .commit, !hasFailed, changes.isEmpty, !interruptedSaves.contains(number),
        let save = saves[lane].indices.last
      {
        saves[lane][save].details += observed
        return
      }
    }
    if action.isEndOfSomething, observed.isEmpty, changes.isEmpty { return }
    var moment = Timeline.Moment(
      kind: .action, turn: number, time: turn.time,
      column: columns[world.queue(of: action.context).index] ?? 0,
      step: action.isNumbered || hasFailed ? turn.step : 0,
      context: action.context, text: text(action, turn),
      origin: origin(turn.origin))
    moment.answers = turn.events.filter { EventText.watched($0) == nil }
      .compactMap { events.line(for: $0, of: action) }.map(answer)
    moment.hasFailed = hasFailed
    moment.details = observed
    moment.changes = changes
    moment.block = openBlocks[lane]
    moment.arrows = arrows(action, hasFailed: hasFailed, changes)
    complete(&moment, action, hasFailed: hasFailed, lane)
    timeline.moments.append(moment)
  }

  /// Ends all saves, blocks and waits, because nothing continues after a kill.
  mutating func abandonLanes(_ number: Int) {
    for lane in saves.indices {
      (saves[lane], openBlocks[lane]) = ([], nil)
      endWait(of: lane, number)
    }
    for queue in lines.indices { lines[queue] = [] }
  }

  /// Gives a moment that commits or fails a save the details of the earlier phases. The moment also
  /// gets the number of the first phase, unless that phase has its own moment.
  mutating func complete(
    _ moment: inout Timeline.Moment, _ action: Action, hasFailed: Bool, _ lane: Int
  ) {
    guard case .step(_, let phase) = action, phase != .whole, phase != .finish,
      let save = saves[lane].indices.last
    else { return }
    if phase != .commit, !hasFailed {
      if saves[lane][save].isShown { moment.text = "save continues" }
      moment.step = saves[lane][save].isShown ? 0 : saves[lane][save].step
      saves[lane][save].isShown = true
      return
    }
    if saves[lane][save].isShown {
      moment.step = 0
      moment.text = hasFailed ? "save fails" : "save commits"
    } else {
      moment.step = saves[lane][save].step
    }
    moment.details = saves[lane][save].details + moment.details
    if hasFailed {
      saves[lane].removeLast()
    } else {
      saves[lane][save].moment = timeline.moments.count
    }
  }

  /// Records the moment of the save or batch request that posted each DidSave notification.
  mutating func notePosts(_ turn: Recorder.Turn, _ lane: Int) {
    for event in turn.events {
      let number: Int
      switch event {
      case .didSave(_, _, let posted), .batched(_, let posted): number = posted
      default: continue
      }
      while posted.count <= number { posted.append(nil) }
      posted[number] = saves[lane].last?.moment ?? timeline.moments.count
    }
  }
}
