import ObjectModel
import SimulatedCoreData
import Vocabulary

extension World {
  /// The differences between the answers that invariants read in place and copies of instances,
  /// rows and the stack.
  var wrongAnswers: [String] {
    var wrong: [String] = []
    for context in stack.contextIDs {
      let chain = stack.chain(from: context)
      for other in stack.contextIDs where graph.isAtOrBelow(other, context) != chain.contains(other)
      {
        wrong.append("isAtOrBelow \(other.index) \(context.index)")
      }
      for other in stack.contextIDs {
        for id in graph.registeredIDs(in: other) {
          wrong += wrongAnswers(about: id, in: context, chain)
        }
      }
    }
    return wrong
  }

  private func wrongAnswers(
    about id: ObjectID, in context: ContextID, _ chain: [ContextID]
  ) -> [String] {
    let seen = graph.inspect(id, in: context)
    let stored = graph.storedValues(of: id)
    var (wrong, showsItsRow) = ([String](), seen?.view.isFault == false && stored != nil)
    for (index, property) in model[id.entity].properties.enumerated() where !property.isToMany {
      let number = PropertyID(index)
      if seen?.baseValue(of: number, in: self.graph) != graph.baseValue(of: number, id, in: context)
      {
        wrong.append("baseValue of \(property.name), \(id) in \(context.index)")
      }
      let isChanged = chain.dropFirst().contains {
        graph.inspect(id, in: $0)?.isChanged(number) == true
      }
      if isChanged != graph.isChangedAbove(context, id, number) {
        wrong.append("isChangedAbove of \(property.name), \(id) in \(context.index)")
      }
      let isStored = property.attribute?.isTransient == false
      if isStored != graph.isStoredAttribute(number, of: id.entity) {
        wrong.append("isStoredAttribute of \(property.name)")
      }
      let first = property.attribute?.defaultValue ?? .null
      if !graph.isDefault(first, of: number, in: id.entity)
        || graph.isDefault(.text(99), of: number, in: id.entity)
      {
        wrong.append("isDefault of \(property.name)")
      }
      guard showsItsRow, isStored, let seen, let stored else { continue }
      showsItsRow = seen.view.values[property.slot] == stored[property.slot]
    }
    if showsItsRow != self.graph.showsItsRow(id, in: context) {
      wrong.append("showsItsRow of \(id) in \(context.index)")
    }
    if (seen?.view.isFault == false) != graph.isRealized(id, in: context) {
      wrong.append("isRealized of \(id) in \(context.index)")
    }
    return wrong
  }
}
