import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that at the end every to-one relationship of a row leads to a row. Stores do not check
/// that (RL-09).
struct StoredReferences: InvariantCheck {
  static let invariants: [Invariant] = [.StoredReferencesLeadToRows]
  static let signs: EventSigns = []

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    let journal = notes.journal
    for store in world.stack.stores.indices {
      for row in world.graph.rows(of: StoreID(store)) {
        for property in world.model[row.id.entity].relationshipIDs
        where !world.graph.isToMany(property, of: row.id.entity) {
          let value = row.values[world.graph.slot(of: property, in: row.id.entity)]
          guard let destination = value.objectID, world.graph.storedRow(of: destination) == nil
          else {
            continue
          }
          var violation = Violation(
            .StoredReferencesLeadToRows, object: row.id, property: property, values: [value])
          let object = world.lifelongID(destination)
          let end = journal.last { line in
            guard line.object == object else { return false }
            switch line.operation {
            case .deletes, .batchDeletes: return true
            default: return false
            }
          }
          let owner = world.lifelongID(row.id)
          let reference = journal.last { line in
            guard line.object == owner, line.property == property,
              case .sets(let set) = line.operation
            else { return false }
            return world.lifelong(set) == .object(object)
          }
          violation.proof =
            journal.lines([end, reference]) + [ProofLine(.isStored(nil), of: destination)]
          found.append(violation)
          return
        }
      }
    }
  }
}
