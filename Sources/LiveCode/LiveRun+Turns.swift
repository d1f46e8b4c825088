import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Which lane goes on.
extension LiveRun {
  private enum Next {
    /// The piece whose thread asks.
    case itself
    case other(Baton)
  }

  /// Others may go first, then the running piece goes on.
  package func yield() {
    if isOver { return }
    unsafe precondition(worldInHook == nil, "a hook gives its turn away")
    mayOvertake = true
    letLanesRun()
  }

  /// Lets lanes run, on this thread or another, until it is the running piece's turn again.
  func letLanesRun() {
    let piece = running
    // Others may write what it has read.
    piece.lastRead = nil
    guard let thread = piece.thread else { preconditionFailure("code runs without a thread") }
    guard case .other(let baton) = next(after: piece) else { return }
    thread.isParked = true
    baton.give()
    thread.park()
    if stop != nil || isOver { PooledThread.endCurrent() }
  }

  /// Ends the run in the middle of its code.
  func end(by reason: Stop) -> Never {
    stop = reason
    over.give()
    PooledThread.endCurrent()
  }

  /// The thread that runs a piece; it gets one when its turn comes.
  func thread(of piece: Piece) -> PooledThread {
    if let thread = piece.thread { return thread }
    let thread = threads.thread { [self] in
      CurrentRun.with(self) {
        piece.body?()
        if piece.event == nil { processAtEndOfTurn() }
        // All that the closure holds is let go before another piece runs.
        piece.body = nil
        return end(of: piece)
      }
    }
    piece.thread = thread
    return thread
  }

  /// What the main thread's code has changed without a block of a context is processed when the run
  /// loop's turn ends (NT-07). Of the blocks of the main queue, each is a turn.
  func processAtEndOfTurn() {
    guard isOnMainThread else { return }
    for context in look({ $0.contextsToProcess }) { endTurn(context) }
  }

  /// A piece has returned.
  private func end(of piece: Piece) -> Baton {
    guard let lane = piece.lane else { preconditionFailure("code ends that never began") }
    piece.drainPool()
    releaseInstances()
    pieces[piece.number] = nil
    if piece.number == 0 {
      // The main thread goes on in its run loop.
      run.release(run.mainQueue, by: lane)
    }
    run.endCode(on: lane, endingEventOf: piece.event)
    guard case .other(let baton) = next(after: nil) else {
      preconditionFailure("code goes on that has returned")
    }
    return baton
  }

  /// Takes turns until a piece of code has to go on. Nil for a piece that has returned.
  private func next(after piece: Piece?) -> Next {
    while true {
      guard let lane = run.nextLane(mayOvertake: mayOvertake, &choices) else {
        if pieces.isEmpty { isOver = true } else { stop = .standstill }
        return giveUp(piece)
      }
      mayOvertake = false
      guard let number = run.code(on: lane) else {
        guard take(lane) else { return giveUp(piece) }
        continue
      }
      run.noteCode(on: lane)
      turnCount += 1
      if number == piece?.number { return .itself }
      guard let other = pieces[number] else { preconditionFailure("piece \(number) is gone") }
      running = other
      other.lane = lane
      return .other(thread(of: other).baton)
    }
  }

  /// The run is over: its caller goes on, and this thread ends if it is in the middle of code.
  private func giveUp(_ piece: Piece?) -> Next {
    if piece == nil { return .other(over) }
    over.give()
    PooledThread.endCurrent()
  }

  /// The block of the app's source that the lane runs.
  func place(of lane: LaneID) -> String {
    guard let number = run.codeBelow(lane) else { return "automatic merge" }
    guard let origin = pieces[number]?.origin, !origin.isEmpty else { return "main thread" }
    return origin
  }

  /// One turn of a lane that is busy with what code asked for, or with a merge; false if the run
  /// ends here.
  private func take(_ lane: LaneID) -> Bool {
    var performed: Action?
    turnCount += 1
    isPerforming = true
    let progress = run.take(lane) { action, _ in performed = action }
    isPerforming = false
    if let performed, trace != nil {
      let call = run.codeBelow(lane).flatMap { pieces[$0]?.call }
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
      pieces[number]?.events += events
      follow(events, nil)
    } else {
      follow(events, run.workQueue(of: lane))
    }
    return true
  }
}
