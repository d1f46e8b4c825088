import ObjectModel
import Vocabulary

/// Predicates as trees.
extension ReferenceStack {
  /// FE-01: the stores answer for all that is not changed, with what they have.
  func holds(_ tree: PredicateTree?, _ x: ObjectID, storedUnder coordinator: CoordinatorID) -> Bool
  {
    guard let tree else { return true }
    return tree.matches(x, in: Reading(stack: self, place: .stores(coordinator)))
  }

  /// FE-01: for what is changed, the context answers.
  func holds(_ tree: PredicateTree?, _ x: ObjectID, shownIn c: ContextID) -> Bool {
    guard let tree else { return true }
    return tree.matches(x, in: Reading(stack: self, place: .context(c)))
  }

  private struct Reading: PredicateView {
    enum Place {
      case stores(CoordinatorID)
      case context(ContextID)
    }

    let stack: ReferenceStack
    let place: Place

    var order: ValueOrder { stack.order }

    func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
      stack.model.entities[entity.index].properties[property.index].isToMany
    }

    func value(of x: ObjectID, _ property: PropertyID) -> Value {
      let slot = stack.shapes[x.entity.index].properties[property.index].slot
      switch place {
      case .stores(let coordinator):
        return stack.storedRow(stack.row(x), under: coordinator)?.snapshot.values[slot] ?? .null
      case .context(let c): return stack.values(of: x, in: c)[slot]
      }
    }

    func members(of x: ObjectID, _ property: PropertyID) -> [ObjectID] {
      let slot = stack.shapes[x.entity.index].properties[property.index].slot
      let coordinator: CoordinatorID
      switch place {
      case .stores(let own): coordinator = own
      case .context(let c):
        coordinator = stack.contexts[c.index].coordinator
        var level: ContextID? = c
        while let current = level {
          if let known = stack.lookup(x, in: current) {
            let instance = stack[current, known]
            if !instance.isFault, !instance.unfired.contains(slot) {
              return instance.collections[slot]
            }
            if instance.isInserted { return [] }
          }
          level = stack.contexts[current.index].parent
        }
      }
      return stack.storedRow(stack.row(x), under: coordinator)?.snapshot.collections[slot] ?? []
    }

    func id(of held: HeldInstance) -> ObjectID? {
      stack.contexts[held.context.index].binding(held.name)?.id
    }

    func isSame(_ a: ObjectID, _ b: ObjectID) -> Bool { stack.row(a) == stack.row(b) }
  }
}
