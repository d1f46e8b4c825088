public import Foundation
import LiveCode
import ObjectModel

/// Migrations of stores to another model version, location or type.
extension NSPersistentStoreCoordinator {
  /// How to migrate the rows of a store to another model.
  enum MigrationPlan {
    /// Copies rows by an inferred mapping.
    case rows(RowMapping)
    /// Calls the policies of a mapping model.
    case passes(NSMappingModel)
  }

  /// Returns how to migrate a known store to the coordinator's model, or nil if its rows need no
  /// migration.
  ///
  /// An app-defined mapping model has precedence over inference, except in a staged migration.
  ///
  /// - Throws: An error if the model versions differ, and the options do not request a migration or
  ///   no mapping model exists.
  func plan(
    for known: NSPersistentStore, _ configuration: String?, _ options: [AnyHashable: Any]?
  ) throws -> MigrationPlan? {
    guard let model = known.model else { return nil }
    let isCompatible = managedObjectModel.isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: known.metadata)
    if isCompatible {
      // The models are equal, but the run may know their entities separately. Then copy the rows.
      if state.offset(of: model) == state.offset(of: managedObjectModel) { return nil }
      return (try? RowMapping(from: model, to: managedObjectModel)).map { .rows($0) }
    }
    guard options?[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true else {
      throw state.cocoa(
        NSPersistentStoreIncompatibleVersionHashError,
        "the store was written with another model",
        [
          "metadata": known.metadata as Any,
          "reason": "the model used to open the store is "
            + "incompatible with the one used to create the store",
        ])
    }
    let isStaged = options?[NSPersistentStoreStagedMigrationManagerOptionKey] != nil
    if !isStaged, let mapping = state.mappingModel(from: model, to: managedObjectModel) {
      return .passes(mapping)
    }
    guard options?[NSInferMappingModelAutomaticallyOption] as? Bool == true else {
      throw state.missingMapping("no mapping model maps the store's model to the destination model")
    }
    do { return .rows(try RowMapping(from: model, to: managedObjectModel)) } catch {
      throw state.missingMapping(error.text)
    }
  }

  /// Replaces a store with a migrated store of the same URL and identifier.
  func migrate(
    _ known: NSPersistentStore, _ configuration: String?, _ options: [AnyHashable: Any]?,
    by plan: MigrationPlan
  ) throws -> NSPersistentStore {
    if known.persistentStoreCoordinator != nil {
      misuse("a store is migrated while another coordinator has it open")
    }
    let store = try declareStore(known.type, at: known.url, configuration, options)
    store.identifier = known.identifier
    store.ownMetadata = known.writtenMetadata(in: state)
    switch plan {
    case .rows(let mapping): try fill(store, from: known, by: mapping)
    case .passes(let mapping):
      let manager = NSMigrationManager(
        sourceModel: known.model ?? managedObjectModel, destinationModel: managedObjectModel)
      manager.mappingModel = mapping
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: managedObjectModel)
      try manager.migrate(known, to: store, of: coordinator)
      attach(store)
    }
    (known.isRemovedFromDisk, known.leavesFile) = (true, false)
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
    return store
  }

  /// Attaches a store and copies the rows of another store to it. A failure leaves no file.
  fileprivate func fill(
    _ store: NSPersistentStore, from source: NSPersistentStore, by mapping: RowMapping
  ) throws {
    attach(store)
    do {
      try onOwnContext { run, context in
        try state.copyRows(of: source, to: store, by: mapping, in: context)
      }
    } catch {
      detach(store)
      store.isRemovedFromDisk = true
      throw error
    }
  }

  /// Moves a store to another location or type, and closes the original. The IDs of its rows
  /// change. Traps if a store already exists at that location.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    withType type: String
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      misuse("a coordinator migrates a store that it has not opened")
    }
    if store.url == url, store.type == type { return store }
    let isInMemory = type == NSInMemoryStoreType
    if !isInMemory, state.store(at: url) != nil {
      misuse("migratePersistentStore has the URL of an existing store: destroy that store first")
    }
    let moved = try declareStore(
      type, at: isInMemory ? nil : url, configuration(of: store), options)
    try fill(moved, from: store, by: RowMapping(copying: managedObjectModel))
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [moved]])
    try remove(store)
    return moved
  }

  /// Moves a store to another location or type, and closes the original.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: url, options: options, withType: type.rawValue)
  }

  /// Destroys the store at `destination` and puts a copy of another store there, without opening
  /// it. Throws an error if no store exists at `source`.
  public func replacePersistentStore(
    at destination: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom source: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType type: String
  ) throws {
    guard let known = state.store(at: source), let model = known.model else {
      throw state.missingStore(at: source)
    }
    if source == destination { return }
    try destroyPersistentStore(at: destination, ofType: type, options: destinationOptions)
    try NSPersistentStoreCoordinator(managedObjectModel: model)
      .makeCopy(of: known, at: destination, type: type, options: destinationOptions)
  }

  /// Makes a file with the rows of another store, which must have this coordinator's model.
  func makeCopy(
    of known: NSPersistentStore, at url: URL, type: String, options: [AnyHashable: Any]?
  ) throws {
    let copy = try declareStore(type, at: url, configuration(of: known), options)
    copy.metadata.merge(known.writtenMetadata(in: state)) { own, _ in own }
    try fill(copy, from: known, by: RowMapping(copying: managedObjectModel))
    detach(copy)
  }

  /// Destroys the store at `destination` and puts a copy of another store there.
  public func replacePersistentStore(
    at destination: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom source: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destination, destinationOptions: destinationOptions, withPersistentStoreFrom: source,
      sourceOptions: sourceOptions, ofType: type.rawValue)
  }

  /// Copies the rows of a store to a new file. Throws an error if a file already exists there.
  func migrateRows(
    from source: NSPersistentStore, to url: URL, _ type: String, by mapping: RowMapping,
    _ options: [AnyHashable: Any]?
  ) throws {
    try checkIsFree(url)
    let copy = try declareStore(type, at: url, configuration(of: source), options)
    try fill(copy, from: source, by: mapping)
    detach(copy)
  }

  /// Throws an error if a store exists at the destination of a migration.
  func checkIsFree(_ url: URL) throws {
    guard state.store(at: url) != nil else { return }
    throw state.cocoa(
      NSMigrationManagerDestinationStoreError,
      "the destination of a migration, \(url.path), is an existing store: destroy that store first")
  }

  private func configuration(of store: NSPersistentStore) -> String? {
    store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : store.configurationName
  }
}

extension RunState {
  /// Returns the store whose file is at a URL.
  func store(at url: URL) -> NSPersistentStore? {
    stores.last { $0.fileURL == url && !$0.isRemovedFromDisk }
  }

  /// Returns the matching mapping model in the modules whose code the run has called.
  func mappingModel(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> NSMappingModel? {
    let paths = resources.filter { $0.hasSuffix(".xcmappingmodel") }
    let found = paths.first {
      MappingModelCache.file(at: $0)?.leads(from: source, to: destination) == true
    }
    return found.flatMap { NSMappingModel(contentsOf: URL(fileURLWithPath: $0)) }
  }

  /// Returns the error for a missing store file.
  func missingStore(at url: URL) -> NSError {
    cocoa(
      CocoaError.fileReadNoSuchFile.rawValue, "no store exists at \(url.path)",
      [NSFilePathErrorKey: url.path])
  }

  /// Returns the error for a migration without a mapping model.
  func missingMapping(_ reason: String) -> NSError {
    cocoa(
      NSMigrationMissingMappingModelError,
      "no mapping model was found or inferred for the migration", ["reason": reason])
  }
}
