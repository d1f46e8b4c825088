import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that the stores on disk contain exactly the successful root saves and batch requests,
/// each as a whole. That must hold at once, and after a kill, when in-memory stores are empty.
/// Databases call this atomicity and durability.
struct Durability: InvariantCheck {
  static let invariants: [Invariant] = [.KillsLeaveWhatWasCommitted]

  /// The disk as the last save or batch request left it.
  private var disk: ObjectGraph.Disk
  /// The expected rows, derived from the reports of saves and batch requests.
  private var account: StoreAccount

  init(_ world: World) {
    disk = world.graph.disk
    account = StoreAccount(world)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    account.follow(moment, in: world)
    if moment.kind == .kill {
      checkKill(in: world, &found)
    } else if case .destroyStore(let store, isRecreated: _) = moment.whole?.step {
      if moment.hasFailed { return }
      account.empty(store)
      checkAccount(journal, in: world, &found)
      disk = world.graph.disk
    } else if world.graph.result.storeAccess.writes {
      account.enter(moment, in: world)
      checkAccount(journal, in: world, &found)
      disk = world.graph.disk
    }
  }

  private mutating func checkKill(in world: World, _ found: inout [Violation]) {
    if let id = world.graph.disk.difference(from: disk) {
      found.append(Violation(.KillsLeaveWhatWasCommitted, object: id))
      startAgain(in: world)
    }
    for (index, store) in world.stack.stores.enumerated() where store.isInMemory {
      if let row = world.graph.rows(of: StoreID(index)).first {
        found.append(Violation(.KillsLeaveWhatWasCommitted, object: row.id))
      }
    }
  }

  /// Restarts from the present rows, so that each violation is reported once.
  private mutating func startAgain(in world: World) {
    disk = world.graph.disk
    account = StoreAccount(world)
  }

  private mutating func checkAccount(
    _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    guard let error = account.audit(world) else { return }
    var violation = Violation(
      .KillsLeaveWhatWasCommitted, object: error.object, property: error.property,
      values: error.values)
    let object = world.lifelongID(error.object)
    let saved = journal.last { witness in
      if case .saves(_, to: nil) = witness.operation {
        witness.object == object && (error.property == nil || witness.property == error.property)
      } else {
        false
      }
    }
    violation.proof =
      journal.lines([saved])
      + [ProofLine(.isStored(error.stored), of: error.object, error.property)]
    found.append(violation)
    startAgain(in: world)
  }
}
