import Foundation

/// Migrations in stages.
extension NSPersistentStoreCoordinator {
  /// Migrates a store through the stages of the manager in `options`, if the options request a
  /// migration.
  ///
  /// Returns the resulting store, which the caller opens without a staged migration. The remaining
  /// migration is inferred.
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
      misuse("a store is migrated while another coordinator has it open")
    }
    let migration = StagedMigration(
      manager: manager, store: known, url: url, last: managedObjectModel)
    try migration.run()
    return state.store(at: url) ?? known
  }
}

/// A store that is being migrated in stages.
private struct StagedMigration {
  let manager: NSStagedMigrationManager
  let store: NSPersistentStore
  let url: URL
  let last: NSManagedObjectModel

  func run() throws {
    let versions = try manager.stages.map { try self.versions(of: $0) }
    let start = try start(in: versions)
    let goal = last.versionChecksum
    if let stage = versions.lastIndex(where: { $0.contains(goal) }),
      let version = versions[stage].lastIndex(of: goal), (stage, version) < start
    {
      throw RunState.current.cocoa(
        NSStagedMigrationBackwardMigrationError,
        "A store file cannot be migrated backwards with staged migration.",
        ["reason": "the store at \(url.path) is of a later version than the coordinator's model"])
    }
    for index in start.stage..<manager.stages.count {
      // Stages after the coordinator's version do not apply to this store. If a stage begins with
      // that version, the migration to it is inferred.
      if storeChecksum == goal || versions[index].prefix(1).contains(goal) { break }
      if let stage = manager.stages[index] as? NSCustomMigrationStage {
        try run(stage)
      } else if let stage = manager.stages[index] as? NSLightweightMigrationStage,
        let model = try end(of: stage, versions[index])
      {
        try open(as: model) { _ in }
      }
    }
  }

  /// Returns the version checksums of a stage. An app may state checksums that Apple's Core Data
  /// computed. Such a checksum is nil if no known model states it.
  private func versions(of stage: NSMigrationStage) throws -> [String?] {
    switch stage {
    case let stage as NSCustomMigrationStage:
      try [stage.currentModel, stage.nextModel].map { try $0.resolve().versionChecksum }
    case let stage as NSLightweightMigrationStage:
      try stage.versionChecksums.map { checksum in
        if let model = try model(checksum) { return model.versionChecksum }
        return VersionHash.isChecksum(checksum) ? checksum : nil
      }
    default: []
    }
  }

  /// Returns the stage and version from which the store continues.
  ///
  /// This is the first stage that migrates from the store's version. If stages only end with that
  /// version, it is the stage after the last of them. If no stage names the version, it is the
  /// first stage with an unknown version. Throws an error if all versions are known.
  private func start(in versions: [[String?]]) throws -> (stage: Int, version: Int) {
    let own = storeChecksum
    for (stage, names) in versions.enumerated() {
      if let version = names.dropLast().firstIndex(of: own) { return (stage, version) }
    }
    if let end = versions.lastIndex(where: { $0.contains(own) }) { return (end + 1, 0) }
    guard let first = versions.firstIndex(where: { $0.contains(nil) }) else {
      throw RunState.current.cocoa(
        NSManagedObjectModelReferenceNotFoundError,
        "Cannot use staged migration with an unknown model version.",
        ["reason": "no stage names the version of the store at \(url.path)"])
    }
    var isUnknown = versions.map { names in names.map { $0 == nil } }
    // If no stage names the coordinator's version, the last unknown version is that version. The
    // store has another version.
    if isUnknown[isUnknown.count - 1].last == true,
      !versions.joined().contains(last.versionChecksum)
    {
      isUnknown[isUnknown.count - 1].removeLast()
    }
    if let end = isUnknown.lastIndex(where: { $0.contains(true) }), first < end,
      manager.stages[first...end].contains(where: { $0 is NSCustomMigrationStage })
    {
      misuse(
        "the stages state checksums computed by Apple's Core Data, so the store at \(url.path) may be before "
          + "or after a custom stage: state NSManagedObjectModel.versionChecksum")
    }
    return (first, 0)
  }

  /// The checksum of the store's current model version.
  private var storeChecksum: String {
    let now = RunState.current.store(at: url) ?? store
    let hashes = now.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
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

  /// Returns the model to which a stage migrates: the coordinator's, if the stage contains its
  /// version, or the stage's last one. Returns nil if no known model has that version.
  private func end(
    of stage: NSLightweightMigrationStage, _ versions: [String?]
  ) throws -> NSManagedObjectModel? {
    if versions.contains(last.versionChecksum) { return last }
    guard let checksum = stage.versionChecksums.last else { return nil }
    return try model(checksum)
  }

  /// Returns the model with the given checksum, computed or stated by the app. It searches the
  /// coordinator's model and the models of custom stages.
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

  /// Opens the store with a model, and migrates it by inference if its version differs.
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
        // An empty manager prevents a staged migration within the stage.
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([]),
      ])
    defer {
      manager.container = nil
      for store in coordinator.persistentStores where store === opened { coordinator.detach(store) }
    }
    try body(container)
  }
}
