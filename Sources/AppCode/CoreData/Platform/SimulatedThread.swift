public import Foundation
import LiveCode
import SimulatedCoreData

/// A thread as code sees it. Replaces `Thread`.
open class SimulatedThread: NSObject, @unchecked Sendable {
  private let block: (() -> Void)?
  /// Information that code keeps with the thread.
  public let threadDictionary = NSMutableDictionary()
  /// The thread's name in reports.
  open var name: String?
  /// The quality of service, which has no effect, because any thread may be the slowest.
  open var qualityOfService = QualityOfService.default
  /// A Boolean value that indicates whether the thread is the main thread.
  open var isMainThread: Bool { self === SimulatedThread.main }
  /// A Boolean value that indicates whether the thread was asked to end.
  open private(set) var isCancelled = false
  /// A Boolean value that indicates whether the thread has ended.
  open private(set) var isFinished = false

  /// Creates a thread for a subclass that overrides `main`.
  public override init() { block = nil }

  /// Creates a thread that runs `block` when it is started.
  public init(block: @escaping @Sendable () -> Void) { self.block = block }

  /// A Boolean value that indicates whether the calling code runs on the main thread. Outside a
  /// run, it refers to the process's main thread.
  open class var isMainThread: Bool {
    RunState.ifRunning.map(\.run.isOnMainThread) ?? Thread.isMainThread
  }

  /// The main thread of the run.
  open class var main: SimulatedThread { RunState.current.mainThread }

  /// The thread of the calling code. Each block outside the main thread has a separate thread, so
  /// only blocks on the main thread share a dictionary.
  open class var current: SimulatedThread {
    let state = RunState.current
    return state.run.isOnMainThread ? state.mainThread : state.thread(of: state.run.running)
  }

  /// Suspends the calling code while virtual time passes.
  open class func sleep(forTimeInterval seconds: TimeInterval) {
    RunState.current.run.sleep(milliseconds: max(0, Int((seconds * 1_000).rounded())))
  }

  /// Suspends the calling code until a date in virtual time.
  open class func sleep(until date: Date) {
    sleep(forTimeInterval: date.timeIntervalSince(SimulatedValues.date))
  }

  /// Runs `block` on a new thread.
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
    SimulatedThread(block: block).start()
  }

  /// Starts the thread.
  open func start() {
    let run = RunState.current.run
    run.enqueue(on: run.makeQueue(), origin: name ?? "") { [self] in
      RunState.current.setThread(self, of: run.running)
      main()
      isFinished = true
    }
  }

  /// Runs the thread's code.
  open func main() { block?() }

  /// Asks the thread to end. The thread's code decides whether it does.
  open func cancel() { isCancelled = true }
}

/// A run loop. Replaces `RunLoop`. Only the main thread's run loop has sources: on other threads, a
/// run ends immediately, as that of a run loop without sources does.
public final class SimulatedRunLoop: NSObject, Sendable {
  /// The mode of a run loop. All modes are equivalent in the simulation.
  public typealias Mode = RunLoop.Mode
  /// The run loop of the main thread.
  public static let main = SimulatedRunLoop(isMain: true)
  private static let withoutSources = SimulatedRunLoop(isMain: false)
  /// The run loop of the calling thread.
  public static var current: SimulatedRunLoop {
    SimulatedThread.isMainThread ? main : withoutSources
  }

  private let isMain: Bool

  private init(isMain: Bool) { self.isMain = isMain }

  /// Lets other code run until a date in virtual time.
  public func run(until date: Date) {
    guard isMain else { return }
    let seconds = max(0, date.timeIntervalSince(SimulatedValues.date))
    RunState.current.run.runMainLoop(milliseconds: Int((min(seconds, 1e9) * 1_000).rounded()))
  }

  /// Lets other code run for a short virtual time, at most until a date. Returns false if the run
  /// loop has no sources.
  @discardableResult
  public func run(mode: RunLoop.Mode, before date: Date) -> Bool {
    // A turn ends after one source, and code that waits in a loop calls the method again.
    run(until: min(date, SimulatedValues.date.addingTimeInterval(0.01)))
    return isMain
  }

