/// Key paths: lists of properties in which all but the last are relationships, each leading to the
/// entity of the next property.
extension ObjectModel {
  /// Returns the destination of a relationship, or `entity` for an attribute.
  package func destination(of property: PropertyID, from entity: EntityID) -> EntityID {
    let properties = entities[entity.index].properties
    guard properties.indices.contains(property.index) else { return entity }
    return properties[property.index].relationship?.destination ?? entity
  }

  /// Returns the names of the properties in a key path.
  package func names(of path: [PropertyID], from entity: EntityID) -> [String] {
    var entity = entity
    var names: [String] = []
    for key in path {
      names.append(self[entity][key].name)
      entity = destination(of: key, from: entity)
    }
    return names
  }

  /// Returns the property at the end of a key path, and whether the path includes a to-many
  /// relationship. Returns `nil` if the path is not valid for the entity.
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
