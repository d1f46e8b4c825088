import Foundation
import InputFiles

/// The settings of a model file that the engine does not need.
extension NSManagedObjectModel {
  /// Applies the settings of a model file for migrations and for the app.
  func note(_ classes: ModelClasses) {
    let entities = entitiesByName
    for noted in classes.entities {
      guard let entity = entities[noted.name] else { continue }
      entity.ownRenamingIdentifier = noted.notes.renamingIdentifier
      entity.versionHashModifier = noted.notes.versionHashModifier
      entity.userInfo = noted.notes.userInfo
      for property in noted.properties {
        let description = entity.properties.first { $0.name == property.name }
        description?.ownRenamingIdentifier = property.notes.renamingIdentifier
        description?.versionHashModifier = property.notes.versionHashModifier
        description?.userInfo = property.notes.userInfo
      }
      entity.indexes = noted.indexes.map { NSFetchIndexDescription($0, of: entity) }
      entity.properties += noted.fetchedProperties.map { NSFetchedPropertyDescription($0) }
    }
    for request in classes.requests { templates.declare(request) }
  }
}

extension NSAttributeDescription {
  /// Creates an attribute from the settings of a model file other than its type. The class of the
  /// attribute depends on whether it is derived or composite.
  static func declared(_ settings: ModelClasses.Settings?) -> NSAttributeDescription {
    guard let settings else { return NSAttributeDescription() }
    let attribute: NSAttributeDescription
    if let expression = settings.derivation {
      let derived = NSDerivedAttributeDescription()
      derived.derivationText = expression
      attribute = derived
    } else if settings.isComposite {
      attribute = NSCompositeAttributeDescription.ofFile()
    } else {
      attribute = NSAttributeDescription()
    }
    attribute.valueTransformerName = settings.valueTransformer
    attribute.allowsExternalBinaryDataStorage = settings.allowsExternalStorage
    attribute.preservesValueInHistoryOnDeletion = settings.preservesValueInHistory
    attribute.allowsCloudEncryption = settings.allowsCloudEncryption
    if let pattern = settings.pattern {
      attribute.validationPredicates = [NSPredicate(format: "SELF MATCHES %@", pattern)]
      attribute.validationWarnings = [NSValidationStringPatternMatchingError]
    }
    return attribute
  }
}

extension NSFetchIndexDescription {
  fileprivate convenience init(
    _ noted: ModelClasses.FetchIndex, of entity: NSEntityDescription
  ) {
    let elements = noted.elements.compactMap { element in
      entity.propertiesByName[element.property].map { property in
        let description = NSFetchIndexElementDescription(
          property: property, collationType: element.isBinary ? .binary : .rTree)
        description.isAscending = element.isAscending
        return description
      }
    }
    self.init(name: noted.name, elements: elements)
  }
}

extension NSFetchedPropertyDescription {
  fileprivate convenience init(_ noted: ModelClasses.FetchedProperty) {
    self.init()
    name = noted.name
    declared = noted.request
    ownRenamingIdentifier = noted.notes.renamingIdentifier
    versionHashModifier = noted.notes.versionHashModifier
    userInfo = noted.notes.userInfo
  }
}

extension NSFetchRequest where ResultType == any NSFetchRequestResult {
  /// Creates the request that a model file declares. Traps if its predicate is not simulated.
  convenience init(_ declared: ModelClasses.Request) {
    self.init(entityName: declared.entity)
    predicate = declared.predicate.map { NSPredicate(format: $0) }
    fetchLimit = declared.fetchLimit
    fetchBatchSize = declared.fetchBatchSize
    resultType = NSFetchRequestResultType(rawValue: declared.resultType)
    includesSubentities = declared.includesSubentities
    includesPropertyValues = declared.includesPropertyValues
    includesPendingChanges = declared.includesPendingChanges
    returnsObjectsAsFaults = declared.returnsObjectsAsFaults
    returnsDistinctResults = declared.returnsDistinctResults
  }
}
