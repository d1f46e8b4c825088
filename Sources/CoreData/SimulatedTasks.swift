import Foundation
import LiveCode
import SimulatedDispatch

/// Runs what belongs to an actor, on a queue of its own: `faultline prepare` gives one to each
/// actor, so that whatever asks the actor is a block that the scheduler may have wait. Outside of a
/// run it is a serial queue of Dispatch.
public final class SimulatedActorExecutor: SerialExecutor, @unchecked Sendable {
  private final class State {
    let queue = RunState.current.run.makeQueue()
  }

  private let perRun = PerRun { State() }
  private let outside = DispatchQueue(label: "actor")

  /// An executor for one actor.
  public init() {}

  /// Enqueues what a task has to do next.
  public func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = unsafe (UnownedJob(job), asUnownedSerialExecutor())
    if let state = RunState.ifRunning {
      unsafe state.run.enqueue(job, on: perRun.current.queue, as: executor)
    } else {
      outside.async { unsafe job.runSynchronously(on: executor) }
    }
  }

  /// Stops the process if the calling code is not the actor's.
  public func checkIsolated() {
    if let state = RunState.ifRunning {
      precondition(state.run.hasQueue(perRun.current.queue), "code runs outside of its actor")
    } else {
      dispatchPrecondition(condition: DispatchPredicate.onQueue(outside))
    }
  }
}

extension SimulatedNotificationCenter {
  /// The notifications of this name that `object`, or anything if it is nil, posts from now on.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> AsyncStream<Notification> {
    AsyncStream { stream in
      let token = SimulatedSendable(
        addObserver(forName: name, object: object, queue: nil) {
          stream.yield(SimulatedSendable($0).value)
        })
      stream.onTermination = { [self] _ in removeObserver(token.value) }
    }
  }
}

/// What tasks ask of the clock: takes the place of `Task.sleep` in a prepared module.
public enum SimulatedTasks {
  /// Suspends the task for so much virtual time, rounded up to milliseconds; throws
  /// `CancellationError` if it is cancelled before.
  public static func sleep(for duration: Duration) async throws {
    let (seconds, attoseconds) = duration.components
    let milliseconds =
      Int(clamping: min(seconds, 1_000_000_000)) * 1_000
      + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    let run = RunState.current.run
    let nap = Nap()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if nap.isOver { return continuation.resume() }
        nap.continuation = continuation
        run.enqueue(
          on: run.makeQueue(), afterMilliseconds: max(0, milliseconds), origin: "sleep"
        ) { nap.end() }
      }
    } onCancel: {
      nap.end(byCancelling: true)
    }
    if nap.isCancelled { throw CancellationError() }
  }

  /// One at a time runs of the code of a run: no lock is needed.
  private final class Nap: @unchecked Sendable {
    var continuation: CheckedContinuation<Void, Never>?
    private(set) var isOver = false
    private(set) var isCancelled = false

    func end(byCancelling isCancelled: Bool = false) {
      if isOver { return }
      isOver = true
      self.isCancelled = isCancelled
      let continuation = continuation
      self.continuation = nil
      continuation?.resume()
    }
  }
}
