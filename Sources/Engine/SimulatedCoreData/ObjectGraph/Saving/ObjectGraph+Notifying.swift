import ObjectModel
import Vocabulary

/// Effects of notifications in the graph: their objects stay registered while observers are called,
/// and contexts merge automatically.
extension ObjectGraph {
  /// Holds the objects listed in notifications while observers are called, as `userInfo` does.
  /// Returns the contexts that hold objects. §deliver
  mutating func holdDelivered() -> [ContextID] {
    var holding: [ContextID] = []
    for c in contexts.indices where !setting.listeners[c].isEmpty {
      var held: [ObjectID] = []
      for index in result.events.indices {
        let listed: [ObjectID]
        switch result.events[index] {
        case .objectsDidChange(ContextID(c), let sets)
        where isObserved(.objectsDidChange, of: ContextID(c)):
          listed = sets.inserted + sets.updated + sets.deleted + sets.refreshed
        case .didSave(ContextID(c), let sets, _) where isObserved(.didSave, of: ContextID(c)):
          listed = sets.inserted + sets.updated
        default: continue
        }
        for id in listed {
          // §deliver.2.3
          guard let slot = lookup(id, in: ContextID(c)) else { continue }
          held.append(contexts[c].id(of: slot))
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

  /// Announces the automatic merges of a save. §automatic-merges
  mutating func announceAutomaticMerges(of number: Int, from context: ContextID) {
    if bugs.contains(.dropsAutomaticMerge) { return }
    for index in contexts.indices where index != context.index {
      let isSibling =
        contexts[context.index].isRoot && contexts[index].isRoot
        && contexts[index].coordinator == contexts[context.index].coordinator
      if isSibling || contexts[index].parent == context {
        announceAutomaticMerge(of: number, into: ContextID(index))
      }
    }
  }

  /// Announces merges into the children of a context that has merged. §merge.7.1
  mutating func announceAutomaticMerges(of number: Int, intoChildrenOf context: ContextID) {
    for child in contexts[context.index].children {
      announceAutomaticMerge(of: number, into: child)
    }
  }

  private mutating func announceAutomaticMerge(of number: Int, into target: ContextID) {
    guard contexts[target.index].automaticallyMergesChangesFromParent else { return }
    assert(didSaves.indices.contains(number), "nothing was posted under number \(number)")
    if bugs.contains(.mergesOneSaveLate) {
      let poster = didSaves[number].context
      guard let last = didSaves[..<number].lastIndex(where: { $0.context == poster }) else {
        return
      }
      return result.automaticMerges.append(.init(context: target, number: last))
    }
    result.automaticMerges.append(.init(context: target, number: number))
  }
}
