import ObjectModel

/// The features of a property that the reference model reads at every step, without name and
/// limits.
struct PropertyShape: Sendable {
  var slot: Int
  var isRelationship = false
  var isToMany = false
  var isOrdered = false
  var isTransient: Bool
  var destination: EntityID? = nil
  var inverse: Int? = nil
  var inverseIsToMany = false
  var deleteRule = DeleteRule.noAction
  /// True if a save would refuse some value or some number of destinations.
  var isRestricted = false
  /// True if a save would refuse only a missing value.
  var isOnlyMandatory = false

  init(_ property: Property) {
    slot = property.slot
    isTransient = property.isTransient
    switch property.kind {
    case .attribute(let attribute):
      let isMandatory = !attribute.isOptional && !attribute.isTransient
      let hasLimits =
        attribute.minimum != nil || attribute.maximum != nil || !attribute.forbidden.isEmpty
      isRestricted = isMandatory || hasLimits
      isOnlyMandatory = isMandatory && !hasLimits
    case .relationship(let relationship):
      let isCounted =
        relationship.isToMany && (relationship.minimumCount > 0 || relationship.maximumCount > 0)
      isRelationship = true
      isToMany = relationship.isToMany
      isOrdered = isToMany && relationship.isOrdered
      destination = relationship.destination
      inverse = relationship.inverse?.index
      deleteRule = relationship.deleteRule
      isRestricted = !relationship.isOptional || isCounted
      isOnlyMandatory = isRestricted && !isToMany
    }
  }
}

/// The features of an entity that the reference model reads at every step.
struct EntityShape: Sendable {
  var properties: [PropertyShape] = []
  /// The relationships, in property order.
  var relationships: [(property: Int, shape: PropertyShape)] = []
  /// The restricted properties, in property order.
  var restricted: [(property: Int, shape: PropertyShape)] = []
  /// True if a to-many relationship may have an object of the entity as a member.
  var isMember = false
  var transientSlots: [Int] = []
  /// Indexed by collection slot.
  var isOrderedCollection: [Bool] = []
  /// All collection slots.
  var collectionSlots = PropertySet()
  /// The defaults, which a row has before any value is written to it.
  var defaults = Snapshot()

  /// Returns the shapes of all entities, in the order of the model.
  static func all(of model: ObjectModel) -> [EntityShape] {
    // An index avoids copies of the entities, which an iteration would make.
    var shapes = model.entities.indices.map { EntityShape(EntityID($0), in: model) }
    for index in shapes.indices {
      for (_, shape) in shapes[index].relationships where shape.isToMany {
        guard let destination = shape.destination else { continue }
        for member in model.entities[destination.index].family {
          shapes[member.index].isMember = true
        }
      }
    }
    return shapes
  }

  private init(_ id: EntityID, in model: ObjectModel) {
    let entity = model.entities[id.index]
    precondition(
      entity.properties.count <= Entity.propertyLimit,
      "\(entity.name) has more than \(Entity.propertyLimit) properties")
    properties.reserveCapacity(entity.properties.count)
    relationships.reserveCapacity(entity.relationshipIDs.count)
    restricted.reserveCapacity(entity.properties.count)
    for index in entity.properties.indices {
      var shape = PropertyShape(entity.properties[index])
      if let destination = shape.destination, let inverse = shape.inverse {
        shape.inverseIsToMany = model.entities[destination.index].properties[inverse].isToMany
      }
      if shape.isTransient { transientSlots.append(shape.slot) }
      if shape.isToMany {
        isOrderedCollection.append(shape.isOrdered)
        collectionSlots.insert(shape.slot)
      }
      if shape.isRelationship { relationships.append((index, shape)) }
      if shape.isRestricted { restricted.append((index, shape)) }
      properties.append(shape)
    }
    defaults.values = entity.defaultValues
    defaults.collections = Array(repeating: [], count: entity.collectionCount)
  }
}
