import ObjectModel

/// What the reference model asks about a property at every step, without its name and limits.
struct PropertyShape: Sendable {
  var slot: Int
  var isRelationship = false
  var isToMany = false
  var isOrdered = false
  var isTransient = false
  var inverse: Int? = nil
  var inverseIsToMany = false
  var deleteRule = DeleteRule.noAction
  /// Whether there is a value, or a number of destinations, that a save would refuse.
  var isRestricted = false
  /// Whether it refuses nothing but no value at all.
  var isOnlyMandatory = false
}

extension PropertyShape {
  fileprivate mutating func restrict(as property: Property) {
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
      isRestricted = !relationship.isOptional || isCounted
      isOnlyMandatory = isRestricted && !relationship.isToMany
    }
  }
}

/// The same about an entity.
struct EntityShape: Sendable {
  var properties: [PropertyShape] = []
  var hasRelationships = false
  /// A to-many relationship may have it.
  var isMember = false
  var transientSlots: [Int] = []
  /// By collection slot.
  var isOrderedCollection: [Bool] = []
  /// All collection slots.
  var collectionSlots = PropertySet()
  /// Also what a row has before anything is written to it.
  var defaults = Snapshot()

  init(_ id: EntityID, in model: ObjectModel) {
    let entity = model.entities[id.index]
    precondition(
      entity.properties.count <= Entity.propertyLimit,
      "\(entity.name) has more than \(Entity.propertyLimit) properties")
    properties.reserveCapacity(entity.properties.count)
    for property in entity.properties {
      var shape = PropertyShape(slot: property.slot)
      shape.isTransient = property.isTransient
      shape.restrict(as: property)
      if shape.isTransient { transientSlots.append(property.slot) }
      if let relationship = property.relationship {
        shape.isRelationship = true
        hasRelationships = true
        shape.isToMany = relationship.isToMany
        shape.isOrdered = relationship.isToMany && relationship.isOrdered
        shape.deleteRule = relationship.deleteRule
        if let inverse = relationship.inverse {
          shape.inverse = inverse.index
          shape.inverseIsToMany =
            model.entities[relationship.destination.index].properties[inverse.index].isToMany
        }
        if shape.isToMany {
          isOrderedCollection.append(shape.isOrdered)
          collectionSlots.insert(shape.slot)
        }
      }
      properties.append(shape)
    }
    isMember = EntityShape.isMember(id, in: model)
    defaults.values = entity.defaultValues
    defaults.collections = Array(repeating: [], count: entity.collectionCount)
  }

  private static func isMember(_ id: EntityID, in model: ObjectModel) -> Bool {
    // By index: a walk over entities copies them.
    for owner in model.entities.indices {
      for property in model.entities[owner].relationshipIDs {
        if let relationship = model.entities[owner].properties[property.index].relationship,
          relationship.isToMany, model.entity(id, inherits: relationship.destination)
        {
          return true
        }
      }
    }
    return false
  }
}
