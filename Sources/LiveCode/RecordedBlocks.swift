import Execution
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The items of a recording as steps, in the blocks in which code asked for them.
struct RecordedBlocks {
  /// Where a queue of the run is in the program.
  private enum Place {
    case main
    case context(ContextID)
    case app(AppQueueID)
  }

  private let run: LiveRun
  private let recording: Recording
  private var model: ObjectModel { run.model }
  private var stack: Stack
  /// The object that each name of the run stands for.
  private let objects: [ObjectName]
  private let names: [String]
  private var mapping = StepMapping()
  /// By piece: its items, in order.
  private var itemsOfPiece: [Int: [Int]] = [:]
  /// By piece: the queue on which it was enqueued.
  private var queueOfPiece: [Int: QueueID] = [:]
  private var places: [QueueID: Place] = [:]
  /// By item: its step, and the steps that come before it.
  private var steps: [Int: AddressedStep] = [:]
  private var preparations: [Int: [AddressedStep]] = [:]
  /// Stands for the main queue.
  private let mainContext: ContextID
  private let keepers: ObjectKeepers
  private let keepsStoreSteps: Bool

  init(_ run: LiveRun, _ recording: Recording, _ trace: Trace) {
    self.run = run
    self.recording = recording
    (objects, names) = trace.objects(in: run)
    stack = run.stack
    // Stores that are added and not removed are a part of the stack.
    keepsStoreSteps = recording.steps.contains { $0.removesStore }
    if !keepsStoreSteps { stack.addStores(of: recording.steps) }
    keepers = ObjectKeepers(&stack)
    mainContext = ContextID(stack.contexts.count)
    stack.contexts.append(
      Stack.Context(
        name: "mainThread", concurrencyType: .mainQueue, parent: .coordinator(CoordinatorID(0))))
    for (index, entry) in recording.items.enumerated() {
      itemsOfPiece[entry.piece, default: []].append(index)
      if case .enqueued(let piece, let queue, _) = entry.item { queueOfPiece[piece] = queue }
    }
    let objects = objects
    mapping.name = { objects[$0.index] }
    findPlaces()
    prepareSteps()
  }

  // MARK: Queues

  private mutating func findPlaces() {
    let stack = run.stack
    let (main, ofContexts, ofApp) = run.look { world in
      (
        world.mainQueue, stack.contextIDs.map { world.queue(of: $0) },
        stack.queues.indices.map { world.queue(ofApp: AppQueueID($0)) }
      )
    }
    for (index, queue) in ofContexts.enumerated() where places[queue] == nil {
      places[queue] = .context(ContextID(index))
    }
    for (index, queue) in ofApp.enumerated() { places[queue] = .app(AppQueueID(index)) }
    places[main] = .main
  }

  /// A queue that has no name in the run gets one.
  private mutating func place(of queue: QueueID) -> Place {
    if let place = places[queue] { return place }
    let place = Place.app(AppQueueID(stack.queues.count))
    stack.queues.append(Stack.Queue(name: "queue\(stack.queues.count + 1)"))
    places[queue] = place
    return place
  }

  // MARK: Objects

  /// What names stand for changes in the order of the run, whichever block does it.
  private mutating func prepareSteps() {
    var keepers = keepers
    for case (let index, .held(let instance)) in recording.items.map(\.item).enumerated() {
      keepers.lastHolds[objects[instance.name.index]] = index
    }
    for (index, entry) in recording.items.enumerated() {
      switch entry.item {
      case .held(let instance):
        let instance = HeldInstance(instance.context, objects[instance.name.index])
        if let step = keepers.hold(instance) { preparations[index] = [step] }
      case .action(.step(let step, let phase)) where phase == .whole || phase == .flush:
        let step = mapping(step)
        steps[index] = step
        preparations[index] = keepers.follow(step, at: index, in: stack)
      default: break
      }
    }
  }

  // MARK: Steps

  /// The program, in the order in which each piece of code asked.
  mutating func program() -> Program {
    let steps = programOfMainThread()
    return program(of: steps)
  }

  /// The same without blocks: one step after the other, each where it took effect. Shorter, and
  /// what one thread can do alone fails in the same way.
  func flatProgram(_ order: [Performed]) -> Program {
    program(
      of: order.compactMap { performed in
        switch performed.due.action {
        case .step(let step, let phase): phase == .whole || phase == .commit ? step : nil
        case .merge(let context, let number):
          performed.isAsked
            ? AddressedStep(context, .mergeChanges(recording.source(number))) : nil
        case .mergeRemote(let context, let number):
          AddressedStep(context, .mergeRemoteChanges(recording.source(number)))
        case .endOfEvent(let context):
          performed.due.events?.isEmpty == false
            ? AddressedStep(context, .processPendingChanges) : nil
        case .endOfDelivery, .wrongQueue: nil
        }
      })
  }

