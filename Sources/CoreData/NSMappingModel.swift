public import Foundation

/// How the rows of one model become those of another.
open class NSMappingModel: NSObject {
  /// What is done with each entity, in the order in which it is done.
  open var entityMappings: [NSEntityMapping]! = []
  /// What was inferred, while its entity mappings are as they were then: a migration by it asks no
  /// policy.
  var inferred: RowMapping? { madeOf?.mappings == texts ? madeOf?.rows : nil }
  private var madeOf: (rows: RowMapping, mappings: [String])?
  private var texts: [String] { (entityMappings ?? []).map(\.text) }

  /// A mapping of no entities yet.
  public override init() {}

  /// The mapping model in a file: an `.xcmappingmodel`, or a compiled one (`.cdm`), which is looked
  /// for as the source of the same name beside it. Nil if it cannot be read.
  public init?(contentsOf url: URL?) {
    guard let url, let file = MappingModelCache.file(at: SimulatedFiles.mappingSource(of: url))
    else { return nil }
    super.init()
    entityMappings = file.mappings()
  }

  /// The mapping model of these bundles, the main one for nil, that leads from one model to
  /// another. Nil if there is none.
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

  /// The mapping that Core Data finds itself: by names and renaming identifiers. Throws if a type
  /// changes.
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

  /// The entity mappings by name.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// By their entity mappings.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other
      || texts.sorted() == other.texts.sorted()
  }

  /// The same in each run.
  open override var hash: Int { entityMappings?.count ?? 0 }
}

extension RowMapping {
  /// What was inferred, as entity mappings that a manager can carry out one by one.
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
  /// What came of the objects that a relationship of the source leads to.
  static func destinations(of relationship: String) -> SimulatedNSExpression {
    SimulatedNSExpression(
      .function(
        Format.call,
        [
          .variable("manager", []),
          .value("destinationInstancesForSourceRelationshipNamed:sourceInstances:"),
          .value(relationship), .variable("source", [relationship]),
        ]))
  }
}
