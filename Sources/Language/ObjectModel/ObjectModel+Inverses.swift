extension ObjectModel {
  /// Returns this model with an inverse for each relationship that has none. The added inverse is a
  /// to-many relationship with the nullify rule.
  ///
  /// Relationships whose destination has subentities stay unchanged.
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

  /// Returns a Boolean value that indicates whether `givingInverses()` leaves a relationship
  /// without an inverse.
  ///
  /// An inverse in a destination with subentities would change the indices of their own properties.
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
