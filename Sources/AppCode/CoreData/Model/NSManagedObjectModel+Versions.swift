public import Foundation

/// Versions of a model: their checksums, and searches for them.
extension NSManagedObjectModel {
  /// A checksum of all entities. It differs from the checksum that Apple's Core Data computes.
  public var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

  /// Returns the checksums of the versions of a model, indexed by version name. Throws an error if
  /// there is no model at the URL.
  public class func checksumsForVersionedModel(at url: URL) throws -> [String: String] {
    guard let versions = SimulatedFiles.versions(of: url) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
    let models = versions.compactMap { version in
      NSManagedObjectModel(contentsOf: version).map {
        (version.deletingPathExtension().lastPathComponent, $0.versionChecksum)
      }
    }
    return Dictionary(models) { first, _ in first }
  }

  /// Returns a model with the entities of all models of the bundles, or of the main bundle if
  /// `bundles` is `nil`.
  public class func mergedModel(
    from bundles: [Bundle]?, file: String = #filePath
  ) -> NSManagedObjectModel? {
    let models = SimulatedFiles.models(in: bundles ?? [.main], caller: file)
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    return models.count == 1 ? models[0] : NSManagedObjectModel(byMerging: models)
  }

  /// Returns the version of the bundles' models with which a store with this metadata was written,
  /// or `nil` if there is none.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any], file: String = #filePath
  ) -> NSManagedObjectModel? {
    let versions = SimulatedFiles.models(in: bundles ?? [.main], caller: file)
      .flatMap { SimulatedFiles.versions(of: $0) ?? [] }
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    return fitting(versions, metadata)
  }

  /// Creates a model that matches the metadata of a store, from one or more models. Returns `nil`
  /// if the models do not contain all entities of the store.
  public convenience init?(
    byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
  ) {
    guard let model = NSManagedObjectModel.fitting(models, metadata) else { return nil }
    self.init(byMerging: [model])
  }

  /// Returns the model whose entities match the metadata. If there is none, merges several models
  /// that together have all entities, or returns `nil`.
  private static func fitting(
    _ models: [NSManagedObjectModel], _ metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    guard let known = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
    if let whole = models.first(where: { $0.entityVersionHashesByName == known }) { return whole }
    var parts: [NSManagedObjectModel] = []
    var missing = Set(known.keys)
    for model in models {
      let hashes = model.entityVersionHashesByName
      guard !hashes.isEmpty, hashes.allSatisfy({ known[$0.key] == $0.value }),
        hashes.keys.contains(where: missing.contains)
      else { continue }
      parts.append(model)
      missing.subtract(hashes.keys)
    }
    if let part = parts.first, parts.count == 1, missing.isEmpty { return part }
    return missing.isEmpty ? NSManagedObjectModel(byMerging: parts) : nil
  }

  /// Adds copies of the contents of several models. An entity that several models contain is added
  /// once. Traps if two models have different entities with the same name.
  func take(from models: [NSManagedObjectModel]) {
    var taken: [String: NSEntityDescription] = [:]
    var all: [NSEntityDescription] = []
    var members: [String: [String]] = [:]
    var names: [String] = []
    for model in models {
      guard let copy = model.copy() as? NSManagedObjectModel else { continue }
      for entity in copy.entities {
        // Relationships are connected by name later, because the destination may come from another
        // model.
        for case let relationship as NSRelationshipDescription in entity.properties {
          relationship.names = (
            relationship.destinationEntity?.name ?? relationship.names?.destination,
            relationship.inverseRelationship?.name ?? relationship.names?.inverse
          )
        }
        let name = entity.name ?? ""
        guard let known = taken[name] else {
          taken[name] = entity
          all.append(entity)
          continue
        }
        if known.versionHash != entity.versionHash {
          misuse("models with two different entities named '\(name)' cannot be merged")
        }
      }
      for entity in copy.entities {
        guard let known = taken[entity.name ?? ""], known !== entity else { continue }
        known.subentities += entity.subentities.filter { taken[$0.name ?? ""] === $0 }
      }
      for name in copy.configurations {
        if members[name] == nil { names.append(name) }
        members[name, default: []] +=
          (copy.entities(forConfigurationName: name) ?? []).compactMap(\.name)
      }
      versionIdentifiers.formUnion(copy.versionIdentifiers)
      templates.add(copy.templates)
    }
    entities = all
    for name in names {
      var known: Set<String> = []
      let own = (members[name] ?? []).filter { known.insert($0).inserted }
      setEntities(own.compactMap { taken[$0] }, forConfigurationName: name)
    }
  }
}
