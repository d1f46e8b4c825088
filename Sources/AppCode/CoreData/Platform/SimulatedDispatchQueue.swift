public import Foundation
import LiveCode
import SimulatedCoreData
import SimulatedDispatch

/// A queue of blocks that the run schedules. It replaces Dispatch's type in a module that declares
/// `typealias DispatchQueue = SimulatedDispatchQueue`.
public final class SimulatedDispatchQueue: Equatable, @unchecked Sendable {
  /// The attributes of a queue.
  public struct Attributes: OptionSet, Sendable {
    /// The bits of the attributes.
    public let rawValue: UInt64
    /// Creates attributes from bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Allows blocks to overlap.
    public static let concurrent = Attributes(rawValue: 2)
    /// Prevents blocks from running before `activate`.
    public static let initiallyInactive = Attributes(rawValue: 4)
  }

  /// The frequency with which a queue drains its autorelease pool, which has no effect.
  public enum AutoreleaseFrequency: Sendable {
    /// The frequency of the target queue.
    case inherit
    /// Drains the pool after each block.
    case workItem
    /// Never drains the pool.
    case never
  }

  enum Kind {
    case main, serial, concurrent
  }

  final class State {
    /// The engine's queue of a serial queue.
    var queue: QueueID?
    /// The number of running blocks of a concurrent queue.
    var running = 0
    var isBarred = false
    /// The blocks that wait for a barrier or a suspended queue, in order.
    var waiting: [(isBarrier: Bool, start: () -> Void)] = []
    var isSuspended = false
  }

  /// The name of the queue.
  public let label: String
  let kind: Kind
  private let target: SimulatedDispatchQueue?
  private let perRun: PerRun<State>
  private var specifics: [ObjectIdentifier: Any] = [:]

  /// The main queue.
  public static let main = SimulatedDispatchQueue(label: "com.apple.main-thread", kind: .main)

  private init(label: String, kind: Kind) {
    (self.label, self.kind, target) = (label, kind, nil)
    perRun = PerRun { State() }
  }

