import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The choice of the lane that runs next.
extension LiveRun {
  private enum Next {
    /// The thread of the job that asks.
    case itself
    case other(TurnSemaphore)
  }

  /// Lets other lanes run before the running job continues.
  package func yield() {
    if isOver { return }
    unsafe precondition(worldInHook == nil, "a hook gives its turn away")
    mayOvertake = true
    letLanesRun()
  }

  /// Lets lanes run, on this thread or another, until it is the running job's turn again.
  func letLanesRun() {
    let job = running
    // Other code may change the number that the job has read.
    job.lastRead = nil
    guard let thread = job.thread else { preconditionFailure("code runs without a thread") }
    guard case .other(let turn) = next(after: job) else { return }
    thread.isParked = true
    turn.give()
    thread.park()
    if stop != nil || isOver { PooledThread.endCurrent() }
  }

  /// Ends the run in the middle of its code.
  func end(by reason: Stop) -> Never {
    stop = reason
    over.give()
    PooledThread.endCurrent()
  }

  /// Returns the thread that runs a job. A job gets its thread when its turn first comes.
  func thread(of job: Job) -> PooledThread {
    if let thread = job.thread { return thread }
    let thread = threads.thread { [self] in
      CurrentRun.with(self) {
        job.body?()
        if job.event == nil { processAtEndOfTurn() }
        // Release everything that the closure holds before another job runs.
        job.body = nil
        return end(of: job)
      }
    }
    job.thread = thread
    return thread
  }

  /// Processes pending changes when a turn of the run loop ends (NT-07). These are changes that the
  /// main thread's code made outside of a context's block. Each block of the main queue is a turn.
  func processAtEndOfTurn() {
    guard isOnMainThread else { return }
    for context in withWorld({ $0.contextsToProcess }) { endTurn(context) }
  }

  /// Ends a job that has returned.
  ///
  /// - Returns: The turn of the thread that runs next.
  private func end(of job: Job) -> TurnSemaphore {
    guard let lane = job.lane else { preconditionFailure("code ends that never began") }
    job.drainPool()
    releaseInstances()
    jobs[job.number] = nil
    if job.number == 0 {
      // The main thread continues in its run loop.
      run.release(run.mainQueue, by: lane)
    }
    run.endCode(on: lane, endingEventOf: job.event)
    guard case .other(let turn) = next(after: nil) else {
      preconditionFailure("code goes on that has returned")
    }
    return turn
  }

  /// Takes turns until a job runs next.
  ///
  /// - Parameter job: The job that asks, or nil after a job has returned.
  private func next(after job: Job?) -> Next {
    while true {
      guard let lane = run.nextLane(mayOvertake: mayOvertake, &choices) else {
        if jobs.isEmpty { isOver = true } else { stop = .standstill }
        return returnTurnToCaller(job)
      }
      mayOvertake = false
      guard let number = run.code(on: lane) else {
        guard take(lane) else { return returnTurnToCaller(job) }
        continue
      }
      run.noteCode(on: lane)
      turnCount += 1
      if number == job?.number { return .itself }
      guard let other = jobs[number] else { preconditionFailure("job \(number) is gone") }
      running = other
      other.lane = lane
      return .other(thread(of: other).turn)
    }
  }

  /// Gives the turn to the run's caller, because the run is over. Ends the calling thread if it is
  /// in the middle of code.
  private func returnTurnToCaller(_ job: Job?) -> Next {
    if job == nil { return .other(over) }
    over.give()
    PooledThread.endCurrent()
  }

  /// Returns the place in the app's source of the block that the lane runs.
  func place(of lane: LaneID) -> String {
    guard let number = run.codeBelow(lane) else { return "automatic merge" }
    guard let origin = jobs[number]?.origin, !origin.isEmpty else { return "main thread" }
    return origin
  }

  /// Takes a turn of a lane that performs a request of code, or a merge.
  ///
  /// - Returns: `false` if the run ends here.
  private func take(_ lane: LaneID) -> Bool {
    var performed: Action?
    turnCount += 1
    isPerforming = true
    let progress = run.take(lane) { action, _ in performed = action }
    isPerforming = false
    if let performed, trace != nil {
      let call = run.codeBelow(lane).flatMap { jobs[$0]?.call }
      trace?.note(performed, number: run.stepCount, in: call, at: place(of: lane), run.world)
      recording?.note(
        performed, by: run.codeBelow(lane), on: run.workQueue(of: lane), in: run.world)
    }
    if let ending = run.ending {
      stop =
        switch ending {
        case .disagreement: .disagreement
        case .deadlock: .deadlock
        case .endlessReaction: .endlessReaction
        case .suspension: .standstill
        }
      return false
    }
    guard case .performed? = progress else { return true }
    let events = run.events
    if let number = run.codeBelow(lane) {
      jobs[number]?.events += events
      follow(events, nil)
    } else {
      follow(events, run.workQueue(of: lane))
    }
    return true
  }
}
