import Foundation

/// Migrations in stages.
extension NSPersistentStoreCoordinator {
  /// Leads a store of another version through the stages of the options' manager, if the options
  /// ask for migrations. What is there then is opened as without a manager: what is left to do is
  /// inferred.
  func migrateByStages(
    _ known: NSPersistentStore, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let key = NSPersistentStoreStagedMigrationManagerOptionKey
    guard let manager = options?[key] as? NSStagedMigrationManager, !manager.stages.isEmpty,
      options?[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true,
      let url = known.fileURL,
      !managedObjectModel.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: known.metadata)
    else { return known }
    if known.persistentStoreCoordinator != nil {
      misuse("a store is migrated while another coordinator has it")
    }
    defer { manager.container = nil }
    let migration = StagedMigration(
      manager: manager, store: known, url: url, last: managedObjectModel)
    try migration.run()
    return state.store(at: url) ?? known
  }
}

/// A store on its way through stages.
private struct StagedMigration {
  let manager: NSStagedMigrationManager
  let store: NSPersistentStore
  let url: URL
  let last: NSManagedObjectModel

  func run() throws {
    for stage in manager.stages.dropFirst(try firstStage()) {
      if let stage = stage as? NSCustomMigrationStage {
        try run(stage)
      } else if let stage = stage as? NSLightweightMigrationStage, let model = try end(of: stage) {
        try open(as: model) { _ in }
      }
    }
  }

  /// The stage that the store is at: the first that begins with its version, else the one behind
  /// the last that ends with it. Throws if no stage names the version.
  private func firstStage() throws -> Int {
    let versions = try manager.stages.map { try self.versions(of: $0) }
    if let first = versions.firstIndex(where: { $0.dropLast().contains(true) }) { return first }
    if let last = versions.lastIndex(where: { $0.last == true }) { return last + 1 }
    // What Apple's Core Data has computed is no checksum here: the store may be of that version.
    if let unknown = versions.firstIndex(where: { $0.contains(nil) }) { return unknown }
    throw RunState.current.cocoa(
      NSManagedObjectModelReferenceNotFoundError,
      "Cannot use staged migration with an unknown model version.",
      ["reason": "no stage names the version of the store at \(url.path)"])
  }

  /// Of each version of a stage whether the store is of it; nil if that cannot be told.
  private func versions(of stage: NSMigrationStage) throws -> [Bool?] {
    switch stage {
    case let stage as NSCustomMigrationStage:
      try [stage.currentModel, stage.nextModel].map { isOf(try $0.resolve()) }
    case let stage as NSLightweightMigrationStage:
      try stage.versionChecksums.map { checksum in
        if let model = try model(checksum) { return isOf(model) }
        return VersionHash.isChecksum(checksum) ? checksum == storeChecksum : nil
      }
    default: []
    }
  }

  private func isOf(_ model: NSManagedObjectModel) -> Bool {
    model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata)
  }

  private var storeChecksum: String {
    let hashes = store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    return VersionHash.checksum(of: hashes ?? [:])
  }

  private func run(_ stage: NSCustomMigrationStage) throws {
    try open(as: stage.currentModel.resolve()) { container in
      manager.container = container
      try stage.willMigrateHandler?(manager, stage)
    }
    try open(as: stage.nextModel.resolve()) { container in
      manager.container = container
      try stage.didMigrateHandler?(manager, stage)
    }
  }

  /// The last version of a stage whose model is known.
  private func end(of stage: NSLightweightMigrationStage) throws -> NSManagedObjectModel? {
    for checksum in stage.versionChecksums.reversed() {
      if let model = try model(checksum) { return model }
    }
    return nil
  }

  /// The model with a checksum, as it is or as the app states it: the coordinator's, or one of a
  /// step.
  private func model(_ checksum: String) throws -> NSManagedObjectModel? {
    if last.versionChecksum == checksum { return last }
    let references = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
      .flatMap { [$0.currentModel, $0.nextModel] }
    for reference in references {
      let model = try reference.resolve()
      if reference.versionChecksum == checksum || model.versionChecksum == checksum {
        return model
      }
    }
    return nil
  }

  /// Opens the store with a model, to which it is migrated by inference if it is of another.
  private func open(
    as model: NSManagedObjectModel, _ body: (NSPersistentContainer) throws -> Void
  ) throws {
    let container = NSPersistentContainer(name: "Staged", managedObjectModel: model)
    let coordinator = container.persistentStoreCoordinator
    let opened = try coordinator.addPersistentStore(
      ofType: store.type, configurationName: nil, at: url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        // No stages of its own.
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([]),
      ])
    defer {
      manager.container = nil
      for store in coordinator.persistentStores where store === opened { coordinator.detach(store) }
    }
    try body(container)
  }
}
