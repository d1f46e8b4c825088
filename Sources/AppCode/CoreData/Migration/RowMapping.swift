import Foundation
import ObjectModel

/// Maps rows of one model to rows of another, as a lightweight migration infers.
struct RowMapping {
  /// A pair of corresponding entities, with pairs of their corresponding properties.
  struct EntityPair {
    let source: NSEntityDescription
    let destination: NSEntityDescription
    var attributes: [(source: NSAttributeDescription, destination: NSAttributeDescription)] = []
    var relationships:
      [(source: NSRelationshipDescription, destination: NSRelationshipDescription)] = []
    /// The attributes for which a source row has no value.
    var newAttributes: [NSAttributeDescription] = []
  }

  /// The reason why no mapping can be inferred.
  struct Problem: Error {
    let text: String
  }

  private(set) var pairs: [EntityPair] = []

  /// Creates a mapping that copies rows within a model.
  init(copying model: NSManagedObjectModel) {
    pairs = model.entities.map { entity in
      var pair = EntityPair(source: entity, destination: entity)
      for property in entity.allProperties { pair.add(property, property) }
      return pair
    }
  }

  /// Infers a mapping. Entities and properties correspond if their renaming identifiers, or names,
  /// are equal.
  init(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws(Problem) {
    for entity in destination.entities {
      let old = source.entities.first { $0.mappingName == entity.mappingName }
      guard let old else { continue }
      var pair = EntityPair(source: old, destination: entity)
      for property in entity.allProperties {
        let known = old.allProperties.first { $0.mappingName == property.mappingName }
        if let known {
          try pair.check(known, property)
          pair.add(known, property)
        } else if let attribute = property as? NSAttributeDescription {
          pair.newAttributes.append(attribute)
        }
      }
      pairs.append(pair)
    }
  }
}

extension RowMapping.EntityPair {
  fileprivate mutating func add(
    _ source: NSPropertyDescription, _ destination: NSPropertyDescription
  ) {
    if source.isTransient || destination.isTransient { return }
    if let source = source as? NSAttributeDescription,
      let destination = destination as? NSAttributeDescription
    {
      attributes.append((source, destination))
    } else if let source = source as? NSRelationshipDescription,
      let destination = destination as? NSRelationshipDescription
    {
      relationships.append((source, destination))
    }
  }

  fileprivate func check(
    _ source: NSPropertyDescription, _ destination: NSPropertyDescription
  ) throws(RowMapping.Problem) {
    let place = "\(self.destination.name ?? "").\(destination.name)"
    if let old = source as? NSAttributeDescription,
      let new = destination as? NSAttributeDescription
    {
      guard old.attributeType == new.attributeType else {
        throw RowMapping.Problem(
          text: "\(place): source and destination attribute types are incompatible")
      }
    } else if let old = source as? NSRelationshipDescription,
      let new = destination as? NSRelationshipDescription
    {
      guard !old.isToMany || new.isToMany else {
        throw RowMapping.Problem(
          text: "\(place): a to-many relationship cannot become a to-one relationship")
      }
    } else {
      throw RowMapping.Problem(
        text: "\(place): an attribute cannot become a relationship, nor the reverse")
    }
  }
}

extension NSEntityDescription {
  fileprivate var mappingName: String { renamingIdentifier ?? "" }
}

extension NSPropertyDescription {
  fileprivate var mappingName: String { renamingIdentifier ?? name }
}
