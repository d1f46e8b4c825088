public import Foundation

/// Option of stores: an `NSStagedMigrationManager`, which leads a store of an earlier version to
/// the present one.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// A model that is read when it is needed.
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version, as the app states it.
  public let versionChecksum: String
  private let find: () -> NSManagedObjectModel?
  private var found: NSManagedObjectModel?

  private init(_ checksum: String, _ find: @escaping () -> NSManagedObjectModel?) {
    (versionChecksum, self.find) = (checksum, find)
  }

  /// A model in code.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init(versionChecksum) { model }
  }

  /// A model in a file.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(versionChecksum) { NSManagedObjectModel(contentsOf: fileURL) }
  }

  /// The version of this name of a model of a bundle; nil for the main bundle.
  public convenience init(
    name modelName: String, in bundle: Bundle?, versionChecksum: String, file: String = #filePath
  ) {
    self.init(versionChecksum) {
      NSManagedObjectModelReference.versions(in: bundle, file)
        .first { $0.deletingPathExtension().lastPathComponent == modelName }
        .flatMap { NSManagedObjectModel(contentsOf: $0) }
    }
  }

  /// The version of a model of a bundle that has these entities; nil for the main bundle.
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

  /// The model. Traps if it is not there; a migration fails instead.
  open var resolvedModel: NSManagedObjectModel {
    do { return try resolve() } catch {
      misuse("the model with the checksum \(versionChecksum) of a migration is not there")
    }
  }

  /// The model. Throws if it is not there.
  func resolve() throws -> NSManagedObjectModel {
    if let found { return found }
    guard let model = find() else {
      throw RunState.current.cocoa(
        NSManagedObjectModelReferenceNotFoundError, "the model of a migration is not there",
        ["reason": "no model was found for the checksum \(versionChecksum)"])
    }
    found = model
    return model
  }
}

/// A part of the way from an earlier version of a model to the present one.
open class NSMigrationStage: NSObject {
  /// What the app calls it.
  open var label: String?

  override init() {}
}

/// Versions between which everything can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, in order.
  public let versionChecksums: [String]

  /// A stage between the versions of these checksums.
  public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }
}

/// A step from one version to another, before and after which code of the app runs.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version before.
  public let currentModel: NSManagedObjectModelReference
  /// The version after.
  public let nextModel: NSManagedObjectModelReference
  /// Called with the store open in the version before.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called with the store open in the version after.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// A step between two versions.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    (self.currentModel, self.nextModel) = (currentModel, nextModel)
  }
}

/// Leads a store through versions, stage by stage, when a coordinator opens it.
open class NSStagedMigrationManager: NSObject {
  /// The stages, in order.
  public let stages: [NSMigrationStage]
  /// Where the store is open while a handler runs; nil otherwise.
  open internal(set) var container: NSPersistentContainer?

  /// A manager with these stages.
  public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}
