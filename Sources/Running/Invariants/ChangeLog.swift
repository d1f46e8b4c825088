import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The ways in which each object was changed so far, for signatures of failures. The log is small
/// enough to be part of a state's fingerprint.
struct ChangeLog: Hashable {
  private var ways: [ObjectID: ChangeWays] = [:]
  /// The ways of changes that name no object, which count for all objects.
  private var waysOfAll = ChangeWays(rawValue: 0)

  func ways(of objects: [ObjectID], in world: World) -> ChangeWays {
    // Combines raw values, because inherited methods of option sets are not specialised across
    // modules.
    var union = waysOfAll.rawValue
    if ways.isEmpty { return waysOfAll }
    for id in objects {
      if let ways = ways[world.lifelongID(id)] { union |= ways.rawValue }
    }
    return ChangeWays(rawValue: union)
  }

  mutating func note(_ moment: Moment, in world: World) {
    if !moment.signs.isDisjoint(with: [.batches, .merges, .hookSets]) {
      noteEvents(moment, in: world)
    }
    switch moment.done {
    case .setPrimitive, .undo, .redo, .refresh, .refreshAllObjects, .rollback, .reset, .discard:
      break
    default: return
    }
    guard let step = moment.whole else { return }
    switch step.step {
    case .setPrimitive(let name, _, _): add(.primitiveSetter, name, step.context, world)
    case .undo, .redo: waysOfAll.insert(.undo)
    case .refresh(let name, mergeChanges: _): add(.refresh, name, step.context, world)
    case .refreshAllObjects: waysOfAll.insert(.refresh)
    case .rollback, .reset, .discard: waysOfAll.insert(.givenUp)
    default: break
    }
  }

  private mutating func noteEvents(_ moment: Moment, in world: World) {
    for event in world.graph.result.events {
      switch event {
      case .batched(let sets, number: _): add(.batchRequest, sets, world)
      case .didMergeChanges(_, let sets):
        let way: ChangeWays =
          moment.origin == .automaticMerge
          ? .automaticMerge : moment.author.isDesign ? .designsMerge : .programsMerge
        add(way, sets, world)
      case .hookSet(_, let id, _, _): add(.hook, id, world)
      default: continue
      }
    }
  }

  private mutating func add(_ way: ChangeWays, _ sets: ChangeSets, _ world: World) {
    for id in sets.inserted { add(way, id, world) }
    for id in sets.updated { add(way, id, world) }
    for id in sets.refreshed { add(way, id, world) }
    for id in sets.deleted { add(way, id, world) }
  }

  private mutating func add(
    _ way: ChangeWays, _ name: ObjectName, _ context: ContextID, _ world: World
  ) {
    if let id = world.graph.heldID(context, name) { add(way, id, world) }
  }

  private mutating func add(_ way: ChangeWays, _ id: ObjectID, _ world: World) {
    let object = world.lifelongID(id)
    let known = ways[object]?.rawValue ?? 0
    if known | way.rawValue != known {
      ways[object] = ChangeWays(rawValue: known | way.rawValue)
    }
  }
}
