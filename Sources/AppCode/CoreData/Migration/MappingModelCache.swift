import Foundation
import InputFiles
import Synchronization

/// A cache of mapping models read from files, which do not change while a process runs.
enum MappingModelCache {
  /// A mapping model, with the version hashes of its source and destination models.
  final class File: Sendable {
    private let content: MappingModelFile
    private let source: [String: Data]?
    private let destination: [String: Data]?
    private let attributes: [String: Set<String>]
    private let relationships: [String: Set<String>]

    fileprivate init(_ content: MappingModelFile, at path: String) {
      self.content = content
      let source = File.model(content.sourcePath, near: path)
      self.source = source?.entityVersionHashesByName
      destination = File.model(content.destinationPath, near: path)?.entityVersionHashesByName
      let entities = source?.entitiesByName ?? [:]
      attributes = entities.mapValues { Set($0.attributesByName.keys) }
      relationships = entities.mapValues { Set($0.relationshipsByName.keys) }
    }

    /// Returns the model that a mapping model references by its path in an Xcode project.
    private static func model(_ path: String, near file: String) -> NSManagedObjectModel? {
      let parts = path.split(separator: "/").map(String.init)
      guard let version = parts.last else { return nil }
      let folder = parts.dropLast().last { $0.hasSuffix(".xcdatamodeld") }
      let name = (folder ?? version).split(separator: ".").dropLast().joined(separator: ".")
      let found = SimulatedFiles.models(near: file) { $0 == name }.first
      return found.flatMap { url in
        NSManagedObjectModel(
          contentsOf: folder == nil ? url : url.appendingPathComponent(version))
      }
    }

    /// Returns a Boolean value that indicates whether the mapping model maps one model to another.
    func leads(from old: NSManagedObjectModel, to new: NSManagedObjectModel) -> Bool {
      source == old.entityVersionHashesByName && destination == new.entityVersionHashesByName
    }

    /// Returns new copies of the entity mappings.
    func mappings() -> [NSEntityMapping] { content.entities.map(mapping) }

    private func mapping(of entity: MappingModelFile.Entity) -> NSEntityMapping {
      let mapping = NSEntityMapping()
      let names = [entity.source, entity.destination].compactMap { $0 }
      mapping.name = entity.name ?? names.joined(separator: "To")
      mapping.sourceEntityName = entity.source
      mapping.destinationEntityName = entity.destination
      mapping.sourceEntityVersionHash = entity.source.flatMap { source?[$0] }
      mapping.destinationEntityVersionHash = entity.destination.flatMap { destination?[$0] }
      mapping.entityMigrationPolicyClassName = entity.policy
      mapping.mappingType = type(of: entity, mapping)
      mapping.sourceExpression = entity.sourceExpression.map {
        SimulatedNSExpression(ArchivedExpression.side(of: $0))
      }
      mapping.attributeMappings = entity.attributes.map { property in
        made(property, isKnown: isKnown(property, of: entity, attributes)) {
          SimulatedNSExpression(.variable("source", [$0]))
        }
      }
      mapping.relationshipMappings = entity.relationships.map { property in
        made(property, isKnown: isKnown(property, of: entity, relationships)) {
          .destinations(of: $0)
        }
      }
      return mapping
    }

    private func isKnown(
      _ property: MappingModelFile.Property, of entity: MappingModelFile.Entity,
      _ names: [String: Set<String>]
    ) -> Bool {
      entity.fillsIn && entity.source.flatMap { names[$0] }?.contains(property.name) == true
    }

    private func type(
      of entity: MappingModelFile.Entity, _ mapping: NSEntityMapping
    ) -> NSEntityMappingType {
      if entity.policy != nil { return .customEntityMappingType }
      if entity.source == nil { return .addEntityMappingType }
      if entity.destination == nil { return .removeEntityMappingType }
      let isSame = mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash
      return isSame ? .copyEntityMappingType : .transformEntityMappingType
    }

    /// Creates a property mapping. If there is no expression and `isKnown` is true, the property
    /// takes the value of the source property with the same name, as in Xcode.
    private func made(
      _ property: MappingModelFile.Property, isKnown: Bool,
      _ filledIn: (String) -> SimulatedNSExpression
    ) -> NSPropertyMapping {
      let mapping = NSPropertyMapping()
      mapping.name = property.name
      mapping.valueExpression =
        property.expression.map { SimulatedNSExpression(ArchivedExpression.side(of: $0)) }
        ?? (isKnown ? filledIn(property.name) : nil)
      return mapping
    }
  }

  private static let files = Mutex<[String: File]>([:])

  /// Returns the mapping model in a file, or `nil` if it cannot be read. If the file exists, the
  /// reason is written to standard error.
  static func file(at path: String) -> File? {
    if let known = files.withLock({ $0[path] }) { return known }
    do {
      let file = File(try MappingModelFile.read(path: path), at: path)
      files.withLock { $0[path] = file }
      return file
    } catch {
      if FileManager.default.fileExists(atPath: path) {
        try? FileHandle.standardError.write(
          contentsOf: Data("Core Data: a mapping model cannot be read: \(error)\n".utf8))
      }
      return nil
    }
  }
}
