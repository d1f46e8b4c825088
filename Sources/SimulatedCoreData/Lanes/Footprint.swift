package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// What a turn of a lane looked at and what it changed.
///
/// Two turns whose footprints do not meet are independent: taken one after the other in either
/// order, they lead to the same world and are told the same. Where that is in doubt, a footprint
/// says too much rather than too little.
package struct Footprint: Hashable, Sendable {
  package enum Resource: Hashable, Sendable {
    /// Its owner and its line; for a coordinator, its lock.
    case queue(QueueID)
    /// Its frames, and whether it can run.
    case lane(LaneID)
    case context(ContextID)
    /// The row cache, and how many instances are registered for which row.
    case coordinator(CoordinatorID)
    case store(StoreID)
    case flag(FlagID)
    case idSet(IDSetID)
    /// An object wherever it is, by the serial number of its first ID. The simulator does not need
    /// it, but checks of isolation depend on which context read or changed an object first.
    case object(Int)
    /// The serial numbers of new objects; they decide in which order a save takes them.
    case serials
    /// The numbers of DidSave notifications and batch results.
    case didSaves
    /// The numbers that hooks take.
    case hookNumbers
    /// How many entry points were called: what was changed or enqueued after a call was not what
    /// the caller asked to be saved.
    case calls
    /// Which lanes stand in line at all: each new wait may close a cycle.
    case waits
    case deadlines
  }

  package private(set) var reads: [Resource] = []
  package private(set) var writes: [Resource] = []
  /// A turn after which nothing is as before: it depends on all others.
  package private(set) var isEverything = false

  package init() {}

  package static var everything: Footprint {
    var footprint = Footprint()
    footprint.isEverything = true
    return footprint
  }

  package mutating func read(_ resource: Resource) {
    if !reads.contains(resource) { reads.append(resource) }
  }

  package mutating func write(_ resource: Resource) {
    if !writes.contains(resource) { writes.append(resource) }
  }

  package mutating func touchEverything() { isEverything = true }

  /// Whether the order of two turns may matter.
  package func meets(_ other: Footprint) -> Bool {
    isEverything || other.isEverything
      || writes.contains { other.writes.contains($0) || other.reads.contains($0) }
      || reads.contains { other.writes.contains($0) }
  }
}
