import Foundation
import LiveCode
import SimulatedDispatch

/// Runs the code of an actor on a separate queue.
///
/// `faultline prepare` gives each actor an executor, so the scheduler can delay each call to the
/// actor. Outside a run, the executor is a serial Dispatch queue.
public final class SimulatedActorExecutor: SerialExecutor, @unchecked Sendable {
  private final class State {
    let queue = RunState.current.run.makeQueue()
  }

  private let perRun = PerRun { State() }
  private let outside = DispatchQueue(label: "actor")

  /// Creates an executor for one actor.
  public init() {}

  /// Enqueues the next job of a task.
  public func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = unsafe (UnownedJob(job), asUnownedSerialExecutor())
    if let state = RunState.ifRunning {
      unsafe state.run.enqueue(job, on: perRun.current.queue, as: executor)
    } else {
      outside.async { unsafe job.runSynchronously(on: executor) }
    }
  }

  /// Stops the process if the calling code does not run on the actor.
  public func checkIsolated() {
    if let state = RunState.ifRunning {
      precondition(state.run.hasQueue(perRun.current.queue), "code runs outside of its actor")
    } else {
      dispatchPrecondition(condition: DispatchPredicate.onQueue(outside))
    }
  }
}

extension SimulatedNotificationCenter {
  /// Returns the notifications of this name that `object` posts from now on, or any object if it is
  /// nil.
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

/// The clock functions of tasks. Replaces `Task.sleep` in a prepared module.
public enum SimulatedTasks {
  /// Suspends the task for a duration of virtual time, rounded up to milliseconds. Throws
  /// `CancellationError` if the task is cancelled earlier.
  public static func sleep(for duration: Duration) async throws {
    let (seconds, attoseconds) = duration.components
    let milliseconds =
      Int(clamping: min(seconds, 1_000_000_000)) * 1_000
      + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    let nap = Nap()
    await nap.last(milliseconds: max(0, milliseconds))
    if nap.isCancelled { throw CancellationError() }
  }

  /// A suspended task. It needs no lock, because only one job of a run runs at a time.
  final class Nap: @unchecked Sendable {
    private var continuation: CheckedContinuation<Void, Never>?
    private var isOver = false
    private(set) var isCancelled = false

    /// Suspends the task until the nap is ended, the task is cancelled, or the time is over.
    nonisolated(nonsending) func last(milliseconds: Int) async {
      let run = RunState.current.run
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if isOver { return continuation.resume() }
          self.continuation = continuation
          run.enqueue(
            on: run.makeQueue(), afterMilliseconds: milliseconds, origin: "sleep"
          ) { self.end() }
        }
      } onCancel: {
        end(byCancelling: true)
      }
    }

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
