public import Foundation

/// How the rows of one model become those of another. There are none here: a store of a run has one
/// version of its model.
open class NSMappingModel: NSObject {
  /// A mapping model in a file. Nil: they are not read.
  public init?(contentsOf url: URL?) { return nil }

  /// The mapping model of these bundles that leads from one model to another. Nil: none is read.
  public init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) { return nil }

  /// The mapping that Core Data finds itself. Traps: migrations are not simulated.
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    misuse("NSMappingModel.inferredMappingModel: migrations are not simulated")
  }
}

/// Carries out a migration. It can be made, and traps when it is used: migrations are not
/// simulated.
open class NSMigrationManager: NSObject {
  /// The model of the store.
  public let sourceModel: NSManagedObjectModel
  /// The model of the new store.
  public let destinationModel: NSManagedObjectModel

  /// A manager for two models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    (self.sourceModel, self.destinationModel) = (sourceModel, destinationModel)
  }

  /// Traps.
  open func migrateStore(
    from sourceURL: URL, sourceType: String, options: [AnyHashable: Any]? = nil,
    with mapping: NSMappingModel?, toDestinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    misuse("NSMigrationManager.migrateStore: migrations are not simulated")
  }
}
