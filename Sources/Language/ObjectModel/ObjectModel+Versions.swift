extension ObjectModel {
  /// Returns a Boolean value that indicates whether the entities and properties of `earlier` have
  /// the same IDs and types here. Entities and properties may have been added at the end, and
  /// constraints, delete rules, defaults and validation may differ.
  package func extends(_ earlier: ObjectModel) -> Bool {
    entities.count >= earlier.entities.count
      && zip(entities, earlier.entities).allSatisfy { $0.extends($1) }
  }
}

extension Entity {
  fileprivate func extends(_ earlier: Entity) -> Bool {
    name == earlier.name && parent == earlier.parent && isAbstract == earlier.isAbstract
      && properties.count >= earlier.properties.count
      && zip(properties, earlier.properties).allSatisfy { $0.isSame(as: $1) }
  }
}

extension Property {
  fileprivate func isSame(as earlier: Property) -> Bool {
    guard name == earlier.name else { return false }
    return switch (kind, earlier.kind) {
    case (.attribute(let own), .attribute(let other)):
      own.type == other.type && own.isTransient == other.isTransient
    case (.relationship(let own), .relationship(let other)):
      own.destination == other.destination && own.inverse == other.inverse
        && own.isToMany == other.isToMany && own.isOrdered == other.isOrdered
    default: false
    }
  }
}
