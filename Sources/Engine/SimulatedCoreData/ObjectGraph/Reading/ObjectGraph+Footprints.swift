import ObjectModel
import Vocabulary

/// The part of a turn's footprint that lies in the graph.
extension ObjectGraph {
  // MARK: Differences

  /// Notes all parts of the graph that differ from `before`.
  func noteDifferences(from before: ObjectGraph, in footprint: inout Footprint) {
    if identities.count != before.identities.count { footprint.write(.serials) }
    if didSaves.count != before.didSaves.count { footprint.write(.didSaves) }
    if nextHookNumber != before.nextHookNumber { footprint.write(.hookNumbers) }
    noteIdentities(from: before, in: &footprint)
    for index in contexts.indices where !contexts[index].isLike(before.contexts[index]) {
      footprint.write(.context(ContextID(index)))
    }
    for index in controllers.indices where controllers[index] != before.controllers[index] {
      footprint.write(.context(stack.controllers[index].context))
    }
    for index in idSets.indices where idSets[index] != before.idSets[index] {
      footprint.write(.idSet(IDSetID(index)))
    }
    for index in coordinators.indices where coordinators[index] != before.coordinators[index] {
      footprint.write(.coordinator(CoordinatorID(index)))
    }
    for index in stores.indices
    where stores[index] != before.stores[index] || metadata[index] != before.metadata[index]
      || refusals[index] != before.refusals[index]
    {
      footprint.write(.store(StoreID(index)))
    }
    if leavesWorkToOthers { footprint.touchEverything() }
  }

  /// Notes changes of identities in every context, because any context may look up the row of an
  /// object.
  private func noteIdentities(from before: ObjectGraph, in footprint: inout Footprint) {
    let known = before.identities.count
    if identities.prefix(known) != before.identities[...] || temporaryIDs != before.temporaryIDs {
      for context in stack.contextIDs { footprint.write(.context(context)) }
    }
  }

  // MARK: Reads

  func noteStores(of coordinator: CoordinatorID, in footprint: inout Footprint) {
    footprint.read(.coordinator(coordinator))
    for store in coordinators[coordinator.index].stores { footprint.read(.store(store)) }
  }

  func noteMentions(of step: AddressedStep, in footprint: inout Footprint) {
    for context in stack.contextIDs where step.mentions(context) {
      footprint.read(.context(context))
    }
    let changes = step.step.changesWhatItNames
    step.visitNames { name in
      guard let serial = heldID(step.context, name).flatMap(serial) else { return }
      if changes { footprint.write(.object(serial)) } else { footprint.read(.object(serial)) }
    }
  }

  /// Notes all objects of a context. A save, and an operation that discards unsaved changes,
  /// concerns all of them.
  func noteObjects(of context: ContextID, in footprint: inout Footprint) {
    for slot in contexts[context.index].registeredSlots {
      if let serial = serial(of: contexts[context.index].id(of: slot)) {
        footprint.write(.object(serial))
      }
    }
  }

  private func serial(of id: ObjectID) -> Int? { originalTemporaryID(of: id)?.number }

  func noteAnswers(in footprint: inout Footprint) {
    for event in result.events {
      switch event {
      // A loop or a hook has set a value of the object.
      case .hookSet(_, let id, _, _):
        if let serial = serial(of: id) { footprint.write(.object(serial)) }
      case .object(let id):
        if let serial = serial(of: id) { footprint.read(.object(serial)) }
      case .hook(.awakeFromFetch, _, let id):
        if let serial = serial(of: id) { footprint.read(.object(serial)) }
      case .didSave(_, let sets, number: _):
        // Deleted objects have left the context already.
        for serial in sets.deleted.compactMap(serial) { footprint.write(.object(serial)) }
      default: continue
      }
    }
    for context in result.collectedContexts {
      // Copies in the children decide whether the context still needs an instance.
      footprint.read(.context(context))
      for child in contexts[context.index].children { footprint.read(.context(child)) }
    }
  }

  // MARK: Released instances

  /// Cancels searches for instances to release if no instance can be released. Call this between
  /// turns. Otherwise the schedule would decide which turn searches, and where.
  mutating func forgetNeedlessCollections() {
    if leavesWorkToOthers { return }
    for index in contexts.indices where contexts[index].mayCollect {
      contexts[index].mayCollect = false
    }
  }

  /// Decides whether the next action, in any context, would release instances that this one freed.
  private var leavesWorkToOthers: Bool {
    guard contexts.contains(where: \.mayCollect) else { return false }
    var settled = self
    settled.collect()
    return settled.coordinators != coordinators
      || !zip(settled.contexts, contexts).allSatisfy { $0.isLike($1) }
  }
}

extension ManagedObjectContext {
  /// Compares two contexts without their `mayCollect` flags.
  fileprivate func isLike(_ other: ManagedObjectContext) -> Bool {
    if mayCollect == other.mayCollect { return self == other }
    var copy = self
    copy.mayCollect = other.mayCollect
    return copy == other
  }
}

extension Step {
  fileprivate var changesWhatItNames: Bool {
    switch self {
    case .set, .increment, .relate, .add, .remove, .replace, .delete, .setPrimitive, .insertAgain:
      true
    default: false
    }
  }
}
