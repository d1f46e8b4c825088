public import Foundation
import LiveCode
import SimulatedCoreData

/// The thread that code believes to run on: takes the place of `Thread`.
open class SimulatedThread: NSObject, @unchecked Sendable {
  private let block: (() -> Void)?
  /// What code notes of the thread.
  public let threadDictionary = NSMutableDictionary()
  /// A name for reports; of no effect.
  open var name: String?
  /// Of no effect: any thread may be the slowest.
  open var qualityOfService = QualityOfService.default
  /// Whether it is the main thread.
  open var isMainThread: Bool { self === SimulatedThread.main }
  /// Whether it was asked to end.
  open private(set) var isCancelled = false
  /// Whether it has ended.
  open private(set) var isFinished = false

  /// A thread whose code a subclass has in `main`.
  public override init() { block = nil }

  /// A thread that runs `block` once it is started.
  public init(block: @escaping @Sendable () -> Void) { self.block = block }

  /// Whether the calling code runs on the main thread. Outside of a run, the host's answer.
  open class var isMainThread: Bool {
    RunState.ifRunning.map(\.run.isOnMainThread) ?? Thread.isMainThread
  }

  /// The main thread of the run.
  open class var main: SimulatedThread { RunState.current.mainThread }

  /// The thread of the calling code. Code of different blocks may share a dictionary on the main
  /// thread only: each other block has a thread of its own.
  open class var current: SimulatedThread {
    let state = RunState.current
    return state.run.isOnMainThread ? state.mainThread : state.thread(of: state.run.running)
  }

  /// Lets virtual time pass.
  open class func sleep(forTimeInterval seconds: TimeInterval) {
    RunState.current.run.sleep(milliseconds: max(0, Int((seconds * 1_000).rounded())))
  }

  /// Lets virtual time pass until a date of it.
  open class func sleep(until date: Date) {
    sleep(forTimeInterval: date.timeIntervalSince(SimulatedValues.date))
  }

  /// Runs `block` beside everything else.
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
    SimulatedThread(block: block).start()
  }

  /// Begins.
  open func start() {
    let run = RunState.current.run
    run.enqueue(on: run.makeQueue(), origin: name ?? "") { [self] in
      RunState.current.setThread(self, of: run.running)
      main()
      isFinished = true
    }
  }

  /// What the thread does.
  open func main() { block?() }

  /// Asks it to end, which is up to its code.
  open func cancel() { isCancelled = true }
}

/// The run loop of the main thread: takes the place of `RunLoop`.
public final class SimulatedRunLoop: NSObject, Sendable {
  /// Which sources a run loop listens to. Every mode is the same here.
  public typealias Mode = RunLoop.Mode
  /// The main thread's.
  public static let main = SimulatedRunLoop()
  /// The main thread's: other threads have none here.
  public static var current: SimulatedRunLoop {
    guard SimulatedThread.isMainThread else {
      misuse("a run loop of another thread than the main one")
    }
    return main
  }

  /// Lets everything go on until a date of virtual time, or until nothing can.
  public func run(until date: Date) {
    let seconds = max(0, date.timeIntervalSince(SimulatedValues.date))
    RunState.current.run.runMainLoop(milliseconds: Int((min(seconds, 1e9) * 1_000).rounded()))
  }

  /// Likewise; true, because there is always a source.
  @discardableResult
  public func run(mode: RunLoop.Mode, before date: Date) -> Bool {
    // A turn ends after a source: those who wait in a loop ask again.
    run(until: min(date, SimulatedValues.date.addingTimeInterval(0.01)))
    return true
  }

  /// Enqueues a block on the main thread.
  public func perform(
    file: String = #fileID, line: Int = #line, _ block: @escaping @Sendable () -> Void
  ) {
    SimulatedDispatchQueue.main.async(file: file, line: line, execute: block)
  }

  /// Has a timer fire on the main thread.
  public func add(_ timer: SimulatedTimer, forMode mode: RunLoop.Mode) { timer.schedule() }

