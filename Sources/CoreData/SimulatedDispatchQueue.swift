public import Foundation
import LiveCode
import SimulatedCoreData
import SimulatedDispatch

/// A queue of blocks, scheduled by the run: takes the place of Dispatch's in a module that says
/// `typealias DispatchQueue = SimulatedDispatchQueue`.
public final class SimulatedDispatchQueue: @unchecked Sendable {
  /// How a queue runs its blocks.
  public struct Attributes: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt64
    /// From bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Blocks may overlap.
    public static let concurrent = Attributes(rawValue: 2)
  }

  /// Its name.
  public let label: String
  private let isMain: Bool
  private let isConcurrent: Bool
  // A queue may be made before the run, and outlive it.
  private weak var run: LiveRun?
  private var queue: QueueID?

  /// The main queue.
  public static let main = SimulatedDispatchQueue(isMain: true)

  private init(isMain: Bool) {
    label = "com.apple.main-thread"
    (self.isMain, isConcurrent) = (isMain, false)
  }

  /// A queue that runs its blocks one after the other or, with `.concurrent`, beside each other.
  /// `qos` is of no effect: any queue may be the slowest. A queue that outlives a run begins the
  /// next one empty.
  public init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = []) {
    self.label = label
    isMain = false
    isConcurrent = attributes.contains(.concurrent)
  }

  /// A queue whose blocks run beside each other. `qos` is of no effect.
  public static func global(
    qos: DispatchQoS.QoSClass = .default
  ) -> SimulatedDispatchQueue {
    SimulatedDispatchQueue(label: "com.apple.root.default-qos", attributes: .concurrent)
  }

  /// Where the next block goes. Blocks of a concurrent queue have a queue each.
  private func place(in run: LiveRun) -> QueueID {
    if isMain { return run.look { $0.mainQueue } }
    if isConcurrent { return run.makeQueue() }
    if let queue, self.run === run { return queue }
    let new = run.makeQueue(named: label)
    (self.run, queue) = (run, new)
    return new
  }

  /// Enqueues a block.
  public func async(
    group: SimulatedDispatchGroup? = nil, file: String = #fileID, line: Int = #line,
    execute work: @escaping () -> Void
  ) {
    let run = RunState.current.run
    group?.enter()
    run.enqueue(on: place(in: run), origin: "\(file):\(line)") {
      work()
      group?.leave()
    }
  }

  /// Enqueues a block once the time has come.
  public func asyncAfter(
    deadline: SimulatedDispatchTime, file: String = #fileID, line: Int = #line,
    execute work: @escaping () -> Void
  ) {
    let run = RunState.current.run
    let delay = max(0, deadline.milliseconds - run.look { $0.dispatcher.now.milliseconds })
    run.enqueue(
      on: place(in: run), afterMilliseconds: delay, origin: "\(file):\(line)", work)
  }

  /// Runs `work` on the queue, and waits for it. On the queue that the caller is on, for ever.
  public func sync<Result, Failure: Error>(
    execute work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let run = RunState.current.run
    return try run.sync(on: place(in: run), isReentrant: false, work)
  }
}

/// A point of virtual time: takes the place of `DispatchTime`.
public struct SimulatedDispatchTime: Sendable {
  let milliseconds: Int

  /// The present.
  public static func now() -> SimulatedDispatchTime {
    SimulatedDispatchTime(
      milliseconds: RunState.current.run.look { $0.dispatcher.now.milliseconds })
  }

  /// So many seconds later, to the millisecond.
  public static func + (time: SimulatedDispatchTime, seconds: Double) -> SimulatedDispatchTime {
    SimulatedDispatchTime(milliseconds: time.milliseconds + Int((seconds * 1_000).rounded()))
  }

  /// So much later, to the millisecond.
  public static func + (
    time: SimulatedDispatchTime, interval: DispatchTimeInterval
  ) -> SimulatedDispatchTime {
    let milliseconds =
      switch interval {
      case .seconds(let number): number * 1_000
      case .milliseconds(let number): number
      case .microseconds(let number): number / 1_000
      case .nanoseconds(let number): number / 1_000_000
      case .never: misuse("a time that never comes is waited for")
      @unknown default: misuse("an interval of an unknown unit")
      }
    return SimulatedDispatchTime(milliseconds: time.milliseconds + milliseconds)
  }
}