  /// Creates a queue that runs its blocks one after another or, with `.concurrent`, in parallel. A
  /// serial queue with a serial target, or the main queue as target, shares the target's turns.
  /// `qos` has no effect, because any queue may be the slowest. A queue that outlives a run is
  /// empty at the beginning of the next run.
  public init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: SimulatedDispatchQueue? = nil
  ) {
    self.label = label
    kind = attributes.contains(.concurrent) ? .concurrent : .serial
    self.target = target.flatMap { $0.kind == .concurrent ? nil : $0 }
    let isSuspended = attributes.contains(.initiallyInactive)
    perRun = PerRun {
      let state = State()
      state.isSuspended = isSuspended
      return state
    }
  }

  /// Returns a queue whose blocks run in parallel. `qos` has no effect.
  public static func global(
    qos: DispatchQoS.QoSClass = .default
  ) -> SimulatedDispatchQueue {
    SimulatedDispatchQueue(label: "com.apple.root.default-qos", kind: .concurrent)
  }

  var state: State { perRun.current }

  /// Returns the engine's queue for the next block. Each block of a concurrent queue has a separate
  /// engine queue.
  func place(in run: LiveRun) -> QueueID {
    if let target, kind == .serial { return target.place(in: run) }
    switch kind {
    case .main: return run.withWorld { $0.mainQueue }
    case .concurrent: return run.makeQueue()
    case .serial:
      if let queue = state.queue { return queue }
      let queue = run.isInHook ? run.makeQueue() : run.makeQueue(named: label)
      state.queue = queue
      if state.isSuspended { run.suspend(queue) }
      return queue
    }
  }

  /// A Boolean value that indicates whether the calling code runs on this queue, or on a queue with
  /// this target.
  var isCurrent: Bool {
    let state = RunState.current
    if kind == .main { return state.run.isOnMainThread }
    return state.currentQueues.contains { $0.chain.contains(self) }
  }

  /// The queue followed by its targets.
  private var chain: [SimulatedDispatchQueue] { [self] + (target?.chain ?? []) }

  /// Runs `work` as code of the queue.
  private func running<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = RunState.current
    state.currentQueues.append(self)
    defer { state.currentQueues.removeLast() }
    return try work()
  }

  /// Compares the identity of two queues.
  public static func == (a: SimulatedDispatchQueue, b: SimulatedDispatchQueue) -> Bool { a === b }

  // MARK: Blocks

  /// Enqueues a block. With the flag `.barrier`, no other block of a concurrent queue runs at the
  /// same time.
  public func async(
    group: SimulatedDispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], file: String = #fileID, line: Int = #line,
    execute work: @escaping () -> Void
  ) {
    let run = RunState.current.run
    group?.enter()
    enqueue(isBarrier: flags.contains(.barrier), afterMilliseconds: 0, "\(file):\(line)", run) {
      work()
      group?.leave()
    }
  }

  /// Enqueues a work item.
  public func async(
    group: SimulatedDispatchGroup? = nil, file: String = #fileID, line: Int = #line,
    execute work: SimulatedDispatchWorkItem
  ) {
    async(group: group, flags: work.flags, file: file, line: line) { work.perform() }
  }

  /// Enqueues a block at a point in virtual time.
  public func asyncAfter(
    deadline: SimulatedDispatchTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], file: String = #fileID, line: Int = #line,
    execute work: @escaping () -> Void
  ) {
    guard let delay = deadline.millisecondsFromNow else { return }
    let run = RunState.current.run
    enqueue(
      isBarrier: flags.contains(.barrier), afterMilliseconds: delay, "\(file):\(line)", run, work)
  }

  /// Enqueues a work item at a point in virtual time.
  public func asyncAfter(
    deadline: SimulatedDispatchTime, file: String = #fileID, line: Int = #line,
    execute work: SimulatedDispatchWorkItem
  ) {
    asyncAfter(deadline: deadline, flags: work.flags, file: file, line: line) { work.perform() }
  }

  private func enqueue(
    isBarrier: Bool, afterMilliseconds delay: Int, _ origin: String, _ run: LiveRun,
    _ work: @escaping () -> Void
  ) {
    guard kind == .concurrent else {
      return run.enqueue(
        on: place(in: run), afterMilliseconds: delay, origin: origin
      ) { [self] in running(work) }
    }
    if delay > 0 {
      return run.enqueue(on: run.makeQueue(), afterMilliseconds: delay, origin: origin) { [self] in
        enqueue(isBarrier: isBarrier, afterMilliseconds: 0, origin, run, work)
      }
    }
    let start = { [self] in
      run.enqueue(on: place(in: run), origin: origin) { [self] in
        running(work)
        leave()
      }
    }
    if enter(isBarrier: isBarrier) { start() } else { state.waiting.append((isBarrier, start)) }
  }

  /// Runs `work` on the queue and waits for it. A call on the caller's own serial queue never
  /// returns.
  @discardableResult
  public func sync<Result, Failure: Error>(
    execute work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try sync(flags: [], execute: work)
  }

  /// Runs `work` on the queue and waits for it. With the flag `.barrier`, a concurrent queue first
  /// finishes its other blocks.
  @discardableResult
  public func sync<Result, Failure: Error>(
    flags: DispatchWorkItemFlags, execute work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let run = RunState.current.run
    guard kind == .concurrent else {
      return try run.sync(on: place(in: run), isReentrant: false) { () throws(Failure) in
        try running(work)
      }
    }
    if !run.isInHook { run.yield() }
    if !enter(isBarrier: flags.contains(.barrier)) {
      let gate = Gate(run)
      state.waiting.append((flags.contains(.barrier), { gate.open() }))
      gate.pass(forMilliseconds: nil)
    }
    defer { leave() }
    return try running(work)
  }

  /// Runs a work item on the queue and waits for it.
  public func sync(execute work: SimulatedDispatchWorkItem) { sync { work.perform() } }

  /// Runs `work` for each number in parallel, and waits for all calls.
  public static func concurrentPerform(iterations: Int, execute work: @escaping (Int) -> Void) {
    let group = SimulatedDispatchGroup()
    for number in 0..<iterations { global().async(group: group) { work(number) } }
    group.wait()
  }

  // MARK: Barriers

  /// Begins a block on a concurrent queue if it may run now. Returns whether the block has begun.
  private func enter(isBarrier: Bool) -> Bool {
    let state = state
    guard state.waiting.isEmpty, !state.isBarred, !state.isSuspended,
      !isBarrier || state.running == 0
    else { return false }
    state.running += 1
    state.isBarred = isBarrier
    return true
  }

  private func leave() {
    let state = state
    state.running -= 1
    state.isBarred = false
    begin(state)
  }

  private func begin(_ state: State) {
    while let next = state.waiting.first, !state.isSuspended, !state.isBarred,
      !next.isBarrier || state.running == 0
    {
      state.waiting.removeFirst()
      state.running += 1
      state.isBarred = next.isBarrier
      next.start()
    }
  }

  // MARK: Suspending

  /// Prevents further blocks from beginning until `resume` is called.
  public func suspend() {
    let (state, run) = (state, RunState.current.run)
    guard !state.isSuspended else {
      misuse("a suspended queue is suspended again, which is not simulated")
    }
    guard target == nil else {
      misuse("a queue with a target is suspended, which is not simulated")
    }
    state.isSuspended = true
    if let queue = state.queue { run.suspend(queue) }
  }

  /// Allows blocks of a suspended queue to run again.
  public func resume() {
    let (state, run) = (state, RunState.current.run)
    guard state.isSuspended else { misuse("a queue that is not suspended is resumed") }
    state.isSuspended = false
    if let queue = state.queue { run.open(queue) }
    begin(state)
  }

  /// Starts an inactive queue.
  public func activate() { if state.isSuspended { resume() } }

  // MARK: Specifics

  /// Sets a value by which code can recognize that it runs on the queue.
  public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {
    specifics[ObjectIdentifier(key)] = value
  }

  /// Returns the queue's value for a key.
  public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? {
    specifics[ObjectIdentifier(key)] as? Value
  }

  /// Returns the value of the queue on which the calling code runs, or of the first target with a
  /// value.
  public static func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? {
    let state = RunState.current
    let current = state.currentQueues.last ?? (state.run.isOnMainThread ? main : nil)
    for queue in current?.chain ?? [] {
      if let value = queue.getSpecific(key: key) { return value }
    }
    return nil
  }
}

/// The condition of a `dispatchPrecondition`. Replaces `DispatchPredicate`.
public enum SimulatedDispatchPredicate {
  /// The code runs on the queue.
  case onQueue(SimulatedDispatchQueue)
  /// The code runs on the queue, with a barrier.
  case onQueueAsBarrier(SimulatedDispatchQueue)
  /// The code does not run on the queue.
  case notOnQueue(SimulatedDispatchQueue)
}

/// Ends the run if the condition is false, as Dispatch ends the process. Preparing a source
/// replaces `dispatchPrecondition` by this function.
///
/// Under Dispatch's name, `dispatchPrecondition(.onQueue(.main))` would be ambiguous.
public func simulatedDispatchPrecondition(
  condition: @autoclosure () -> SimulatedDispatchPredicate, file: StaticString = #fileID,
  line: UInt = #line
) {
  switch condition() {
  case .onQueue(let queue), .onQueueAsBarrier(let queue):
    precondition(queue.isCurrent, "not on queue \(queue.label)", file: file, line: line)
  case .notOnQueue(let queue):
    precondition(!queue.isCurrent, "on queue \(queue.label)", file: file, line: line)
  }
}
