import ObjectModel

/// What the engine asks of a property in its inner loops: `Property`, without anything to retain.
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
  /// Whether validation counts the members of the to-many relationship.
  var hasCountRules: Bool

  var hasInverse: Bool { inverse >= 0 }
  var isRelationship: Bool { kind != .attribute }

  init(_ property: Property, in model: ObjectModel) {
    slot = property.slot
    guard let relationship = property.relationship else {
      (kind, isTransient, isOrdered) = (.attribute, property.isTransient, false)
      (inverse, inverseIsToMany, destination, deleteRule) = (-1, false, EntityID(0), .noAction)
      hasCountRules = false
      return
    }
    (kind, isTransient) = (relationship.isToMany ? .toMany : .toOne, false)
    isOrdered = relationship.isOrdered
    inverse = relationship.inverse?.index ?? -1
    destination = relationship.destination
    inverseIsToMany =
      relationship.inverse.map { model[relationship.destination][$0].isToMany } ?? false
    deleteRule = relationship.deleteRule
    hasCountRules =
      relationship.isToMany
      && (relationship.maximumCount > 0 || relationship.minimumCount > 0
        || !relationship.isOptional)
  }
}
