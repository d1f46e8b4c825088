import ObjectModel
import Vocabulary

/// Sorting by key paths over to-one relationships.
extension ReferenceStack {
  /// Returns the values at the ends of the descriptors' key paths. A key is nil if an object on its
  /// path is nil. §sort-results.1
  func sortKeys(
    of x: ObjectID, _ request: FetchRequest, showing values: (ObjectID) -> [Value]?
  ) -> [Value] {
    var keys: [Value] = []
    for descriptor in request.sortDescriptors {
      var reached = Value.object(x)
      for property in descriptor.keyPath {
        guard let id = reached.objectID else { break }
        reached = values(id)?[shape(of: property.index, of: id).slot] ?? .null
      }
      keys.append(reached)
    }
    return keys
  }

  /// Sorts elements by their keys, and by ID if all keys are equal. §sort-results
  func inOrder<Element>(
    of request: FetchRequest, _ elements: [Element], _ keys: [[Value]],
    id: (Element) -> ObjectID
  ) -> [Element] {
    var places = Array(elements.indices)
    places.sort { id(elements[$0]) < id(elements[$1]) }
    for (index, descriptor) in request.sortDescriptors.enumerated().reversed() {
      // The sort is stable, so equal keys keep the order of the later descriptors.
      places.sort { a, b in
        let (first, second) = descriptor.ascending ? (a, b) : (b, a)
        return order.precedes(keys[first][index], keys[second][index])
      }
    }
    return places.map { elements[$0] }
  }
}
