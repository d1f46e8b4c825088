/// Counterpart of `NSAttributeType`.
package enum AttributeType: String, CaseIterable, Sendable {
  case integer16, integer32, integer64, decimal, double, float, string, boolean, date, binaryData
  case uuid, uri, transformable

  /// The greatest number of an integer type; nil for the others.
  package var greatestInteger: Int64? {
    switch self {
    case .integer16: Int64(Int16.max)
    case .integer32: Int64(Int32.max)
    case .integer64: .max
    default: nil
    }
  }

  /// Whether its values add up.
  package var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    case .boolean, .date, .uuid, .string, .binaryData, .uri, .transformable: false
    }
  }
}

/// Counterpart of `NSDeleteRule`.
package enum DeleteRule: String, CaseIterable, Sendable {
  case noAction, nullify, cascade, deny
}

/// Counterpart of `NSAttributeDescription`.
package struct Attribute: Hashable, Sendable {
  package var type: AttributeType
  package var isOptional = true
  package var isTransient = false
  package var defaultValue = Value.null
  /// The least and greatest number or date, or the least and greatest length of a text.
  package var minimum: Value? = nil
  package var maximum: Value? = nil
  /// What a save refuses with code 1550, counterpart of `validationPredicates` (SV-A7).
  package var forbidden: [ForbiddenValue] = []

  package init(type: AttributeType) { self.type = type }

  /// The value of this type that stands for `number`: distinct numbers give distinct values, save
  /// for booleans, so that the writer of a value that is read is known.
  package func value(numbered number: Int) -> Value {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number))
    case .decimal: .decimal(significand: Int64(number), exponent: 0)
    case .double, .float: .number(Double(number))
    case .string: .string(Symbol(token: number))
    case .boolean: .boolean(number % 2 == 1)
    case .date: .date(Int64(number))
    case .uuid: .uuid(0, UInt64(number))
    case .binaryData, .uri, .transformable: .opaque(Symbol(token: number))
    }
  }
}

/// The validation predicate `SELF != value`, with its warning.
package struct ForbiddenValue: Hashable, Sendable {
  package var value: Value
  package var warning: String

  package init(_ value: Value, warning: String) {
    self.value = value
    self.warning = warning
  }
}

/// Counterpart of `NSRelationshipDescription`.
package struct Relationship: Hashable, Sendable {
  package var destination: EntityID
  /// The number of the inverse in the destination entity.
  package var inverse: PropertyID? = nil
  package var isOptional = true
  package var isToMany = false
  package var isOrdered = false
  /// The least number of destinations that a save accepts, unless there are none and it is
  /// optional.
  package var minimumCount = 0
  /// The greatest number of destinations that a save accepts; 0 is no limit.
  package var maximumCount = 0
  package var deleteRule = DeleteRule.nullify

  package init(destination: EntityID) { self.destination = destination }
}

/// Counterpart of `NSPropertyDescription`.
package struct Property: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  package var name: String
  package var kind: Kind
  /// Where an object keeps this property: among its values (attributes and to-one relationships),
  /// or among its collections (to-many relationships). Set by `ObjectModel.init`.
  package var slot = 0

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  package var attribute: Attribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  package var relationship: Relationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }

  package var isToMany: Bool {
    if case .relationship(let relationship) = kind { return relationship.isToMany }
    return false
  }

  package var isTransient: Bool {
    if case .attribute(let attribute) = kind { return attribute.isTransient }
    return false
  }
}

/// A method of `NSManagedObject` that Core Data calls and subclasses override.
package enum Hook: String, CaseIterable, Sendable {
  case awakeFromInsert, awakeFromFetch, prepareForDeletion
  case willSave, didSave
  case willTurnIntoFault, didTurnIntoFault
  /// Not of the object: what a subclass of NSMergePolicy does with it after `super` has resolved
  /// its conflict (MP-A10).
  case resolveConflicts
}

/// What a class does in one of its hooks, as data.
package struct HookAction: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// Sets an attribute to `value(numbered:)` of a number that no other hook of this world got.
    case setNext
    case set(Value)
    /// Inserts an object of the relationship's destination entity and relates it.
    case insertRelated
  }

  package var hook: Hook
  package var property: PropertyID
  package var effect: Effect
  /// Only where the property is still nil or empty: the guard that `willSave` needs (LC-09).
  package var onlyIfNil: Bool
  /// Through the primitive setter: not tracked as a change (LC-04, CT-06). Only of attributes.
  package var isPrimitive: Bool

  package init(
    hook: Hook, property: PropertyID, effect: Effect, onlyIfNil: Bool, isPrimitive: Bool = false
  ) {
    self.hook = hook
    self.property = property
    self.effect = effect
    self.onlyIfNil = onlyIfNil
    self.isPrimitive = isPrimitive
  }
}

