package import Vocabulary

/// The consequences of an action: merges, calls of observers and errors.
extension ReferenceLanes {
  /// Enqueues a merge that the last action has announced, before all other work. §automatic-merges
  package mutating func announceMerge(into context: ContextID, number: Int) {
    enqueue(.act(.merge(context, number: number)), on: queue(of: context))
  }

  /// Finds the calls of observers for the events of an action, and lets the lane call them.
  /// §observers, §call-observers
  ///
  /// Deliveries of the contexts in `held` end after the calls.
  package mutating func follow(
    _ action: Action, on lane: Int, _ events: [Event], held: [ContextID]
  ) {
    if events.haveFailure {
      if action.hasNextPhase { endSave(on: lane) }
      throwError(on: lane)
    }
    if action.isRequest { lanes[lane].hasFound = events.contains(where: \.isFinding) }
    if action.announces { for event in events { note(event, of: action) } }
    if observers.isEmpty { return }
    var calls: [Work] = []
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

  /// Ends a save that has failed. §save
  private mutating func endSave(on lane: Int) {
    if alone.isOn {
      alone.isAtEnd = true
    } else if case .release(let count, .some)? = lanes[lane].work.popLast() {
      push(.release(count, next: nil), lane)
    }
  }

  /// Throws an error from the action on top of the lane. The error leaves blocks down to the `do`
  /// that catches it. Entry points ignore it, and callers of observers do not see it. §throw
  private mutating func throwError(on lane: Int) {
    var left: [Int] = []
    for place in lanes[lane].work.indices.dropLast().reversed() {
      switch lanes[lane].work[place] {
      case .giveBack: break
      case .block(let block) where block.kind == .trying:
        for place in left + [place] { lanes[lane].work[place].leave() }
        return
      case .block(let block) where block.kind != .called: left.append(place)
      default: return
      }
    }
  }

  /// Numbers a DidSave or a batch result by its place. §merge-source
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
  /// A Boolean value that indicates whether the action posts sets that contexts may merge.
  fileprivate var announces: Bool {
    switch self {
    case .step(_, .finish): true
    case .step(let step, .whole): if case .batch = step.step { true } else { false }
    default: false
    }
  }
}

extension Event {
  /// The name of the notification, the posting context, and the number of the save. Inlined,
  /// because a call copies the event.
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

extension Work {
  /// Leaves a block, of which only the end remains. §throw.2.2
  fileprivate mutating func leave() {
    guard case .block(var block) = self else { return }
    block.next = block.steps.count
    self = .block(block)
  }
}

extension Action {
  /// Decides whether the action is a fetch or a count. §note-answer
  fileprivate var isRequest: Bool {
    guard case .step(let step, .whole) = self else { return false }
    switch step.step {
    case .fetch, .count: return true
    default: return false
    }
  }
}

extension Event {
  /// Decides whether a request has found an object. §note-answer.2
  fileprivate var isFinding: Bool {
    switch self {
    case .objects(let ids), .objectIDs(let ids): !ids.isEmpty
    case .count(let count): count > 0
    case .dictionaries(_, let rows): !rows.isEmpty
    case .summaries(_, _, _, let rows): !rows.isEmpty
    default: false
    }
  }
}
