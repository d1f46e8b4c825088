import Execution
import SimulatedCoreData
package import SimulatedDispatch

/// What Swift's tasks ask for.
extension LiveRun {
  /// Enqueues what a task has to do next, beside everything else.
  func enqueue(_ job: UnownedJob, afterMilliseconds delay: Int = 0) {
    let generic = unsafe unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
    unsafe enqueue(job, on: makeQueue(), afterMilliseconds: delay, as: generic)
  }

  func enqueueOnMainQueue(_ job: UnownedJob, as executor: UnownedSerialExecutor) {
    unsafe enqueue(job, on: look { $0.mainQueue }, as: executor)
  }

  /// Enqueues what a task has to do next on the queue of an actor. Lets no other lane go on: the
  /// caller may hold a lock that the run does not know.
  package func enqueue(
    _ job: UnownedJob, on queue: QueueID, afterMilliseconds delay: Int = 0,
    as executor: UnownedSerialExecutor
  ) {
    let piece = makePiece(event: nil, origin: "", isTask: true) {
      unsafe job.runSynchronously(on: executor)
    }
    noteEnqueued(piece, on: queue, afterMilliseconds: delay)
    if let world = unsafe worldInHook {
      unsafe world.pointee.enqueueCode(piece.number, on: queue, afterMilliseconds: delay)
    } else {
      run.enqueueCode(piece.number, on: queue, afterMilliseconds: delay)
    }
  }

  // MARK: Functions of an app

  /// Calls a function of the app: what it sets off is told as its own.
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

  /// Runs `body` as a task, while the main thread's run loop turns until it has ended.
  package func wait(for body: @escaping () async throws -> Void) throws { try begin(body)() }

  /// Begins `body` as a task, and returns what waits until it has ended, to be called by the main
  /// thread. A task that begins before the run has the task-local values of the calling task.
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

  /// The main thread waits for something outside of the run: everything goes on for a while of
  /// virtual time. If nothing can, again and again, what the thread waits for will never come, and
  /// the run ends.
  package func goOnWhileMainThreadWaits() {
    runMainLoop {
      guard look({ $0.dispatcher.isQuiescent(but: $0.driver) }) else {
        idleTurns = 0
        return sleep(milliseconds: 20)
      }
      idleTurns += 1
      if idleTurns == 100 { end(by: .standstill) }
    }
  }
}

/// A value that goes from one thread of a run to another: only one of them runs.
package final class Handed<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