/// Counterpart of `NSEntityDescription`.
package struct Entity: Hashable, Sendable {
  /// How many properties an entity may have, inherited ones included. The largest of published apps
  /// have 79.
  package static let propertyLimit = 512

  package var name: String
  package var isAbstract = false
  package var parent: EntityID? = nil
  /// Inherited properties first, in the order of their declaration.
  package var properties: [Property] = []
  /// Each a list of properties that no two rows may agree on.
  package var uniquenessConstraints: [[PropertyID]] = []
  /// Inherited ones first.
  package var hookActions: [HookAction] = []

  /// The attribute that an app's code marks an object by, and the mark: the first Boolean that is
  /// stored, else the last stored attribute that takes the value and need not be unique.
  package var mark: (property: PropertyID, value: Value)? {
    let fits = properties.indices.compactMap { index -> (property: PropertyID, value: Value)? in
      let property = PropertyID(index)
      guard let attribute = properties[index].attribute, !attribute.isTransient,
        attribute.minimum == nil, attribute.maximum == nil, attribute.forbidden.isEmpty,
        !uniquenessConstraints.contains(where: { $0.contains(property) }),
        !hookActions.contains(where: { $0.property == property })
      else { return nil }
      return (property, attribute.value(numbered: 1))
    }
    return fits.first { if case .boolean = $0.value { true } else { false } } ?? fits.last
  }

  // Set by `ObjectModel.init`.

  /// This entity and all that inherit from it.
  package fileprivate(set) var family: [EntityID] = []
  /// How many attributes and to-one relationships an object has.
  package fileprivate(set) var valueCount = 0
  /// How many to-many relationships an object has.
  package fileprivate(set) var collectionCount = 0
  /// The values of a new object, by slot.
  package fileprivate(set) var defaultValues: [Value] = []
  package fileprivate(set) var attributeIDs: [PropertyID] = []
  /// The attributes that are not transient.
  package fileprivate(set) var storedAttributeIDs: [PropertyID] = []
  package fileprivate(set) var relationshipIDs: [PropertyID] = []

  package init(name: String) { self.name = name }

  package subscript(property: PropertyID) -> Property { properties[property.index] }

  package func property(named name: String) -> PropertyID? {
    properties.firstIndex { $0.name == name }.map { PropertyID($0) }
  }

  package var propertyIDs: [PropertyID] { properties.indices.map { PropertyID($0) } }
}

/// Counterpart of `NSManagedObjectModel`.
///
/// A reader hands over entities whose `properties` already begin with the inherited ones and whose
/// destinations, inverses and parents are numbers; `init` derives the rest and checks that it fits.
package struct ObjectModel: Hashable, Sendable {
  package let entities: [Entity]
  /// The texts of default values.
  package var symbols: SymbolTable

  package init(entities declared: [Entity], symbols: SymbolTable = SymbolTable()) {
    var entities = declared
    for index in entities.indices {
      // They may come from another model, which has derived its own.
      entities[index].family = []
      entities[index].attributeIDs = []
      entities[index].storedAttributeIDs = []
      entities[index].relationshipIDs = []
    }
    for index in entities.indices {
      var values = 0
      var collections = 0
      for property in entities[index].properties.indices {
        let isToMany = entities[index].properties[property].isToMany
        entities[index].properties[property].slot = isToMany ? collections : values
        if isToMany { collections += 1 } else { values += 1 }
        switch entities[index].properties[property].kind {
        case .attribute(let attribute):
          entities[index].attributeIDs.append(PropertyID(property))
          if !attribute.isTransient {
            entities[index].storedAttributeIDs.append(PropertyID(property))
          }
        case .relationship: entities[index].relationshipIDs.append(PropertyID(property))
        }
      }
      entities[index].valueCount = values
      entities[index].collectionCount = collections
      entities[index].defaultValues = entities[index].properties.filter { !$0.isToMany }
        .map { $0.attribute?.defaultValue ?? .null }
      var ancestor: EntityID? = EntityID(index)
      while let current = ancestor {
        entities[current.index].family.append(EntityID(index))
        ancestor = entities[current.index].parent
      }
    }
    self.entities = entities
    self.symbols = symbols
    checkInvariants()
  }

  package subscript(entity: EntityID) -> Entity { entities[entity.index] }

  package func entity(named name: String) -> EntityID? {
    entities.firstIndex { $0.name == name }.map { EntityID($0) }
  }

  /// Whether objects of `entity` are also objects of `ancestor`.
  package func entity(_ entity: EntityID, inherits ancestor: EntityID) -> Bool {
    entities[ancestor.index].family.contains(entity)
  }

  /// Itself, with classes that do nothing in `hook`.
  package func without(_ hook: Hook) -> ObjectModel {
    var changed = entities
    for entity in changed.indices {
      changed[entity].hookActions.removeAll { $0.hook == hook }
    }
    return changed == entities ? self : ObjectModel(entities: changed, symbols: symbols)
  }

  /// Itself, with another delete rule for all relationships that have `old`.
  package func replacing(_ old: DeleteRule, by new: DeleteRule) -> ObjectModel {
    var changed = entities
    for entity in changed.indices {
      for property in changed[entity].properties.indices {
        guard var relationship = changed[entity].properties[property].relationship,
          relationship.deleteRule == old
        else { continue }
        relationship.deleteRule = new
        changed[entity].properties[property].kind = .relationship(relationship)
      }
    }
    return changed == entities ? self : ObjectModel(entities: changed, symbols: symbols)
  }

  /// The entities with more properties than can be simulated.
  package var oversizedEntities: [Entity] {
    entities.filter { $0.properties.count > Entity.propertyLimit }
  }

  /// Entities of which objects can be made.
  package var concreteEntities: [EntityID] {
    entities.indices.filter { !entities[$0].isAbstract }.map { EntityID($0) }
  }

  package func checkInvariants() {
    for entity in entities {
      if let parent = entity.parent {
        let inherited = entities[parent.index].properties
        precondition(
          Array(entity.properties.prefix(inherited.count)).map(\.name) == inherited.map(\.name),
          "\(entity.name) does not begin with the properties of \(entities[parent.index].name)")
      }
      for property in entity.properties {
        guard let relationship = property.relationship, let inverse = relationship.inverse else {
          continue
        }
        let back = entities[relationship.destination.index][inverse].relationship
        precondition(
          back != nil, "the inverse of \(entity.name).\(property.name) is not a relationship")
      }
    }
  }
}
