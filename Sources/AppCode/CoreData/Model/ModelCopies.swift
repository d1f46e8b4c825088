public import Foundation

/// Copies of the parts of a model.
///
/// The copy of a property or entity belongs to no entity or model. When the copy is added to one,
/// relationships find their destinations by name.
extension NSPropertyDescription: NSCopying {
  /// Returns a copy of the description. Traps for a custom subclass.
  public func copy(with zone: NSZone? = nil) -> Any {
    guard let copy = emptyCopy, type(of: copy) == type(of: self) else {
      misuse("copy of \(type(of: self)), a custom class, is not simulated")
    }
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.userInfo = userInfo
    copy.ownRenamingIdentifier = ownRenamingIdentifier
    copy.versionHashModifier = versionHashModifier
    copy.isIndexed = isIndexed
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    return copy
  }

  /// A new description of the same class, with the properties that the class adds.
  private var emptyCopy: NSPropertyDescription? {
    switch self {
    case let attribute as NSAttributeDescription: return attribute.attributeCopy
    case let relationship as NSRelationshipDescription:
      let copy = NSRelationshipDescription()
      copy.names = (
        relationship.destinationEntity?.name ?? relationship.names?.destination,
        relationship.inverseRelationship?.name ?? relationship.names?.inverse
      )
      copy.destinationEntity = relationship.destinationEntity
      copy.inverseRelationship = relationship.inverseRelationship
      copy.deleteRule = relationship.deleteRule
      copy.minCount = relationship.minCount
      copy.maxCount = relationship.maxCount
      copy.isOrdered = relationship.isOrdered
      return copy
    case let description as NSExpressionDescription:
      let copy = NSExpressionDescription()
      copy.expression = description.expression
      copy.expressionResultType = description.expressionResultType
      return copy
    case let fetched as NSFetchedPropertyDescription:
      let copy = NSFetchedPropertyDescription()
      copy.takeRequest(of: fetched)
      return copy
    default: return NSPropertyDescription()
    }
  }
}

extension NSAttributeDescription {
  fileprivate var attributeCopy: NSAttributeDescription {
    let copy: NSAttributeDescription
    if let derived = self as? NSDerivedAttributeDescription {
      let other = NSDerivedAttributeDescription()
      other.takeExpression(of: derived)
      copy = other
    } else if let composite = self as? NSCompositeAttributeDescription {
      copy = composite.compositeCopy
    } else {
      copy = NSAttributeDescription()
    }
    copy.attributeType = attributeType
    copy.defaultValue = defaultValue
    copy.valueTransformerName = valueTransformerName
    copy.attributeValueClassName = declaredValueClassName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
    copy.validationPredicates = validationPredicates
    copy.validationWarnings = validationWarnings
    copy.declared = declared
    return copy
  }
}

extension NSFetchIndexElementDescription: NSCopying {
  /// Returns a copy of the index element.
  public func copy(with zone: NSZone? = nil) -> Any { copy(of: property) }

  fileprivate func copy(of property: NSPropertyDescription?) -> NSFetchIndexElementDescription {
    guard let property else { misuse("an element of an index has lost its property") }
    let copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }
}

extension NSFetchIndexDescription: NSCopying {
  /// Returns a copy of the index.
  public func copy(with zone: NSZone? = nil) -> Any { copy { $0 } }

  fileprivate func copy(
    _ property: (NSPropertyDescription?) -> NSPropertyDescription?
  ) -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(
      name: name, elements: elements.map { $0.copy(of: property($0.property)) })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }
}

extension NSEntityDescription: NSCopying {
  /// Returns a copy of the entity with copies of its properties. Traps for an entity with a
  /// superentity or subentities, because these can only be copied with the model.
  public func copy(with zone: NSZone? = nil) -> Any {
    guard superentity == nil, subentities.isEmpty else {
      misuse("copy of '\(name ?? "")' without related entities is not simulated: copy the model")
    }
    return copyAlone
  }

  fileprivate var copyAlone: NSEntityDescription {
    let copy = NSEntityDescription()
    copy.name = name
    copy.managedObjectClassName = managedObjectClassName
    copy.isAbstract = isAbstract
    copy.properties = properties.compactMap { $0.copy() as? NSPropertyDescription }
    copy.uniquenessConstraints = uniquenessConstraints.map { constraint in
      constraint.map { item in
        (item as? NSPropertyDescription).flatMap { copy.propertiesByName[$0.name] } ?? item
      }
    }
    copy.userInfo = userInfo
    copy.ownRenamingIdentifier = ownRenamingIdentifier
    copy.versionHashModifier = versionHashModifier
    copy.indexes = indexes.map { index in
      index.copy { property in property.flatMap { copy.propertiesByName[$0.name] ?? $0 } }
    }
    return copy
  }
}

extension NSManagedObjectModel: NSCopying {
  /// Returns a copy of the model and all its parts.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    let entities = self.entities.map(\.copyAlone)
    func other(_ entity: NSEntityDescription) -> NSEntityDescription? {
      self.entities.firstIndex { $0 === entity }.map { entities[$0] }
    }
    for (own, new) in zip(self.entities, entities) {
      new.subentities = own.subentities.compactMap(other)
    }
    copy.entities = entities
    for name in configurations {
      let members = self.entities(forConfigurationName: name) ?? []
      copy.setEntities(members.compactMap(other), forConfigurationName: name)
    }
    copy.versionIdentifiers = versionIdentifiers
    copy.templates = templates.copy
    return copy
  }

  /// Connects copied relationships to the entities of this model.
  func bindCopies() {
    for entity in entities {
      for case let relationship as NSRelationshipDescription in entity.properties {
        guard let names = relationship.names,
          let destination = names.destination.flatMap({ entitiesByName[$0] })
        else { continue }
        relationship.names = nil
        relationship.destinationEntity = destination
        relationship.inverseRelationship = names.inverse.flatMap {
          destination.relationshipsByName[$0]
        }
      }
    }
  }
}

extension NSQueryGenerationToken: NSCopying {
  /// Returns the token itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
