package import Vocabulary

/// What follows from an action.
extension ReferenceLanes {
  /// The action that was performed last has sent a merge on its way, before anything else.
  package mutating func announceMerge(into context: ContextID, number: Int) {
    enqueue(.act(.merge(context, number: number)), on: queue(of: context))
  }

  /// The lane has performed the action of its turn, which has come to `events`. What notifications
  /// list of the contexts `held` is held while observers are called.
  package mutating func follow(
    _ action: Action, on lane: Int, _ events: [Event], held: [ContextID]
  ) {
    if events.haveFailure {
      if action.hasNextPhase { endSave(on: lane) }
      throwError(on: lane)
    }
    if action.announces { for event in events { note(event, of: action) } }
    if observers.isEmpty { return }
    var calls: [Deed] = []
    for place in events.indices {
      guard let (name, context, number) = events[place].notification else { continue }
      for listener in listeners[context.index] where listener.notification == name {
        calls.append(.call(listener.observer, delivered: number))
      }
    }
    if calls.isEmpty { return }
    calls += held.map { .endDelivery($0) }
    if lane == driver { leaveToTurns() }
    push([.rest] + calls.reversed(), lane)
  }

  /// A save that fails has no other phase.
  private mutating func endSave(on lane: Int) {
    if alone.isOn {
      alone.isAtEnd = true
    } else if case .release(let count, .some)? = lanes[lane].deeds.popLast() {
      push(.release(count, next: nil), lane)
    }
  }

  /// The action on top of the lane throws. The error leaves one block after the other, down to the
  /// `do` that catches it. An entry point ignores it, and what has called an observer does not see
  /// it.
  private mutating func throwError(on lane: Int) {
    var left: [Int] = []
    for place in lanes[lane].deeds.indices.dropLast().reversed() {
      switch lanes[lane].deeds[place] {
      case .giveBack: break
      case .block(let block) where block.kind == .trying:
        for place in left + [place] { lanes[lane].deeds[place].leave() }
        return
      case .block(let block) where block.kind != .called: left.append(place)
      default: return
      }
    }
  }

  private mutating func note(_ event: Event, of action: Action) {
    switch event {
    case .didSave(let context, _, _):
      if posted.isEmpty { posted.reserveCapacity(8) }
      posted.append((context, false))
    case .batched: posted.append((action.context, true))
    default: break
    }
  }
}

extension Action {
  /// Whether it posts what contexts may merge by number.
  fileprivate var announces: Bool {
    switch self {
    case .step(_, .finish): true
    case .step(let step, .whole): if case .batch = step.step { true } else { false }
    default: false
    }
  }
}

extension Event {
  /// The notification that it is, the context that posts it, and the number of the save. Inlined:
  /// a call copies the event.
  @inline(__always) fileprivate var notification: (Stack.NotificationName, ContextID, Int?)? {
    switch self {
    case .objectsDidChange(let context, _): (.objectsDidChange, context, nil)
    case .contextWillSave(let context): (.contextWillSave, context, nil)
    case .didSave(let context, _, let number): (.didSave, context, number)
    case .didSaveObjectIDs(let context, _, let number): (.didSaveObjectIDs, context, number)
    default: nil
    }
  }
}

extension Deed {
  /// Of a block: nothing of it is left but its end.
  fileprivate mutating func leave() {
    guard case .block(var block) = self else { return }
    block.next = block.steps.count
    self = .block(block)
  }
}
