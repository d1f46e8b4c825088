import Execution
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The items of a recording as steps, in the blocks in which code requested them. The extension
/// `+Order` derives the order in which they happened.
struct RecordedBlocks {
  /// The counterpart of a queue in the program.
  enum Place {
    case main
    case context(ContextID)
    case app(AppQueueID)
  }

  let run: LiveRun
  let recording: Recording
  var model: ObjectModel { run.model }
  var stack: Stack
  /// The object that each name of the run stands for.
  private let objects: [ObjectName]
  private let names: [String]
  private let nameOfObject: [ObjectID: ObjectName]
  var mapping = StepMapping()
  /// The indices of each job's items, in order.
  private var itemsOfJob: [Int: [Int]] = [:]
  /// The queue on which each job was enqueued.
  var queueOfJob: [Int: QueueID] = [:]
  /// The context whose event each job ends.
  private var eventOfJob: [Int: ContextID] = [:]
  var places: [QueueID: Place] = [:]
  /// The step of each item. The property `preparations` has the steps before it.
  var steps: [Int: AddressedStep] = [:]
  var preparations: [Int: [AddressedStep]] = [:]
  /// The context whose queue is the main queue.
  let mainContext: ContextID
  private let keepers: ObjectKeepers
  private let keepsStoreSteps: Bool

  init(_ run: LiveRun, _ recording: Recording, _ trace: Trace) {
    self.run = run
    self.recording = recording
    (objects, names, nameOfObject) = trace.objects(in: run)
    stack = run.stack
    for context in run.discardedFollowers {
      stack.contexts[context.index].automaticallyMergesChangesFromParent = true
    }
    // Unless a step removes a store, all stores are part of the stack from the beginning.
    keepsStoreSteps = recording.steps.contains { $0.removesStore }
    if !keepsStoreSteps { stack.addStores(of: recording.steps) }
    keepers = ObjectKeepers(&stack)
    mainContext = ContextID(stack.contexts.count)
    stack.contexts.append(
      Stack.Context(
        name: "mainThread", concurrencyType: .mainQueue, parent: .coordinator(CoordinatorID(0))))
    for (index, entry) in recording.items.enumerated() {
      itemsOfJob[entry.job, default: []].append(index)
      if case .enqueued(let job, let queue, let event, _) = entry.item {
        (queueOfJob[job], eventOfJob[job]) = (queue, event)
      }
    }
    let objects = objects
    mapping.name = { objects[$0.index] }
    findPlaces()
    prepareSteps()
  }

  // MARK: Queues

  private mutating func findPlaces() {
    let stack = run.stack
    let (main, ofContexts, ofApp) = run.withWorld { world in
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

  /// Returns the place of a queue. Names the queue if it has no name in the run.
  private mutating func place(of queue: QueueID) -> Place {
    if let place = places[queue] { return place }
    let place = Place.app(AppQueueID(stack.queues.count))
    stack.queues.append(Stack.Queue(name: "queue\(stack.queues.count + 1)"))
    places[queue] = place
    return place
  }

  // MARK: Objects

  /// The objects with names that each fetch found, indexed by item. A program holds them after the
  /// fetch.
  private var resultsOfFetches: [Int: [ObjectName]] {
    var results: [Int: [ObjectName]] = [:]
    for (what, events, _) in recording.performed {
      guard case .asked(let item, .step(let step, _)) = what, case .fetch = step.step,
        case .objects(let ids)? = events.last
      else { continue }
      results[item] = ids.compactMap { id in
        nameOfObject[run.read { $0.permanentID(of: id) }]
      }
    }
    return results
  }

  /// Translates items into steps in the order of the run, across blocks, because the objects that
  /// contexts hold change in this order.
  private mutating func prepareSteps() {
    var keepers = keepers
    let resultsOfFetches = resultsOfFetches
    for case (let index, .held(let instance)) in recording.items.map(\.item).enumerated() {
      keepers.lastHolds[objects[instance.name.index]] = index
    }
    for (index, entry) in recording.items.enumerated() where isInProgram(entry.job) {
      switch entry.item {
      case .held(let instance):
        let instance = HeldInstance(instance.context, objects[instance.name.index])
        if let step = keepers.hold(instance) { preparations[index] = [step] }
      case .action(.step(let step, let phase)) where phase == .whole || phase == .flush:
        let step = mapping(step)
        steps[index] = step
        preparations[index] = keepers.follow(step, at: index, in: stack)
        keepers.hold(resultsOfFetches[index] ?? [], in: step.context)
      default: break
      }
    }
  }

  /// Returns whether a job is a block of the program. The main code is one, and so is each job
  /// that code enqueued.
  func isInProgram(_ job: Int) -> Bool { job == 0 || queueOfJob[job] != nil }

  // MARK: Steps

  /// Returns the program whose blocks have their steps in the order in which the code requested
  /// them.
  mutating func program() -> Program {
    let steps = programOfMainThread()
    return program(of: steps)
  }

  /// Returns the program without blocks, with all steps in the order in which they took effect. It
  /// is shorter, and shows every failure that a single thread can cause.
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

  /// Returns a program of these steps. Drops the contexts that this type has appended to the stack
  /// if no step needs them.
  private func program(of steps: [AddressedStep]) -> Program {
    let last = run.stack.contexts.count
    let isUsed = steps.contains { $0.contains { $0.context.index >= last } }
    var stack = stack
    if !isUsed { stack.contexts.removeLast(stack.contexts.count - last) }
    stack.makeNamesPlain()
    return Program(model: model, stack: stack, names: names, steps: steps)
  }

  /// Returns the steps of the main thread, which holds the main queue except in its run loop.
  private mutating func programOfMainThread() -> [AddressedStep] {
    var items = (itemsOfJob[0] ?? [])[...]
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

  /// A Boolean value that indicates whether any code besides the main thread's needs the main
  /// queue.
  private var sharesMainQueue: Bool {
    let main = run.withWorld { $0.mainQueue }
    return recording.items.contains { entry in
      switch entry.item {
      case .enqueued(_, let queue, _, _): queue == main
      case .begin(let queue): queue == main
      default: false
      }
    }
      || recording.performed.contains { performed in
        if case .byItself(_, let queue) = performed.what { queue == main } else { false }
      }
  }

  /// Returns the steps of a block up to its end. On the main thread, also stops where the run loop
  /// begins or ends.
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
      case .enqueued(let job, let queue, _, let delay):
        if let step = enqueuing(job, on: queue, afterMilliseconds: delay) { block.append(step) }
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
    _ job: Int, on queue: QueueID, afterMilliseconds delay: Int
  ) -> AddressedStep? {
    var items = (itemsOfJob[job] ?? [])[...]
    let block = steps(in: &items)
    let event = eventOfJob[job]
    let step: AddressedStep
    switch place(of: queue) {
    case .main: step = AddressedStep(event ?? mainContext, .perform(block))
    case .context(let context): step = AddressedStep(context, .perform(block))
    case .app(let queue): step = AddressedStep(mainContext, .async(queue, block))
    }
    // An empty block is needed if its end is the end of an event.
    guard !block.isEmpty || event != nil else { return nil }
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
}

extension AddressedStep {
  fileprivate var addsStore: Bool { if case .addStore = step { true } else { false } }
  fileprivate var removesStore: Bool { if case .removeStore = step { true } else { false } }
}

extension Stack {
  /// Adds the stores of `addStore` steps to the coordinators.
  fileprivate mutating func addStores(of steps: [AddressedStep]) {
    for step in steps {
      guard case .addStore(let store) = step.step else { continue }
      coordinators[coordinator(of: step.context).index].stores.append(store)
    }
  }
}
