/// Counterpart of `NSAttributeType`.
package enum AttributeType: String, CaseIterable, Sendable {
  case integer16, integer32, integer64, decimal, double, float, string, boolean, date, binaryData
  case uuid, uri, transformable

  /// The greatest number of an integer type, or `nil` for other types.
  package var greatestInteger: Int64? {
    switch self {
    case .integer16: Int64(Int16.max)
    case .integer32: Int64(Int32.max)
    case .integer64: .max
    default: nil
    }
  }

  /// A Boolean value that indicates whether values of the type can be added.
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
  /// The minimum number or date, or the minimum length of a text.
  package var minimum: Value? = nil
  package var maximum: Value? = nil
  /// Values that validation rejects with code 1550, the counterpart of `validationPredicates`
  /// (SV-A7).
  package var forbidden: [ForbiddenValue] = []

  package init(type: AttributeType) { self.type = type }

  /// A Boolean value that indicates whether an app's class is taken to declare the attribute with a
  /// type without nil, such as `Int32`.
  ///
  /// This is the default of Xcode for numbers and Booleans. Optional attributes count as
  /// `NSNumber`, as do attributes without a default. The model's `usesScalarValueType` is not
  /// consulted.
  package var isScalar: Bool {
    if isOptional || defaultValue.isNull { return false }
    return switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: true
    case .decimal, .string, .date, .uuid, .binaryData, .uri, .transformable: false
    }
  }

  /// Returns the value of this type that stands for `number`.
  ///
  /// Distinct numbers result in distinct values, except for Booleans. A value that is read thus
  /// identifies the step that wrote it.
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

/// A validation predicate `SELF != value`, with its warning.
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
  /// The inverse relationship in the destination entity.
  package var inverse: PropertyID? = nil
  package var isOptional = true
  package var isToMany = false
  package var isOrdered = false
  /// The minimum number of destinations that validation accepts. An optional relationship may also
  /// be empty.
  package var minimumCount = 0
  /// The maximum number of destinations that validation accepts. 0 means no limit.
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
  /// The index of the property's storage in an object. Set by `ObjectModel.init`.
  ///
  /// Attributes and to-one relationships are stored among the object's values, to-many
  /// relationships among its collections.
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

/// A method of `NSManagedObject` that Core Data calls and that subclasses override.
package enum Hook: String, CaseIterable, Sendable {
  case awakeFromInsert, awakeFromFetch, prepareForDeletion
  case willSave, didSave
  case willTurnIntoFault, didTurnIntoFault
  /// The code of an `NSMergePolicy` subclass that runs for an object after `super` has resolved its
  /// conflict (MP-A10). It is the only hook that is not a method of the object.
  case resolveConflicts
}

/// An assignment that a class makes in one of its hooks.
package struct HookAction: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// Sets an attribute to `value(numbered:)` of a number that is used once in each world.
    case setNext
    case set(Value)
    /// Inserts an object of the relationship's destination entity and sets the relationship to it.
    case insertRelated
  }

  package var hook: Hook
  package var property: PropertyID
  package var effect: Effect
  /// If true, the action applies only while the property is nil or empty. `willSave` needs such a
  /// guard (LC-09).
  package var onlyIfNil: Bool
  /// If true, the action uses the primitive setter of an attribute, which is not tracked as a
  /// change (LC-04, CT-06).
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
  /// The maximum number of properties of an entity, inherited properties included. In published
  /// apps, the largest entities have 79.
  package static let propertyLimit = 512

  package var name: String
  package var isAbstract = false
  package var parent: EntityID? = nil
  /// The properties in declaration order. Inherited properties come first.
  package var properties: [Property] = []
  /// Lists of properties in which no two rows may have equal values.
  package var uniquenessConstraints: [[PropertyID]] = []
  /// The actions of hooks. Inherited actions come first.
  package var hookActions: [HookAction] = []

  /// The attribute with which app code marks an object, and the value that it sets.
  ///
  /// The attribute is the first stored Boolean. Without a Boolean, it is the last stored attribute
  /// that accepts the value and need not be unique.
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

  // Properties set by `ObjectModel.init`.

  /// This entity and all of its subentities.
  package fileprivate(set) var family: [EntityID] = []
  /// The number of attributes and to-one relationships of an object.
  package fileprivate(set) var valueCount = 0
  /// The number of to-many relationships of an object.
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
/// The `properties` of entities passed to `init` must begin with the inherited properties. Their
/// destinations, inverses and parents must be valid indices. `init` derives all other data and
/// checks that the model is consistent.
package struct ObjectModel: Hashable, Sendable {
  package let entities: [Entity]
  /// The texts of default values.
  package var symbols: SymbolTable

  package init(entities declared: [Entity], symbols: SymbolTable = SymbolTable()) {
    var entities = declared
    for index in entities.indices {
      // Entities of another model already have derived data.
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

  /// Returns a Boolean value that indicates whether `entity` is `ancestor` or one of its
  /// subentities.
  package func entity(_ entity: EntityID, inherits ancestor: EntityID) -> Bool {
    entities[ancestor.index].family.contains(entity)
  }

  /// Returns this model without actions in `hook`.
  package func without(_ hook: Hook) -> ObjectModel {
    var changed = entities
    for entity in changed.indices {
      changed[entity].hookActions.removeAll { $0.hook == hook }
    }
    return changed == entities ? self : ObjectModel(entities: changed, symbols: symbols)
  }

  /// Returns this model with the delete rule `old` replaced by `new` in all relationships.
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

  /// The entities that have too many properties to be simulated.
  package var oversizedEntities: [Entity] {
    entities.filter { $0.properties.count > Entity.propertyLimit }
  }

  /// The entities that are not abstract.
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
