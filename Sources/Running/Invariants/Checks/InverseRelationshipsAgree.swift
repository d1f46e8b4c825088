import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that both sides of a relationship agree. In a context, they must agree after each step
/// that sets one side (RL-01). In the stores, only to-one relationships may dangle (RL-09).
struct Inverses: InvariantCheck {
  static let invariants: [Invariant] = [.InverseRelationshipsAgree]

  /// A Boolean value that indicates whether rows with inverse relationships have changed since both
  /// sides last agreed.
  private var mayDisagree = false

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if !mayDisagree { mayDisagree = world.graph.hasTouchedRowsWithInverses }
    if moment.signs.contains(.rootCommits) { checkRows(in: world, &found) }
    if moment.whole != nil, moment.signs.contains(.evidence) { checkInstances(in: world, &found) }
  }

  private mutating func checkRows(in world: World, _ found: inout [Violation]) {
    guard mayDisagree else { return }
    let oneSided = world.graph.oneSidedRelationships()
    found += oneSided.map {
      Violation(.InverseRelationshipsAgree, object: $0.object, property: $0.property)
    }
    mayDisagree = !oneSided.isEmpty
  }

  /// Checks that a relationship step has set both sides (RL-01).
  private func checkInstances(in world: World, _ found: inout [Violation]) {
    for evidence in world.graph.result.evidence {
      guard
        case .related(let context, object: let id, let property, let other, let isMember) =
          evidence,
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

  mutating func lookAtEverything() { mayDisagree = true }
}

private func leads(
  _ view: InstanceView, _ property: PropertyID, to id: ObjectID, in world: World
) -> Bool {
  let slot = world.graph.slot(of: property, in: view.id.entity)
  return world.graph.isToMany(property, of: view.id.entity)
    ? view.collections[slot].contains(id) : view.values[slot] == .object(id)
}
