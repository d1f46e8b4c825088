public import Foundation

/// How the rows of one model become those of another. Mapping models in files are not read: there
/// are those that Core Data infers.
open class NSMappingModel: NSObject {
  fileprivate override init() {}

  /// A mapping model in a file. Nil: they are not read.
  public init?(contentsOf url: URL?) { return nil }

  /// The mapping model of these bundles that leads from one model to another. Nil: none is read.
  public init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) { return nil }

  /// The mapping that Core Data finds itself: by names and renaming identifiers. Throws if a type
  /// changes.
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    do {
      _ = try RowMapping(from: sourceModel, to: destinationModel)
      return NSMappingModel()
    } catch {
      throw RunState.current.cocoa(
        NSInferredMappingModelError, "no mapping model can be inferred", ["reason": error.text])
    }
  }
}

/// Carries out a migration from one file to another, by a mapping that was inferred.
open class NSMigrationManager: NSObject {
  /// The model of the store.
  public let sourceModel: NSManagedObjectModel
  /// The model of the new store.
  public let destinationModel: NSManagedObjectModel
  /// The mapping of the migration that was carried out last.
  open private(set) var mappingModel: NSMappingModel!
  /// 0 before a migration, 1 after it.
  open private(set) var migrationProgress: Float = 0
  /// Of no effect.
  open var usesStoreSpecificMigrationManager = true
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]?

  /// A manager for two models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    (self.sourceModel, self.destinationModel) = (sourceModel, destinationModel)
  }

  /// Makes a store at another URL that has the rows of one. Throws if there is none, or if it is
  /// not of the source model.
  open func migrateStore(
    from sourceURL: URL, sourceType: String, options: [AnyHashable: Any]? = nil,
    with mapping: NSMappingModel?, toDestinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
    let state = coordinator.state
    guard let mapping else { throw state.missingMapping("a migration without a mapping model") }
    guard let source = state.store(at: sourceURL) else { throw state.missingStore(at: sourceURL) }
    guard let model = source.model,
      sourceModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: source.metadata)
    else {
      throw state.cocoa(
        NSMigrationMissingSourceModelError, "the store is not of the source model", [:])
    }
    mappingModel = mapping
    // The rows are those of the model that the store was opened with.
    let rows = try RowMapping(from: model, to: destinationModel)
    try coordinator.migrateRows(
      from: source, to: toDestinationURL, destinationType, by: rows, destinationOptions)
    migrationProgress = 1
  }

  /// Likewise.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
    type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: options, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }
}
