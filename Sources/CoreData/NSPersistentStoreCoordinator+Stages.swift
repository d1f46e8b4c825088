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
      // What stands behind the coordinator's version is not for this store. If a stage begins with
      // that version, what is missing is inferred.
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

  /// The checksums of a stage's versions. Those that an app states may be Apple's: nil for one that
  /// belongs to no known model.
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

  /// Where the store is: at the first stage that begins with its version, else behind the last that
  /// ends with it, else at the first with an unknown version. Throws if no stage names the version.
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
    // The last version of all is the coordinator's, which the store is not of, if no other is.
    if isUnknown[isUnknown.count - 1].last == true,
      !versions.joined().contains(last.versionChecksum)
    {
      isUnknown[isUnknown.count - 1].removeLast()
    }
    if let end = isUnknown.lastIndex(where: { $0.contains(true) }), first < end,
      manager.stages[first...end].contains(where: { $0 is NSCustomMigrationStage })
    {
      misuse(
        "the stages state checksums of Apple's, and the store at \(url.path) may be before or "
          + "behind a custom stage: state NSManagedObjectModel.versionChecksum")
    }
    return (first, 0)
  }

  /// The checksum of the version that the store is of now.
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

  /// Where a stage leads to: its last version, or the coordinator's, if it has that. Nil if there
  /// is no model of it.
  private func end(
    of stage: NSLightweightMigrationStage, _ versions: [String?]
  ) throws -> NSManagedObjectModel? {
    if versions.contains(last.versionChecksum) { return last }
    guard let checksum = stage.versionChecksums.last else { return nil }
    return try model(checksum)
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
