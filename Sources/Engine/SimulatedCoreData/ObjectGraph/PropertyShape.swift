import ObjectModel

/// The parts of `Property` that the engine reads in its inner loops, without references to retain.
struct PropertyShape: Hashable {
  enum Kind: Hashable { case attribute, toOne, toMany }

  var kind: Kind
  var slot: Int
  var isTransient: Bool
  var isOrdered: Bool
  /// The number of the inverse in the destination entity, or -1.
  var inverse: Int
  var inverseIsToMany: Bool
  var destination: EntityID
  var deleteRule: DeleteRule
  /// A Boolean value that indicates whether a save may refuse a value or a number of members.
  var hasRules: Bool
  /// A Boolean value that indicates whether the property has rules beyond being mandatory.
  var hasLimits: Bool

  var hasInverse: Bool { inverse >= 0 }
  /// A Boolean value that indicates whether a save counts the members.
  var hasCountRules: Bool { kind == .toMany && hasRules }
  var isRelationship: Bool { kind != .attribute }

  init(_ property: Property, in model: ObjectModel) {
    slot = property.slot
    guard let relationship = property.relationship else {
      (kind, isTransient, isOrdered) = (.attribute, property.isTransient, false)
      (inverse, inverseIsToMany, destination, deleteRule) = (-1, false, EntityID(0), .noAction)
      hasLimits =
        property.attribute.map {
          $0.minimum != nil || $0.maximum != nil || !$0.forbidden.isEmpty
        } ?? false
      hasRules =
        hasLimits || property.attribute.map { !$0.isOptional && !$0.isTransient } ?? false
      return
    }
    (kind, isTransient) = (relationship.isToMany ? .toMany : .toOne, false)
    isOrdered = relationship.isOrdered
    inverse = relationship.inverse?.index ?? -1
    destination = relationship.destination
    inverseIsToMany =
      relationship.inverse.map {
        model.entities[relationship.destination.index].properties[$0.index].isToMany
      } ?? false
    deleteRule = relationship.deleteRule
    hasLimits =
      relationship.isToMany && (relationship.maximumCount > 0 || relationship.minimumCount > 0)
    hasRules = hasLimits || !relationship.isOptional
  }
}
