import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// By object: the ways by which it was changed so far. What a failure's signature is made of, and
/// small enough to be part of a state's fingerprint.
struct ChangeLog: Hashable {
  private var ways: [ObjectID: ChangeWays] = [:]
  /// Of what no object says: requests and merges that found nothing count for all.
  private var waysOfAll: ChangeWays = []

  func ways(of objects: [ObjectID], in world: World) -> ChangeWays {
    var union = waysOfAll
    if ways.isEmpty { return union }
    for id in objects {
      if let ways = ways[world.lifelongID(id)] { union.formUnion(ways) }
    }
    return union
  }

  mutating func note(_ moment: Moment, in world: World) {
    if !moment.signs.isDisjoint(with: [.batches, .merges, .hookSets]) {
      for event in world.events { note(event, moment, in: world) }
    }
    guard let step = moment.whole, !moment.hasFailed else { return }
    switch step.step {
    case .setPrimitive(let name, _, _): add(.primitiveSetter, name, step.context, world)
    case .undo, .redo: waysOfAll.insert(.undo)
    case .refresh(let name, mergeChanges: _): add(.refresh, name, step.context, world)
    case .refreshAllObjects: waysOfAll.insert(.refresh)
    case .rollback, .reset, .discard: waysOfAll.insert(.givenUp)
    default: break
    }
  }

  private mutating func note(_ event: Event, _ moment: Moment, in world: World) {
    switch event {
    case .batched(let sets, number: _):
      for id in sets.inserted + sets.updated + sets.deleted { add(.batchRequest, id, world) }
    case .didMergeChanges(_, let sets):
      let way: ChangeWays =
        moment.origin == .automaticMerge
        ? .automaticMerge : moment.author.isDesign ? .designsMerge : .programsMerge
      for id in sets.inserted + sets.updated + sets.refreshed + sets.deleted { add(way, id, world) }
    case .hookSet(_, let id, _, _): add(.hook, id, world)
    default: break
    }
  }

  private mutating func add(
    _ way: ChangeWays, _ name: ObjectName, _ context: ContextID, _ world: World
  ) {
    if let id = world.heldID(context, name) { add(way, id, world) }
  }

  private mutating func add(_ way: ChangeWays, _ id: ObjectID, _ world: World) {
    ways[world.lifelongID(id), default: []].insert(way)
  }
}
