import ObjectModel
import SimulatedDispatch
import Vocabulary

/// What follows from what an action posted: calls of observers, as frames on the lane, and
/// automatic merges, as blocks on the queues of their contexts.
extension World {
  func callsToObservers() -> [Frame.Delivery.Call] {
    guard !stack.observers.isEmpty else { return [] }
    var calls: [Frame.Delivery.Call] = []
    // By number: a loop over events copies them.
    for index in events.indices {
      let posted: (Stack.NotificationName, ContextID, Int?)
      switch events[index] {
      case .objectsDidChange(let context, _): posted = (.objectsDidChange, context, nil)
      case .contextWillSave(let context): posted = (.contextWillSave, context, nil)
      case .didSave(let context, _, let number): posted = (.didSave, context, number)
      case .didSaveObjectIDs(let context, _, let number):
        posted = (.didSaveObjectIDs, context, number)
      default: continue
      }
      for listener in setting.listeners[posted.1.index] where listener.notification == posted.0 {
        calls.append(.observer(listener.observer, delivered: posted.2))
      }
    }
    return calls
  }

  /// What notifications list stays registered while their observers are called: `userInfo` holds
  /// it. Answers of which contexts there is something.
  mutating func holdDelivered() -> [ContextID] {
    var holding: [ContextID] = []
    for c in contexts.indices where !setting.listeners[c].isEmpty {
      var held: [ObjectID] = []
      for index in events.indices {
        let listed: [ObjectID]
        switch events[index] {
        case .objectsDidChange(ContextID(c), let sets)
        where isObserved(.objectsDidChange, of: ContextID(c)):
          listed = sets.inserted + sets.updated + sets.deleted + sets.refreshed
        case .didSave(ContextID(c), let sets, _) where isObserved(.didSave, of: ContextID(c)):
          listed = sets.inserted + sets.updated
        default: continue
        }
        for id in listed {
          // By the ID that it has by now.
          guard let slot = lookup(id, in: ContextID(c)) else { continue }
          held.append(contexts[c].objects[slot].id)
        }
      }
      if held.isEmpty { continue }
      contexts[c].deliveries.append(held)
      holding.append(ContextID(c))
    }
    return holding
  }

  private func isObserved(_ name: Stack.NotificationName, of context: ContextID) -> Bool {
    setting.listeners[context.index].contains { $0.notification == name }
  }

  mutating func endDelivery(of context: ContextID) {
    precondition(
      !contexts[context.index].deliveries.isEmpty, "a delivery of \(context) ends twice")
    contexts[context.index].deliveries.removeLast()
    contexts[context.index].mayCollect = true
  }

  mutating func advance(_ delivery: Frame.Delivery, on lane: LaneID) -> Progress {
    guard let call = delivery.calls.first else {
      _ = dispatcher.pop(lane)
      return .moved
    }
    dispatcher.replaceTop(
      of: lane, with: .delivery(.init(calls: Array(delivery.calls.dropFirst()))))
    let index: Int
    let delivered: Int?
    switch call {
    case .observer(let observer, let number): (index, delivered) = (observer, number)
    case .end(let context):
      dispatcher.push(frame(for: .endOfDelivery(context)), on: lane)
      return .moved
    }
    let observer = stack.observers[index]
    dispatcher.push(
      .block(
        .init(
          .init(
            queue: queue(of: observer.context), context: observer.context, steps: observer.steps,
            delivered: delivered, author: .observer(index)))),
      on: lane)
    return .moved
  }

  mutating func enqueueAutomaticMerges(of number: Int, from context: ContextID) {
    if bugs.contains(.dropsAutomaticMerge) { return }
    for index in contexts.indices where index != context.index {
      let isSibling =
        contexts[context.index].isRoot && contexts[index].isRoot
        && contexts[index].coordinator == contexts[context.index].coordinator
      if isSibling || contexts[index].parent == context {
        enqueueAutomaticMerge(of: number, into: ContextID(index))
      }
    }
  }

  mutating func enqueueAutomaticMerges(of number: Int, intoChildrenOf context: ContextID) {
    for child in contexts[context.index].children {
      enqueueAutomaticMerge(of: number, into: child)
    }
  }

  private mutating func enqueueAutomaticMerge(of number: Int, into target: ContextID) {
    guard contexts[target.index].automaticallyMergesChangesFromParent else { return }
    assert(didSaves.indices.contains(number), "nothing was posted under number \(number)")
    if bugs.contains(.mergesOneSaveLate) {
      let poster = didSaves[number].context
      guard let last = didSaves[..<number].lastIndex(where: { $0.context == poster }) else {
        return
      }
      return enqueue(frame(for: .merge(target, number: last)), on: queue(of: target))
    }
    enqueue(frame(for: .merge(target, number: number)), on: queue(of: target))
  }
}
