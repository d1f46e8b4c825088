import ObjectModel
import SimulatedCoreData
import Vocabulary

/// After the app was killed the stores on disk hold the root saves that had gone through, each whole,
/// and nothing else; those in memory hold nothing. Atomicity and durability, in the words of
/// databases.
struct Durability: Hashable {
  /// As the last save or batch request left it.
  private var disk: World.Disk

  init(_ world: World) { disk = world.disk }

  mutating func check(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    if let step = moment.whole, step.step == .kill {
      checkKill(in: world, &found)
    } else if world.storeAccess.writes {
      disk = world.disk
    }
  }

  private func checkKill(in world: World, _ found: inout [Violation]) {
    if let id = world.disk.difference(from: disk) {
      found.append(Violation(.KillsLeaveWhatWasCommitted, object: id))
    }
    for (index, store) in world.stack.stores.enumerated() where store.isInMemory {
      if let row = world.rows(of: StoreID(index)).first {
        found.append(Violation(.KillsLeaveWhatWasCommitted, object: row.id))
      }
    }
  }
}
