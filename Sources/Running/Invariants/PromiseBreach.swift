import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The objects that break a promise.
struct PromiseBreach {
  /// The objects whose absence would restore the promise, or that are counted or added up.
  var objects: [ObjectID]
  var object: ObjectID?
  var property: PropertyID?
  var value: Value?
  /// The beginning of a sentence that ends with the value or the object, if any.
  var text: String

  /// Returns a Boolean value that indicates whether the context has unsaved insertions or changes
  /// of one of the objects.
  func isAboutChanges(of context: ContextID, in world: World) -> Bool {
    objects.contains { object in
      guard let view = world.graph.inspect(object, in: context)?.view else { return false }
      return view.isInserted || view.isUpdated
    }
  }
}

extension Promise {
  /// Returns the first objects that break the promise, or `nil` if it is kept.
  func breach(
    among objects: [ObjectID], _ promised: PromisedObjects
  ) -> PromiseBreach? {
    switch statement {
    case .unique(let properties):
      var known: [[Value]: ObjectID] = [:]
      for object in objects {
        let key = properties.map { promised.key(of: $0, of: object) }
        if key.contains(where: \.isNull) { continue }
        if let first = known[key] {
          return PromiseBreach(
            objects: [first, object], object: object, property: properties[0],
            value: promised.value(of: properties[0], of: object),
            text: "two objects have the value")
        }
        known[key] = object
      }
      return nil
    case .every(let predicate):
      let failing = objects.filter { !promised.holds(predicate, for: $0) }
      guard let first = failing.first else { return nil }
      return PromiseBreach(objects: failing, object: first, text: "it does not hold for")
    case .count(let relation, let number):
      let count = objects.count
      if relation.holds(isLess: count < number, isEqual: count == number) { return nil }
      return PromiseBreach(
        objects: objects, text: count == 1 ? "1 object exists" : "\(count) objects exist")
    case .sum(let property, let relation, let wanted):
      let values = objects.map { promised.value(of: property, of: $0) }
      let (sum, isLess, isEqual) = promised.sum(of: values, comparedWith: wanted)
      if relation.holds(isLess: isLess, isEqual: isEqual) { return nil }
      return PromiseBreach(objects: objects, value: sum, text: "the sum is")
    }
  }
}
