import Execution
import SimulatedCoreData
package import SimulatedDispatch

/// Requests of Swift's tasks.
extension LiveRun {
  /// Enqueues the next job of a task on a new queue, so that the job runs concurrently with all
  /// other code.
  func enqueue(_ job: UnownedJob, afterMilliseconds delay: Int = 0) {
    let generic = unsafe unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
    unsafe enqueue(job, on: makeQueue(), afterMilliseconds: delay, as: generic)
  }

  func enqueueOnMainQueue(_ job: UnownedJob, as executor: UnownedSerialExecutor) {
    unsafe enqueue(job, on: withWorld { $0.mainQueue }, as: executor)
  }

  /// Enqueues the next job of a task on the queue of an actor. Does not let other lanes run,
  /// because the caller may hold a lock that the run does not know.
  package func enqueue(
    _ taskJob: UnownedJob, on queue: QueueID, afterMilliseconds delay: Int = 0,
    as executor: UnownedSerialExecutor
  ) {
    let job = makeJob(event: nil, origin: "", isTask: true) {
      unsafe taskJob.runSynchronously(on: executor)
    }
    noteEnqueued(job, on: queue, afterMilliseconds: delay)
    if let world = unsafe worldInHook {
      unsafe world.pointee.enqueueCode(job.number, on: queue, afterMilliseconds: delay)
    } else {
      run.enqueueCode(job.number, on: queue, afterMilliseconds: delay)
    }
  }

  // MARK: Functions of an app

  /// Calls a function of the app. The trace attributes the actions that the function causes to this
  /// call.
  func call(_ name: String, _ body: () throws -> Void) rethrows {
    let caller = running
    caller.call = trace?.beginCall(of: name)
    defer { caller.call = nil }
    try body()
  }

  /// Begins a function as a task that the main thread does not wait for.
  func begin(_ name: String, _ body: @escaping () async throws -> Void) {
    let body = Handed(body)
    tasks.append(name)
    Task(name: name) {
      do { try await body.value() } catch { if thrown == nil { thrown = error } }
      tasks.remove(at: tasks.firstIndex(of: name)!)
    }
  }

  /// Runs `body` as a task. The main thread's run loop runs until the task has ended.
  package func wait(for body: @escaping () async throws -> Void) throws { try begin(body)() }

  /// Begins `body` as a task. A task that begins before the run has the task-local values of the
  /// calling task.
  ///
  /// - Returns: A function that waits for the end of the task. The main thread must call it.
  package func begin(_ body: @escaping () async throws -> Void) -> () throws -> Void {
    TaskExecutors.install()
    let (body, result) = (Handed(body), Handed(Result<Void, any Error>.success(())))
    let gate = makeGate()
    CurrentRun.with(self) {
      _ = Task(name: "main") {
        do { try await body.value() } catch { result.value = .failure(error) }
        open(gate)
      }
    }
    return { [self] in
      runMainLoop { pass(gate) }
      try result.value.get()
    }
  }

  /// Lets all other code continue for a while of virtual time, because the main thread waits for
  /// something outside of the run. Ends the run after 100 calls in a row without runnable code,
  /// because the wait would never end.
  package func goOnWhileMainThreadWaits() {
    runMainLoop {
      guard withWorld({ $0.dispatcher.isQuiescent(but: $0.driver) }) else {
        idleTurns = 0
        return sleep(milliseconds: 20)
      }
      idleTurns += 1
      if idleTurns == 100 { end(by: .standstill) }
    }
  }
}

/// A value that one thread of a run hands to another. It needs no lock, because only one thread of
/// a run has the turn.
package final class Handed<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
