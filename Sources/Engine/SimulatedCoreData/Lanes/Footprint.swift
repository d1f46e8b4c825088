package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// The resources that a turn of a lane reads and writes.
///
/// Two turns whose footprints do not meet are independent. Taken in either order, they lead to the
/// same world and observe the same values. In doubt, a footprint contains too much rather than too
/// little.
package struct Footprint: Hashable, Sendable {
  package enum Resource: Hashable, Sendable {
    /// A queue's owner and line. For a coordinator, its lock.
    case queue(QueueID)
    /// A lane's frames, and whether it can run.
    case lane(LaneID)
    case context(ContextID)
    /// A coordinator's row cache, and the number of registered instances of each row.
    case coordinator(CoordinatorID)
    case store(StoreID)
    case flag(FlagID)
    case idSet(IDSetID)
    /// An object in any context, by the serial number of its first ID. The simulator does not need
    /// this resource. Checks of isolation depend on which context read or changed an object first.
    case object(Int)
    /// The serial numbers of new objects, which decide their order in a save.
    case serials
    /// The numbers of DidSave notifications and batch results.
    case didSaves
    /// The numbers that hooks take.
    case hookNumbers
    /// The number of entry-point calls. A call asks to save only changes made, and blocks enqueued,
    /// before it.
    case calls
    /// The set of waiting lanes, because each new wait may close a cycle.
    case waits
    case deadlines
  }

  package private(set) var reads: [Resource] = []
  package private(set) var writes: [Resource] = []
  /// A Boolean value that indicates whether the turn may change anything. Such a turn depends on
  /// all other turns.
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

  /// Returns a Boolean value that indicates whether the order of two turns may matter.
  package func meets(_ other: Footprint) -> Bool {
    isEverything || other.isEverything
      || writes.contains { other.writes.contains($0) || other.reads.contains($0) }
      || reads.contains { other.writes.contains($0) }
  }
}
