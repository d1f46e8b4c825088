package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// The objects that break a claim about data.
package struct PromiseBreach {
  /// The objects whose absence would restore the claim, or that are counted or added up.
  var objects: [ObjectID]
  package var object: ObjectID?
  var property: PropertyID?
  package var value: Value?
  /// The beginning of a sentence that ends with the value or the object, if any.
  package var text: String

  /// Returns a Boolean value that indicates whether the context has unsaved insertions or changes
  /// of one of the objects.
  func isAboutChanges(of context: ContextID, in world: World) -> Bool {
    objects.contains { object in
      guard let view = world.graph.inspect(object, in: context)?.view else { return false }
      return view.isInserted || view.isUpdated
    }
  }
}

extension DataClaim {
  /// Returns the first objects that break the claim in a place, or `nil` if it holds there.
  package func breach(in place: Place, _ world: World) -> PromiseBreach? {
    let promised = PromisedObjects(world.graph, in: place)
    return breach(among: promised.objects(of: self), promised)
  }

  /// Returns the first objects that break the claim, or `nil` if it holds.
  func breach(among objects: [ObjectID], _ promised: PromisedObjects) -> PromiseBreach? {
    switch statement {
    case .unique(let properties):
      var known: [[Value]: ObjectID] = [:]
      for object in objects {
        let key = properties.map { promised.key(of: $0, of: object) }
        if key.contains(where: \.isNull) { continue }
        if let first = known[key] {
          let isCompound = properties.count > 1
          return PromiseBreach(
            objects: [first, object], object: object, property: isCompound ? nil : properties[0],
            value: isCompound ? nil : promised.value(of: properties[0], of: object),
            text: isCompound ? "another object has the values of" : "two objects have the value")
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

  var isAboutEveryObject: Bool {
    if case .every = statement { true } else { false }
  }

  /// The properties of the entity itself that the claim mentions.
  var mentionedProperties: [PropertyID] {
    var all = properties
    if case .every(let predicate) = statement { all += predicate.paths.compactMap(\.first) }
    all += condition?.paths.compactMap(\.first) ?? []
    return all.reduce(into: []) { known, property in
      if !known.contains(property) { known.append(property) }
    }
  }

  func mentionsRelationship(in world: World) -> Bool {
    mentionedProperties.contains { world.model[entity][$0].relationship != nil }
  }
}