  /// Enqueues a block on the main thread. Traps for the run loop of another thread.
  public func perform(
    file: String = #fileID, line: Int = #line, _ block: @escaping @Sendable () -> Void
  ) {
    refuseSources()
    SimulatedDispatchQueue.main.async(file: file, line: line, execute: block)
  }

  /// Schedules a timer on the main thread. Traps for the run loop of another thread.
  public func add(_ timer: SimulatedTimer, forMode mode: RunLoop.Mode) {
    refuseSources()
    timer.schedule()
  }

  private func refuseSources() {
    if !isMain { misuse("a source of a run loop is simulated only on the main thread") }
  }

  /// Has no effect. A port only keeps a run loop from ending, and this run loop never ends by
  /// itself.
  public func add(_ port: Port, forMode mode: RunLoop.Mode) {}

  /// Has no effect, because adding a port has none.
  public func remove(_ port: Port, forMode mode: RunLoop.Mode) {}
}

/// Fires on the main thread, in virtual time. Replaces `Timer`. A repeating timer stops when the
/// run's main code has ended, because the run could not end otherwise.
public final class SimulatedTimer: NSObject, @unchecked Sendable {
  /// The interval in seconds.
  public let timeInterval: TimeInterval
  /// The date at which the timer first fires. If it is nil, the timer first fires after
  /// `timeInterval`.
  private var firstDate: Date?
  private let repeats: Bool
  private let block: (SimulatedTimer) -> Void
  /// Information that the creator of the timer keeps with it.
  public private(set) var userInfo: Any?
  /// A Boolean value that indicates whether the timer will fire.
  public private(set) var isValid = true
  /// The tolerance, which has no effect.
  public var tolerance: TimeInterval = 0
  /// The name of the timer's blocks in reports.
  package var origin = "timer"

  /// Creates a timer to add to a run loop later.
  public init(
    timeInterval: TimeInterval, repeats: Bool, block: @escaping (SimulatedTimer) -> Void
  ) {
    (self.timeInterval, self.repeats, self.block) = (timeInterval, repeats, block)
  }

  /// Creates a timer that does nothing, as an initial value of a property.
  public convenience override init() { self.init(timeInterval: 0, repeats: false) { _ in } }

  /// Creates a timer that first fires at a date, to add to a run loop later.
  public convenience init(
    fire date: Date, interval: TimeInterval, repeats: Bool,
    block: @escaping (SimulatedTimer) -> Void
  ) {
    self.init(timeInterval: interval, repeats: repeats, block: block)
    firstDate = date
  }

  /// Creates a timer that calls a method, to add to a run loop later.
  public convenience init(
    timeInterval: TimeInterval, target: Any, selector: SimulatedSelector, userInfo: Any?,
    repeats: Bool
  ) {
    self.init(timeInterval: timeInterval, repeats: repeats) { selector.call(target, $0) }
    self.userInfo = userInfo
  }

  /// Creates a timer that first fires at a date and calls a method, to add to a run loop later.
  public convenience init(
    fireAt date: Date, interval: TimeInterval, target: Any, selector: SimulatedSelector,
    userInfo: Any?, repeats: Bool
  ) {
    self.init(
      timeInterval: interval, target: target, selector: selector, userInfo: userInfo,
      repeats: repeats)
    firstDate = date
  }

  /// Creates and schedules a timer.
  public static func scheduledTimer(
    withTimeInterval interval: TimeInterval, repeats: Bool,
    block: @escaping (SimulatedTimer) -> Void
  ) -> SimulatedTimer {
    let timer = SimulatedTimer(timeInterval: interval, repeats: repeats, block: block)
    timer.schedule()
    return timer
  }

  /// Creates and schedules a timer that calls a method.
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
      on: run.withWorld { $0.mainQueue },
      afterMilliseconds: max(1, Int((min(seconds, 1e9) * 1_000).rounded())),
      origin: origin
    ) { [self] in
      guard isValid else { return }
      fire()
      if repeats, isValid, run.isMainCodeRunning { schedule() }
    }
  }

  /// Calls the block immediately, if the timer is valid.
  public func fire() {
    guard isValid else { return }
    if !repeats { isValid = false }
    block(self)
  }

  /// Stops the timer from firing.
  public func invalidate() { isValid = false }
}
