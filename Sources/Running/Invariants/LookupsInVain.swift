import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The objects that programs looked up by an ID without a row, because the row was deleted or not
/// saved yet. `object(with:)` returns a fault nevertheless (ID-20), and raises if the store was
/// taken (PS-11).
///
/// The program is to blame for that fault and its errors, even if a step of the design meets them.
/// An object that a context has had since before its row was deleted does not count.
struct LookupsInVain: RunNote {
  static let informs: [Invariant] = [
    .ListsShowTheStores, .ContextsKeepTheirPromises, .StepsFindTheirObjects, .ReadsDeleteNothing,
    .FollowersReadWhatWasSaved,
  ]

  private struct Instance: Hashable {
    let context: ContextID
    /// The object's lifelong ID.
    let object: ObjectID
  }

  /// The instances whose rows were deleted while their contexts had them.
  private var survivors: [Instance] = []
  private var faults: [Instance] = []
  /// Objects that a save reported as deleted after a program had looked them up too early.
  private var toldAsDeleted: [ObjectID] = []

  func contains(_ id: ObjectID, in context: ContextID, _ world: World) -> Bool {
    let object = world.lifelongID(id)
    return toldAsDeleted.contains(object)
      || faults.contains(Instance(context: context, object: object))
  }

  mutating func follow(_ moment: Moment, in world: World) {
    if case .kill = moment.kind { self = LookupsInVain() }
    let hasDeletions = moment.signs.contains(.deletions)
    if hasDeletions, !faults.isEmpty { noteDeletions(by: moment.context, in: world) }
    // A child's save can make an object leave its parent.
    survivors.removeAny { !world.graph.hasInstance(of: $0.object, in: $0.context) }
    faults.removeAny { !world.graph.hasInstance(of: $0.object, in: $0.context) }
    if hasDeletions { noteSurvivors(in: world) }
    switch moment.done {
    case .removeStore, .destroyStore, .object, .objectForURI: break
    default: return
    }
    if let step = moment.whole { noteLookup(step, moment.author, in: world) }
  }

  private mutating func noteLookup(_ step: AddressedStep, _ author: Author, in world: World) {
    let context = step.context
    switch step.step {
    case .removeStore(let store), .destroyStore(let store, isRecreated: _):
      for index in 0..<world.graph.contextCount {
        for id in world.graph.registeredIDs(in: ContextID(index))
        where world.graph.permanentID(of: id).store == store {
          note(world.lifelongID(id), ContextID(index))
        }
      }
    case .object(with: _, as: let name) where author == .program,
      .objectForURI(of: _, as: let name) where author == .program:
      guard let id = world.graph.heldID(context, name), !world.exists(id, for: context) else {
        return
      }
      let instance = Instance(context: context, object: world.lifelongID(id))
      if !survivors.contains(instance), !faults.contains(instance) { faults.append(instance) }
    default: break
    }
  }

  /// Notes looked-up objects that the context's save deletes. A deleted object leaves its context
  /// with the save, so `faults` loses it.
  private mutating func noteDeletions(by context: ContextID, in world: World) {
    for event in world.graph.result.events {
      switch event {
      case .saveRequest(_, let sets), .didSave(_, let sets, number: _):
        for object in sets.deleted.map({ world.lifelongID($0) })
        where faults.contains(Instance(context: context, object: object))
          && !toldAsDeleted.contains(object)
        {
          toldAsDeleted.append(object)
        }
      default: continue
      }
    }
  }

  private mutating func noteSurvivors(in world: World) {
    for event in world.graph.result.events {
      switch event {
      case .saveRequest(_, let sets), .batched(let sets, _), .didSave(_, let sets, number: _):
        for id in sets.deleted { noteSurvivors(of: world.lifelongID(id), in: world) }
      default: continue
      }
    }
  }

  private mutating func noteSurvivors(of object: ObjectID, in world: World) {
    for index in 0..<world.graph.contextCount
    where world.graph.keepsInstance(of: object, in: ContextID(index)) {
      note(object, ContextID(index))
    }
  }

  private mutating func note(_ object: ObjectID, _ context: ContextID) {
    let instance = Instance(context: context, object: object)
    if !survivors.contains(instance), !faults.contains(instance) { survivors.append(instance) }
  }
}

extension World {
  /// Returns a Boolean value that indicates whether a fault of the object in `context` would find
  /// data to load.
  fileprivate func exists(_ id: ObjectID, for context: ContextID) -> Bool {
    if graph.inspect(id, in: context)?.view.isFault == false { return true }
    var above = graph.parent(of: context)
    while let ancestor = above {
      if let copy = graph.inspect(id, in: ancestor) {
        if copy.isPendingDeletion { return false }
        if !copy.view.isFault { return true }
      }
      above = graph.parent(of: ancestor)
    }
    let row = graph.permanentID(of: id)
    return graph.isReachable(row, from: context) && graph.storedValues(of: row) != nil
  }
}