  /// Has no effect: a port only keeps a run loop from ending, and this one never ends by itself.
  public func add(_ port: Port, forMode mode: RunLoop.Mode) {}

  /// Has no effect, as adding a port has none.
  public func remove(_ port: Port, forMode mode: RunLoop.Mode) {}
}

/// Fires on the main thread, in virtual time: takes the place of `Timer`. One that repeats ends
/// with the code that the run was begun with: no run would end otherwise.
public final class SimulatedTimer: NSObject, @unchecked Sendable {
  /// In seconds.
  public let timeInterval: TimeInterval
  /// The date at which it fires first; otherwise, it fires first after `timeInterval`.
  private var firstDate: Date?
  private let repeats: Bool
  private let block: (SimulatedTimer) -> Void
  /// What its maker notes of it.
  public private(set) var userInfo: Any?
  /// Whether it will fire.
  public private(set) var isValid = true
  /// Of no effect.
  public var tolerance: TimeInterval = 0
  /// How reports call its blocks.
  package var origin = "timer"

  /// A timer that is added to a run loop later.
  public init(
    timeInterval: TimeInterval, repeats: Bool, block: @escaping (SimulatedTimer) -> Void
  ) {
    (self.timeInterval, self.repeats, self.block) = (timeInterval, repeats, block)
  }

  /// A timer that does nothing, as a property begins with.
  public convenience override init() { self.init(timeInterval: 0, repeats: false) { _ in } }

  /// A timer that is added to a run loop later, and fires first at a date.
  public convenience init(
    fire date: Date, interval: TimeInterval, repeats: Bool,
    block: @escaping (SimulatedTimer) -> Void
  ) {
    self.init(timeInterval: interval, repeats: repeats, block: block)
    firstDate = date
  }

  /// A timer that is added to a run loop later, and calls a method.
  public convenience init(
    timeInterval: TimeInterval, target: Any, selector: SimulatedSelector, userInfo: Any?,
    repeats: Bool
  ) {
    self.init(timeInterval: timeInterval, repeats: repeats) { selector.call(target, $0) }
    self.userInfo = userInfo
  }

  /// A timer that is added to a run loop later, fires first at a date, and calls a method.
  public convenience init(
    fireAt date: Date, interval: TimeInterval, target: Any, selector: SimulatedSelector,
    userInfo: Any?, repeats: Bool
  ) {
    self.init(
      timeInterval: interval, target: target, selector: selector, userInfo: userInfo,
      repeats: repeats)
    firstDate = date
  }

  /// A timer that runs.
  public static func scheduledTimer(
    withTimeInterval interval: TimeInterval, repeats: Bool,
    block: @escaping (SimulatedTimer) -> Void
  ) -> SimulatedTimer {
    let timer = SimulatedTimer(timeInterval: interval, repeats: repeats, block: block)
    timer.schedule()
    return timer
  }

  /// A timer that runs, and calls a method.
  public static func scheduledTimer(
    timeInterval: TimeInterval, target: Any, selector: SimulatedSelector, userInfo: Any?,
    repeats: Bool
  ) -> SimulatedTimer {
    let timer = SimulatedTimer(
      timeInterval: timeInterval, target: target, selector: selector, userInfo: userInfo,
      repeats: repeats)
    timer.schedule()
    return timer
  }

  func schedule() {
    let run = RunState.current.run
    let seconds = firstDate?.timeIntervalSince(SimulatedValues.date) ?? timeInterval
    firstDate = nil
    run.enqueue(
      on: run.look { $0.mainQueue },
      afterMilliseconds: max(1, Int((min(seconds, 1e9) * 1_000).rounded())),
      origin: origin
    ) { [self] in
      guard isValid else { return }
      fire()
      if repeats, isValid, run.isMainCodeRunning { schedule() }
    }
  }

  /// Calls the block now.
  public func fire() {
    guard isValid else { return }
    if !repeats { isValid = false }
    block(self)
  }

  /// It fires no more.
  public func invalidate() { isValid = false }
}
