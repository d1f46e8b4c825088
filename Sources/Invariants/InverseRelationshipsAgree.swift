import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A relationship step has set both sides (RL-01).
func checkInverses(in world: World, _ found: inout [Violation]) {
  for evidence in world.evidence {
    guard
      case .related(let context, object: let id, let property, let other, let isMember) = evidence,
      let inverse = world.property(property, of: id.entity).relationship?.inverse,
      let member = world.inspect(exactly: other, in: context), !member.view.isFault,
      !member.isPendingDeletion, !member.isUnfired(inverse),
      let owner = world.inspect(exactly: id, in: context)?.view
    else { continue }
    if leads(member.view, inverse, to: owner.id, in: world) != isMember {
      found.append(
        Violation(.InverseRelationshipsAgree, in: context, object: id, property: property))
    }
  }
}

private func leads(
  _ view: InstanceView, _ property: PropertyID, to id: ObjectID, in world: World
) -> Bool {
  let slot = world.slot(of: property, in: view.id.entity)
  return world.isToMany(property, of: view.id.entity)
    ? view.collections[slot].contains(id) : view.values[slot] == .object(id)
}

/// In the stores both sides always agree; only to-ones may dangle (RL-09).
struct InversesOfRows: Hashable {
  /// Whether rows with such relationships have changed since both sides were seen to agree.
  private var mayDisagree = false

  /// After every action, so that a root's commit knows whether there is anything to look at.
  mutating func follow(_ world: World) {
    if !mayDisagree { mayDisagree = world.hasTouchedRowsWithInverses }
  }

  package mutating func check(_ world: World, _ found: inout [Violation]) {
    guard mayDisagree else { return }
    let count = found.count
    checkInversesOfRows(world, &found)
    mayDisagree = found.count > count
  }

  /// At the next commit of a root, whatever was touched.
  package mutating func lookAtEverything() { mayDisagree = true }
}

private func checkInversesOfRows(_ world: World, _ found: inout [Violation]) {
  for index in world.stack.stores.indices {
    for row in world.rows(of: StoreID(index)) {
      let entity = row.id.entity.index
      for property in world.model.entities[entity].relationshipIDs {
        guard
          let relationship = world.model.entities[entity].properties[property.index].relationship,
          let inverse = relationship.inverse
        else { continue }
        let slot = world.slot(of: property, in: row.id.entity)
        let destinations =
          relationship.isToMany
          ? row.collections[slot] : row.values[slot].objectID.map { [$0] } ?? []
        for destination in destinations {
          guard let other = world.storedRow(of: destination) else { continue }
          let back = world.slot(of: inverse, in: other.id.entity)
          let agrees =
            world.isToMany(inverse, of: other.id.entity)
            ? other.collections[back].contains(row.id) : other.values[back] == .object(row.id)
          if !agrees {
            found.append(
              Violation(.InverseRelationshipsAgree, object: row.id, property: property))
          }
        }
      }
    }
  }
}
