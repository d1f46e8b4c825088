import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A fault that has just been fired shows, for each attribute, what its nearest ancestor with an
/// unsaved change has, or else what is stored.
func checkLoads(_ world: World, _ found: inout [Violation]) {
  for event in world.events {
    guard case .hook(.awakeFromFetch, let context, let id) = event,
      world.stack.parent(of: context) != nil,
      let loaded = world.inspect(exactly: id, in: context), !loaded.view.isFault
    else { continue }
    for (number, property) in world.model[id.entity].properties.enumerated()
    where property.attribute?.isTransient == false && !loaded.isChanged(PropertyID(number)) {
      let shown = loaded.view.values[property.slot]
      // A class may overwrite in `awakeFromFetch` what was loaded, here and on the way.
      guard !world.isWrittenByHooks(PropertyID(number), of: id.entity),
        let newest = newestValue(of: PropertyID(number), id, above: context, in: world),
        newest != shown
      else { continue }
      found.append(
        Violation(
          .LoadsShowTheNewest, in: context, object: id, property: PropertyID(number),
          values: [newest, shown]))
    }
  }
}

private func newestValue(
  of property: PropertyID, _ id: ObjectID, above context: ContextID, in world: World
) -> Value? {
  for ancestor in world.stack.chain(from: context).dropFirst() {
    guard let instance = world.inspect(id, in: ancestor), !instance.view.isFault else { continue }
    if instance.isDoomed { return nil }
    if instance.view.isInserted || instance.isChanged(property) {
      return instance.view.values[world.slot(of: property, in: id.entity)]
    }
  }
  return world.storedValues(of: id)?[world.slot(of: property, in: id.entity)]
}
