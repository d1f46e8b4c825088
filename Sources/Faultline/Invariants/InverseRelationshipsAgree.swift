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
      !member.isDoomed, !member.isUnfired(inverse),
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
  return world.property(property, of: view.id.entity).isToMany
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

  mutating func check(_ world: World, _ found: inout [Violation]) {
    guard mayDisagree else { return }
    let count = found.count
    checkInversesOfRows(world, &found)
    mayDisagree = found.count > count
  }

  /// At the next commit of a root, whatever was touched.
  mutating func lookAtEverything() { mayDisagree = true }
}

private func checkInversesOfRows(_ world: World, _ found: inout [Violation]) {
  for index in world.stack.stores.indices {
    let rows = world.rows(of: StoreID(index))
    for row in rows {
      for (number, property) in world.model.entities[row.id.entity.index].properties.enumerated() {
        guard let relationship = property.relationship, let inverse = relationship.inverse else {
          continue
        }
        let destinations =
          relationship.isToMany
          ? row.collections[property.slot]
          : row.values[property.slot].objectID.map { [$0] } ?? []
        for destination in destinations {
          guard let other = world.storedRow(of: destination) else { continue }
          let back = world.slot(of: inverse, in: other.id.entity)
          let agrees =
            world.property(inverse, of: other.id.entity).isToMany
            ? other.collections[back].contains(row.id) : other.values[back] == .object(row.id)
          if !agrees {
            found.append(
              Violation(.InverseRelationshipsAgree, object: row.id, property: PropertyID(number)))
          }
        }
      }
    }
  }
}
