public import Foundation

/// Describes how a migration maps the rows of one model to another model.
open class NSMappingModel: NSObject {
  /// The entity mappings, in the order in which a migration carries them out.
  open var entityMappings: [NSEntityMapping]! = []
  /// The inferred row mapping, or nil if the entity mappings have changed since the inference. A
  /// migration by inferred rows calls no policy.
  var inferred: RowMapping? { madeOf?.mappings == texts ? madeOf?.rows : nil }
  private var madeOf: (rows: RowMapping, mappings: [String])?
  private var texts: [String] { (entityMappings ?? []).map(\.text) }

  /// Creates a mapping model without entity mappings.
  public override init() {}

  /// Creates the mapping model of an `.xcmappingmodel` or a compiled `.cdm` file. For a `.cdm`
  /// file, the source of the same name beside it is read. Returns nil if the file cannot be read.
  public init?(contentsOf url: URL?) {
    guard let url, let file = MappingModelCache.file(at: SimulatedFiles.mappingSource(of: url))
    else { return nil }
    super.init()
    entityMappings = file.mappings()
  }

  /// Finds the mapping model in `bundles` that leads from one model to another. Searches the main
  /// bundle if `bundles` is nil. Returns nil if no such mapping model exists.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?, file: String = #filePath
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let paths = SimulatedFiles.mappingModels(in: bundles ?? [.main], caller: file)
    let found = paths.first { path in
      MappingModelCache.file(at: path)?.leads(from: sourceModel, to: destinationModel) == true
    }
    guard let found else { return nil }
    self.init(contentsOf: URL(fileURLWithPath: found))
  }

  /// Returns the mapping model that Core Data infers from names and renaming identifiers. Throws an
  /// error if the type of an attribute changes.
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    do {
      let rows = try RowMapping(from: sourceModel, to: destinationModel)
      let model = NSMappingModel()
      model.entityMappings = rows.entityMappings(from: sourceModel, to: destinationModel)
      model.madeOf = (rows, model.texts)
      return model
    } catch {
      throw RunState.current.cocoa(
        NSInferredMappingModelError, "no mapping model can be inferred", ["reason": error.text])
    }
  }

  /// The entity mappings, indexed by name.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// Compares the entity mappings of two mapping models, regardless of order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other
      || texts.sorted() == other.texts.sorted()
  }

  /// A hash that is equal in each run.
  open override var hash: Int { entityMappings?.count ?? 0 }
}

extension RowMapping {
  /// Converts an inferred row mapping to entity mappings, which a manager carries out one by one.
  fileprivate func entityMappings(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> [NSEntityMapping] {
    let mapped = destination.entities.map { entity -> NSEntityMapping in
      let mapping = NSEntityMapping()
      mapping.destinationEntityName = entity.name
      mapping.destinationEntityVersionHash = entity.versionHash
      guard let pair = pairs.first(where: { $0.destination === entity }) else {
        mapping.name = "IEM_Add_\(entity.name ?? "")"
        mapping.mappingType = .addEntityMappingType
        return mapping
      }
      let isSame = pair.source.versionHash == entity.versionHash
      mapping.name = "IEM_\(isSame ? "Copy" : "Transform")_\(entity.name ?? "")"
      mapping.mappingType = isSame ? .copyEntityMappingType : .transformEntityMappingType
      mapping.sourceEntityName = pair.source.name
      mapping.sourceEntityVersionHash = pair.source.versionHash
      pair.describe(in: mapping)
      return mapping
    }
    let removed = source.entities.filter { entity in !pairs.contains { $0.source === entity } }
    return mapped
      + removed.map { entity in
        let mapping = NSEntityMapping()
        mapping.name = "IEM_Remove_\(entity.name ?? "")"
        mapping.mappingType = .removeEntityMappingType
        mapping.sourceEntityName = entity.name
        mapping.sourceEntityVersionHash = entity.versionHash
        return mapping
      }
  }
}

extension RowMapping.EntityPair {
  fileprivate func describe(in mapping: NSEntityMapping) {
    mapping.attributeMappings = attributes.map { source, destination in
      let property = NSPropertyMapping()
      property.name = destination.name
      property.valueExpression = SimulatedNSExpression(.variable("source", [source.name]))
      return property
    }
    mapping.relationshipMappings = relationships.map { source, destination in
      let property = NSPropertyMapping()
      property.name = destination.name
      property.valueExpression = .destinations(of: source.name)
      return property
    }
    let kept = attributes.map(\.destination.name) + relationships.map(\.destination.name)
    let before = attributes.map(\.source.name) + relationships.map(\.source.name)
    func names(_ entity: NSEntityDescription, without known: [String]) -> Set<String> {
      Set(entity.allProperties.filter { !$0.isTransient }.map(\.name)).subtracting(known)
    }
    mapping.userInfo = [
      "mappedProperties": Set(kept), "addedProperties": names(destination, without: kept),
      "removedProperties": names(source, without: before),
    ]
  }
}

extension SimulatedNSExpression {
  /// Returns an expression for the destination objects of a relationship of the source object.
  static func destinations(of relationship: String) -> SimulatedNSExpression {
    SimulatedNSExpression(
      .function(
        PredicateFormat.call,
        [
          .variable("manager", []),
          .value("destinationInstancesForSourceRelationshipNamed:sourceInstances:"),
          .value(relationship), .variable("source", [relationship]),
        ]))
  }
}
