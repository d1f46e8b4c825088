/// Key paths: properties, each but the last a relationship that leads to the entity of the next.
extension ObjectModel {
  /// Where a relationship leads; from an attribute, nowhere.
  package func destination(of property: PropertyID, from entity: EntityID) -> EntityID {
    let properties = entities[entity.index].properties
    guard properties.indices.contains(property.index) else { return entity }
    return properties[property.index].relationship?.destination ?? entity
  }

  /// The keys of a path.
  package func names(of path: [PropertyID], from entity: EntityID) -> [String] {
    var entity = entity
    var names: [String] = []
    for key in path {
      names.append(self[entity][key].name)
      entity = destination(of: key, from: entity)
    }
    return names
  }

  /// The property at the end of a key path, and whether one on the way, or it, is to-many. Nil if
  /// the path is no path of the entity.
  package func end(
    of path: [PropertyID], from entity: EntityID
  ) -> (property: Property, isMany: Bool)? {
    var entity: EntityID? = entity
    var end: Property?
    var isMany = false
    for key in path {
      guard let owner = entity, entities[owner.index].properties.indices.contains(key.index) else {
        return nil
      }
      let property = entities[owner.index].properties[key.index]
      (end, entity) = (property, property.relationship?.destination)
      isMany = isMany || property.isToMany
    }
    return end.map { ($0, isMany) }
  }
}
