import ObjectModel

/// What the reference model asks about a property at every step, without its name and limits.
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
  /// Whether there is a value, or a number of destinations, that a save would refuse.
  var isRestricted = false
  /// Whether it refuses nothing but no value at all.
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

/// The same about an entity.
struct EntityShape: Sendable {
  var properties: [PropertyShape] = []
  /// The relationships, by index.
  var relationships: [(property: Int, shape: PropertyShape)] = []
  /// What is restricted, by index.
  var restricted: [(property: Int, shape: PropertyShape)] = []
  /// A to-many relationship may have it.
  var isMember = false
  var transientSlots: [Int] = []
  /// By collection slot.
  var isOrderedCollection: [Bool] = []
  /// All collection slots.
  var collectionSlots = PropertySet()
  /// Also what a row has before anything is written to it.
  var defaults = Snapshot()

  /// By entity.
  static func all(of model: ObjectModel) -> [EntityShape] {
    // By index: a walk over entities copies them.
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