  /// Without the contexts of this type at the end of the stack if no step needs them.
  private func program(of steps: [AddressedStep]) -> Program {
    let last = run.stack.contexts.count
    let isUsed = steps.contains { $0.contains { $0.context.index >= last } }
    var stack = stack
    if !isUsed { stack.contexts.removeLast(stack.contexts.count - last) }
    stack.makeNamesPlain()
    return Program(model: model, stack: stack, names: names, steps: steps)
  }

  /// The main thread has its queue, but for its run loop.
  private mutating func programOfMainThread() -> [AddressedStep] {
    var items = (itemsOfPiece[0] ?? [])[...]
    var program: [AddressedStep] = []
    while !items.isEmpty {
      let block = steps(in: &items, isInLoop: false)
      if !block.isEmpty {
        program +=
          sharesMainQueue
          ? [AddressedStep(mainContext, .performAndWait(block))] : block
      }
      program += steps(in: &items, isInLoop: true)
    }
    return program
  }

  /// Whether something else than the main thread's own code needs the main queue.
  private var sharesMainQueue: Bool {
    let main = run.look { $0.mainQueue }
    return recording.items.contains { entry in
      switch entry.item {
      case .enqueued(_, let queue, _): queue == main
      case .begin(let queue): queue == main
      default: false
      }
    }
      || recording.performed.contains { performed in
        if case .byItself(_, let queue) = performed.what { queue == main } else { false }
      }
  }

  /// The steps of a block, up to its end or, on the main thread, a change of its run loop.
  private mutating func steps(
    in items: inout ArraySlice<Int>, isInLoop: Bool? = nil
  ) -> [AddressedStep] {
    var block: [AddressedStep] = []
    while let index = items.popFirst() {
      block += preparations[index] ?? []
      switch recording.items[index].item {
      case .action(let action): block += step(of: action, index).map { [$0] } ?? []
      case .held: break
      case .wrongQueue(let context):
        block.append(AddressedStep(context, .directly([AddressedStep(context, .hasChanges)])))
      case .enqueued(let piece, let queue, let delay):
        if let step = enqueuing(piece, on: queue, afterMilliseconds: delay) { block.append(step) }
      case .begin(let queue):
        let inner = steps(in: &items)
        block.append(waiting(for: inner, on: queue))
      case .end: return block
      case .loop: if isInLoop == false { return block }
      case .endOfLoop: if isInLoop == true { return block }
      case .sleep(let milliseconds): block.append(AddressedStep(mainContext, .sleep(milliseconds)))
      case .suspend(let queue):
        if let queue = appQueue(queue) { block.append(AddressedStep(mainContext, .suspend(queue))) }
      case .resume(let queue):
        if let queue = appQueue(queue) { block.append(AddressedStep(mainContext, .resume(queue))) }
      }
    }
    return block
  }

  private mutating func appQueue(_ queue: QueueID) -> AppQueueID? {
    if case .app(let queue) = place(of: queue) { queue } else { nil }
  }

  private func step(of action: Action, _ index: Int) -> AddressedStep? {
    switch action {
    case .step: steps[index].flatMap { !keepsStoreSteps && $0.addsStore ? nil : $0 }
    case .merge(let context, let number):
      AddressedStep(context, .mergeChanges(recording.source(number)))
    case .mergeRemote(let context, let number):
      AddressedStep(context, .mergeRemoteChanges(recording.source(number)))
    case .wrongQueue, .endOfEvent, .endOfDelivery: nil
    }
  }

  private mutating func enqueuing(
    _ piece: Int, on queue: QueueID, afterMilliseconds delay: Int
  ) -> AddressedStep? {
    var items = (itemsOfPiece[piece] ?? [])[...]
    let block = steps(in: &items)
    let step: AddressedStep
    switch place(of: queue) {
    case .main: step = AddressedStep(mainContext, .perform(block))
    case .context(let context): step = AddressedStep(context, .perform(block))
    case .app(let queue): step = AddressedStep(mainContext, .async(queue, block))
    }
    guard !block.isEmpty else { return nil }
    guard delay > 0 else { return step }
    let timer = AppQueueID(stack.queues.count)
    stack.queues.append(Stack.Queue(name: "timer\(stack.queues.count + 1)"))
    return AddressedStep(
      mainContext, .async(timer, [AddressedStep(mainContext, .sleep(delay)), step]))
  }

  private mutating func waiting(for block: [AddressedStep], on queue: QueueID) -> AddressedStep {
    switch place(of: queue) {
    case .main: AddressedStep(mainContext, .performAndWait(block))
    case .context(let context): AddressedStep(context, .performAndWait(block))
    case .app(let queue): AddressedStep(mainContext, .sync(queue, block))
    }
  }

  // MARK: The order

  /// What is performed, on which queue of the program, and whether a step asks for it.
  typealias Performed = (due: GuidedRun.Due, isAsked: Bool)

  /// What is performed, in order.
  func order() -> [Performed] {
    let world = World(model: model, stack: stack, quirks: QuirkSet(), bugs: PlantedBugSet())
    var order: [Performed] = []
    var performed = recording.performed[...]
    for index in 0...recording.items.count {
      while let next = performed.first, next.itemCount <= index {
        performed.removeFirst()
        order += dues(of: next.what, next.events, in: world)
      }
      guard index < recording.items.count, case .held = recording.items[index].item else {
        continue
      }
      order += preparing(index, in: world)
    }
    return order
  }

