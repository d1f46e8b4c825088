import ObjectModel
import Vocabulary

/// Sorting by key paths over to-one relationships.
extension ReferenceStack {
  /// The values at the ends of the descriptors' paths, given what each object on the way shows; nil
  /// behind nil.
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

  /// One descriptor after the other; what none of them tells apart is in the order of IDs.
  func inOrder<Element>(
    of request: FetchRequest, _ elements: [Element], _ keys: [[Value]],
    id: (Element) -> ObjectID
  ) -> [Element] {
    var places = Array(elements.indices)
    places.sort { id(elements[$0]) < id(elements[$1]) }
    for (index, descriptor) in request.sortDescriptors.enumerated().reversed() {
      // Stable: what agrees stays in the order of the later descriptors.
      places.sort { a, b in
        let (first, second) = descriptor.ascending ? (a, b) : (b, a)
        return order.precedes(keys[first][index], keys[second][index])
      }
    }
    return places.map { elements[$0] }
  }
}
