public import Foundation

/// Store option: an `NSStagedMigrationManager`, which migrates a store of an earlier version to the
/// current version.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// A reference to a model, which is read on first use.
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the model version, as the app states it.
  public let versionChecksum: String
  private let find: () -> NSManagedObjectModel?
  private var found: NSManagedObjectModel?

  private init(_ checksum: String, _ find: @escaping () -> NSManagedObjectModel?) {
    (versionChecksum, self.find) = (checksum, find)
  }

  /// Creates a reference to a model in code.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init(versionChecksum) { model }
  }

  /// Creates a reference to a model in a file.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(versionChecksum) { NSManagedObjectModel(contentsOf: fileURL) }
  }

  /// Creates a reference to the named model version in a bundle, or in the main bundle if `bundle`
  /// is nil.
  public convenience init(
    name modelName: String, in bundle: Bundle?, versionChecksum: String, file: String = #filePath
  ) {
    self.init(versionChecksum) {
      NSManagedObjectModelReference.versions(in: bundle, file)
        .first { $0.deletingPathExtension().lastPathComponent == modelName }
        .flatMap { NSManagedObjectModel(contentsOf: $0) }
    }
  }

  /// Creates a reference to the model version in a bundle that has these entities. Searches the
  /// main bundle if `bundle` is nil.
  public convenience init(
    entityVersionHashes versionHashes: [AnyHashable: Any], in bundle: Bundle?,
    versionChecksum: String, file: String = #filePath
  ) {
    self.init(versionChecksum) {
      NSManagedObjectModelReference.versions(in: bundle, file)
        .compactMap { NSManagedObjectModel(contentsOf: $0) }
        .first { $0.entityVersionHashesByName == versionHashes as? [String: Data] }
    }
  }

  private static func versions(in bundle: Bundle?, _ file: String) -> [URL] {
    SimulatedFiles.models(in: [bundle ?? .main], caller: file)
      .flatMap { SimulatedFiles.versions(of: $0) ?? [] }
  }

  /// The model. Traps if the model is not found, whereas a migration throws an error.
  open var resolvedModel: NSManagedObjectModel {
    do { return try resolve() } catch {
      misuse("the model with the checksum \(versionChecksum) of a migration does not exist")
    }
  }

  /// Returns the model. Throws an error if the model is not found.
  func resolve() throws -> NSManagedObjectModel {
    if let found { return found }
    guard let model = find() else {
      throw RunState.current.cocoa(
        NSManagedObjectModelReferenceNotFoundError, "the model of a migration does not exist",
        ["reason": "no model was found for the checksum \(versionChecksum)"])
    }
    found = model
    return model
  }
}

/// A stage of the migration from an earlier model version to the current one.
open class NSMigrationStage: NSObject {
  /// The name that the app gives to the stage.
  open var label: String?

  override init() {}
}

/// A stage between versions for which all mappings can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, in order.
  public let versionChecksums: [String]

  /// Creates a stage between the versions with these checksums.
  public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }
}

/// A stage between two versions that calls app code before and after the migration.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version before the migration.
  public let currentModel: NSManagedObjectModelReference
  /// The version after the migration.
  public let nextModel: NSManagedObjectModelReference
  /// Called before the migration, with the store open in the earlier version.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the migration, with the store open in the later version.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Creates a stage between two versions.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    (self.currentModel, self.nextModel) = (currentModel, nextModel)
  }
}

/// Migrates a store through versions, stage by stage, when a coordinator opens it.
open class NSStagedMigrationManager: NSObject {
  /// The stages, in order.
  public let stages: [NSMigrationStage]
  /// The container that has the store open while a handler runs, or nil otherwise.
  open internal(set) var container: NSPersistentContainer?

  /// Creates a manager with these stages.
  public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}
