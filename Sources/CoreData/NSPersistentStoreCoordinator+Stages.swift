import Foundation

/// Migrations in stages.
extension NSPersistentStoreCoordinator {
  /// Leads a store of another version through the stages of the options' manager. What is there
  /// then is opened as without a manager: what is left to do is inferred.
  func migrateByStages(
    _ known: NSPersistentStore, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let key = NSPersistentStoreStagedMigrationManagerOptionKey
    guard let manager = options?[key] as? NSStagedMigrationManager, let url = known.fileURL,
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
    for stage in manager.stages.dropFirst(firstStage) {
      if let stage = stage as? NSCustomMigrationStage {
        try run(stage)
      } else if let stage = stage as? NSLightweightMigrationStage, let model = end(of: stage) {
        try open(as: model) { _ in }
      }
    }
  }

  /// The stage that the store is at: behind the step that leads to its version, else at the first
  /// that names its version, else at the beginning.
  private var firstStage: Int {
    let stages = manager.stages
    let names = stages.firstIndex { stage in
      switch stage {
      case let stage as NSCustomMigrationStage: isOf(stage.currentModel.resolvedModel)
      case let stage as NSLightweightMigrationStage:
        stage.versionChecksums.dropLast().contains(checksum)
      default: false
      }
    }
    if let names { return names }
    let leads = stages.lastIndex { stage in
      (stage as? NSCustomMigrationStage).map { isOf($0.nextModel.resolvedModel) } ?? false
    }
    return leads.map { $0 + 1 } ?? 0
  }

  private func isOf(_ model: NSManagedObjectModel) -> Bool {
    model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata)
  }

  private var checksum: String {
    let hashes = store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    return VersionHash.checksum(of: hashes ?? [:])
  }

  private func run(_ stage: NSCustomMigrationStage) throws {
    try open(as: stage.currentModel.resolvedModel) { container in
      manager.container = container
      try stage.willMigrateHandler?(manager, stage)
    }
    try open(as: stage.nextModel.resolvedModel) { container in
      manager.container = container
      try stage.didMigrateHandler?(manager, stage)
    }
  }

  /// The last version of a stage whose model is known: the coordinator's, or one of a step.
  private func end(of stage: NSLightweightMigrationStage) -> NSManagedObjectModel? {
    let steps = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
    let models =
      [last] + steps.flatMap { [$0.currentModel.resolvedModel, $0.nextModel.resolvedModel] }
    return stage.versionChecksums.reversed().lazy.compactMap { checksum in
      models.first { $0.versionChecksum == checksum }
    }.first
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
