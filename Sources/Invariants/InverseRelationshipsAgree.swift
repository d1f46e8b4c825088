import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A relationship step has set both sides (RL-01).
func checkInverses(in world: World, _ found: inout [Violation]) {
  for evidence in world.graph.result.evidence {
    guard
      case .related(let context, object: let id, let property, let other, let isMember) = evidence,
      let inverse = world.graph.property(property, of: id.entity).relationship?.inverse,
      let member = world.graph.inspect(exactly: other, in: context), !member.view.isFault,
      !member.isPendingDeletion, !member.isUnfired(inverse),
      let owner = world.graph.inspect(exactly: id, in: context)?.view
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
  let slot = world.graph.slot(of: property, in: view.id.entity)
  return world.graph.isToMany(property, of: view.id.entity)
    ? view.collections[slot].contains(id) : view.values[slot] == .object(id)
}

/// In the stores both sides always agree; only to-ones may dangle (RL-09).
struct InversesOfRows: Hashable {
  /// Whether rows with such relationships have changed since both sides were seen to agree.
  private var mayDisagree = false

  /// After every action, so that a root's commit knows whether there is anything to look at.
  mutating func follow(_ world: World) {
    if !mayDisagree { mayDisagree = world.graph.hasTouchedRowsWithInverses }
  }

  package mutating func check(_ world: World, _ found: inout [Violation]) {
    guard mayDisagree else { return }
    let oneSided = world.graph.oneSidedRelationships()
    found += oneSided.map {
      Violation(.InverseRelationshipsAgree, object: $0.object, property: $0.property)
    }
    mayDisagree = !oneSided.isEmpty
  }

  /// At the next commit of a root, whatever was touched.
  package mutating func lookAtEverything() { mayDisagree = true }
}