  private func dues(
    of performed: Recording.Performed, _ events: [Event], in world: World
  ) -> [Performed] {
    switch performed {
    case .asked(let item, let action):
      guard let action = translated(action, item), !RecordedBlocks.isForgotten(action) else {
        return []
      }
      let due = GuidedRun.Due(
        action, on: queue(ofItem: item, in: world), events: action.isSilent ? nil : events)
      return preparing(item, in: world) + [(due, true)]
    case .byItself(let action, let queue):
      let queue = queue.flatMap { self.queue($0, in: world) }
      return [(GuidedRun.Due(action, on: queue, events: events), false)]
    }
  }

  private func preparing(_ item: Int, in world: World) -> [Performed] {
    (preparations[item] ?? []).map {
      (GuidedRun.Due(.step($0, .whole), on: queue(ofItem: item, in: world), events: nil), true)
    }
  }

  private func queue(ofItem item: Int, in world: World) -> QueueID? {
    queueOfPiece[recording.items[item].piece].flatMap { queue($0, in: world) }
  }

  private func translated(_ action: Action, _ item: Int) -> Action? {
    guard case .step(_, let phase) = action else { return action }
    guard case .action(.step(let asked, _)) = recording.items[item].item else { return nil }
    // Only the first phase of a save is a step of the program.
    return .step(steps[item] ?? mapping(asked), phase)
  }

  private func queue(_ queue: QueueID, in world: World) -> QueueID? {
    switch places[queue] {
    case .main: world.mainQueue
    case .context(let context): world.queue(of: context)
    case .app(let queue): world.queue(ofApp: queue)
    case nil: nil
    }
  }

  /// Whether it is in the run alone, or in the program alone.
  static func isForgotten(_ action: Action) -> Bool {
    switch action {
    case .wrongQueue: return true
    case .step(let step, _):
      return switch step.step {
      case .addStore, .discard, .suspend, .resume, .sleep: true
      default: false
      }
    default: return false
    }
  }
}

/// Contexts that hold an instance of what code knows by its ID alone: a program has no IDs.
struct ObjectKeepers {
  /// By coordinator.
  private let contexts: [ContextID]
  private var holders: [ObjectName: [ContextID]] = [:]
  /// The last item in which code gets hold of an instance of the object.
  var lastHolds: [ObjectName: Int] = [:]

  init(_ stack: inout Stack) {
    contexts = stack.coordinators.indices.map { index in
      let coordinator = stack.coordinators[index].name
      stack.contexts.append(
        Stack.Context(
          name: "idsOf" + coordinator.prefix(1).uppercased() + coordinator.dropFirst(),
          concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(index))))
      return ContextID(stack.contexts.count - 1)
    }
  }

  /// The step by which a context gets hold of an object that another one has.
  mutating func hold(_ instance: HeldInstance) -> AddressedStep? {
    let known = holders[instance.name] ?? []
    guard !known.contains(instance.context), let holder = known.first else { return nil }
    holders[instance.name] = known + [instance.context]
    return AddressedStep(
      instance.context,
      .object(with: HeldInstance(holder, instance.name), as: instance.name))
  }

  /// Follows what a step does to names; what has to come before it.
  mutating func follow(_ step: AddressedStep, at item: Int, in stack: Stack) -> [AddressedStep] {
    switch step.step {
    case .insert(_, as: let name):
      holders[name, default: []].append(step.context)
      return []
    case .release(let name): return forget([name], in: step.context, at: item, stack)
    case .discard:
      return forget(holders.keys.sorted(), in: step.context, at: item, stack)
    default: return []
    }
  }

  private mutating func forget(
    _ names: [ObjectName], in context: ContextID, at item: Int, _ stack: Stack
  ) -> [AddressedStep] {
    names.compactMap { name in
      guard holders[name]?.contains(context) == true else { return nil }
      defer { holders[name]?.removeAll { $0 == context } }
      guard holders[name] == [context], lastHolds[name, default: -1] > item else { return nil }
      return hold(HeldInstance(contexts[stack.coordinator(of: context).index], name))
    }
  }
}

extension Action {
  /// Whether nobody looks at what it comes to: an instance is let go.
  fileprivate var isSilent: Bool {
    guard case .step(let step, _) = self else { return false }
    return switch step.step {
    case .release: true
    default: false
    }
  }
}

extension AddressedStep {
  fileprivate var addsStore: Bool { if case .addStore = step { true } else { false } }
  fileprivate var removesStore: Bool { if case .removeStore = step { true } else { false } }
}

extension Stack {
  /// Adds the stores that steps add.
  fileprivate mutating func addStores(of steps: [AddressedStep]) {
    for step in steps {
      guard case .addStore(let store) = step.step else { continue }
      coordinators[coordinator(of: step.context).index].stores.append(store)
    }
  }
}
