extension ObjectModel {
  /// Itself, with an inverse for each relationship that has none: a to-many of the destination
  /// under the rule nullify. Destinations that other entities inherit from stay as they are.
  package func givingInverses() -> ObjectModel {
    var changed = entities
    for (index, entity) in entities.enumerated() {
      let inheritedCount = entity.parent.map { entities[$0.index].properties.count } ?? 0
      for property in entity.properties.indices.dropFirst(inheritedCount) {
        guard let relationship = entity.properties[property].relationship,
          relationship.inverse == nil, !isInherited(relationship.destination)
        else { continue }
        let destination = relationship.destination.index
        let inverse = PropertyID(changed[destination].properties.count)
        var back = Relationship(destination: EntityID(index))
        back.inverse = PropertyID(property)
        back.isToMany = true
        let name = "\(entity.properties[property].name)Of\(entity.name)"
        changed[destination].properties.append(Property(name: name, kind: .relationship(back)))
        for heir in entity.family {
          var forward = relationship
          forward.inverse = inverse
          changed[heir.index].properties[property].kind = .relationship(forward)
        }
      }
    }
    return changed == entities ? self : ObjectModel(entities: changed, symbols: symbols)
  }

  /// Whether a property is a relationship without an inverse that stays as it is: its destination
  /// has heirs, whose own properties would change their numbers.
  package func canBeGivenNoInverse(_ entity: EntityID, _ property: PropertyID) -> Bool {
    guard let relationship = self[entity].properties[property.index].relationship else {
      return false
    }
    return relationship.inverse == nil && isInherited(relationship.destination)
  }

  private func isInherited(_ entity: EntityID) -> Bool {
    entities.contains { $0.parent == entity }
  }
}
