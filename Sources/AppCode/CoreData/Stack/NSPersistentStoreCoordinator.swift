public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Connects contexts to the row cache and the stores that they share.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model of the coordinator's stores.
  public let managedObjectModel: NSManagedObjectModel
  /// The open stores, in the order in which they were opened.
  open private(set) var persistentStores: [NSPersistentStore] = []
  /// The coordinator's name, which has no effect.
  open var name: String?

  let state: RunState
  let id: CoordinatorID
  /// The context that performs the coordinator's steps. The app has no reference to it.
  private lazy var ownContext = state.add(
    nil,
    Stack.Context(
      name: state.uniqueName("coordinator"), concurrencyType: .privateQueue,
      parent: .coordinator(id)))

  /// Creates a coordinator with an empty model.
  public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  /// Creates a coordinator without stores.
  public required init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    state = RunState.current
    state.offset(of: model)
    id = CoordinatorID(state.run.stack.coordinators.count)
    let name = "coordinator\(id.index)"
    super.init()
    state.run.declare { stack, _ in
      stack.coordinators.append(Stack.Coordinator(name: name, stores: []))
    }
    state.coordinators.append(RunState.Weak(object: self))
  }

  /// Opens a store. A file that belonged to a store of this run has that store's rows.
  ///
  /// If the rows belong to another model version, they are migrated, if the options request it.
  ///
  /// - Throws: An error if a needed migration is not requested or fails, if the file is damaged, or
  ///   if a read-only store does not exist.
  @discardableResult
  open func addPersistentStore(
    ofType type: String, configurationName configuration: String?, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try check(type, configuration)
    // A store in memory or at /dev/null belongs to a single coordinator.
    let isShared = type != NSInMemoryStoreType && url?.path != "/dev/null"
    let known = isShared ? url.flatMap { state.store(at: $0) } : nil
    // A coordinator does not open the same file twice.
    if let known, let store = persistentStores.first(where: { $0 === known }) { return store }
    if let url, isShared {
      try SimulatedFiles.check(url, type, known, state)
      if known == nil, options?[NSReadOnlyPersistentStoreOption] as? Bool == true {
        throw state.missingStore(at: url)
      }
    }
    if let known { return try reopen(migrateByStages(known, options), configuration, options) }
    let added = try declareStore(type, at: url, configuration, options)
    open(added)
    return added
  }

  private func reopen(
    _ known: NSPersistentStore, _ configuration: String?, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    if let plan = try plan(for: known, configuration, options) {
      return try migrate(known, configuration, options, by: plan)
    }
    let store = known.reopened(options, configuration: configuration, in: state)
    guard known.configurationName == store.configurationName else {
      misuse("an open store is opened again with another configuration")
    }
    state.replaceStore(known.id, by: store)
    open(store)
    return store
  }

  /// Creates a store for entities of the coordinator's model, without attaching it to the
  /// coordinator.
  func declareStore(
    _ type: String, at url: URL?, _ configuration: String?, _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let id = StoreID(state.run.stack.stores.count)
    let store = NSPersistentStore(
      type: type, url: url, configuration: configuration, options: options, id)
    var declared = Stack.Store(name: url?.lastPathComponent ?? "store\(id.index)")
    declared.isInMemory = type == NSInMemoryStoreType
    if configuration != nil {
      let entities = managedObjectModel.entities(forConfigurationName: configuration)
      declared.entities = (entities ?? []).map { state.id(of: $0) }
    }
    _ = state.add(store, declared)
    return store
  }

  /// Attaches a declared store and posts a notification.
  func open(_ store: NSPersistentStore) {
    attach(store)
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
  }

  /// Attaches a declared store without a notification.
  func attach(_ store: NSPersistentStore) {
    store.persistentStoreCoordinator = self
    store.model = managedObjectModel
    store.ownMetadata[NSStoreModelVersionHashesKey] = managedObjectModel.entityVersionHashesByName
    store.ownMetadata[NSStoreModelVersionIdentifiersKey] =
      managedObjectModel.versionIdentifiers.compactMap { $0 as? String }.sorted()
    store.firstMetadata = store.metadata
    persistentStores.append(store)
    onOwnContext { run, context in run.perform(.addStore(store.id), in: context) }
  }

  /// Detaches a store without a notification.
  func detach(_ store: NSPersistentStore) {
    persistentStores.removeAll { $0 === store }
    store.persistentStoreCoordinator = nil
    onOwnContext { run, context in run.perform(.removeStore(store.id), in: context) }
  }

  /// Closes a store.
  open func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      misuse("a coordinator removes a store that it has not opened")
    }
    state.notificationCenter.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    detach(store)
    post(.NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
  }

  /// Returns the open store at a URL.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url == url }
  }

  /// Returns the URL of a store.
  open func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// Returns the object ID that a URI identifies in one of the coordinator's stores (ID-30).
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.absoluteString.split(separator: "/").map(String.init)
    guard parts.count == 4, parts[3].hasPrefix("p"), let key = Int(parts[3].dropFirst()),
      let entity = managedObjectModel.entitiesByName[parts[2]],
      let store = persistentStores.first(where: { $0.identifier == parts[1] })
    else { return nil }
    return NSManagedObjectID(.permanent(state.id(of: entity), key: key, in: store.id), state)
  }

  // MARK: Files

  /// Closes an open store at the URL and removes its rows. A store that is added there later begins
  /// empty (CS-A7).
  open func destroyPersistentStore(
    at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil
  ) throws {
    for store in persistentStores where store.url == url { try remove(store) }
    for store in state.stores where store.fileURL == url {
      (store.isRemovedFromDisk, store.leavesFile) = (true, true)
    }
  }

  /// Closes an open store at the URL and removes its rows.
  open func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Opens a store.
  @discardableResult
  open func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: url, options: options)
  }

  /// Opens the store of a description, immediately or in a later block on the main queue.
  open func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let open = { [self] in
      do {
        try addPersistentStore(
          ofType: description.type, configurationName: description.configuration,
          at: description.type == NSInMemoryStoreType ? nil : description.url,
          options: description.options)
        block(description, nil)
      } catch { block(description, error) }
    }
    guard description.shouldAddStoreAsynchronously else { return open() }
    state.run.enqueue(
      on: state.run.withWorld { $0.mainQueue }, origin: "loadPersistentStores", open)
  }

  /// Returns the metadata of the store at a URL. Throws an error if the run has no store there.
  open class func metadataForPersistentStore(
    ofType type: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    let store = RunState.current.stores.last { $0.fileURL == url && !$0.isRemovedFromDisk }
    guard let store else {
      let state = RunState.current
      try SimulatedFiles.check(url, type, nil, state)
      throw state.missingStore(at: url)
    }
    return store.writtenMetadata(in: RunState.current)
  }

  /// Returns the metadata of a store (CS-A3), including metadata that no save has written yet.
  open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets the metadata of a store. The next save of a context writes it (SV-27).
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.ownMetadata = metadata ?? [:]
    state.metadataVersions.append(store.ownMetadata)
    let version = state.metadataVersions.count
    onOwnContext { run, context in run.perform(.setMetadata(store.id, version), in: context) }
  }

  // MARK: The queue

  /// Runs `block` on the coordinator's queue, waits for it and returns its result.
  @discardableResult
  open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try state.run.sync(on: ownQueue, isReentrant: true, block)
  }

  /// Runs `block` on the coordinator's queue and waits for it.
  open func performAndWait(_ block: () -> Void) {
    state.run.sync(on: ownQueue, isReentrant: true, block)
  }

  /// Enqueues `block` on the coordinator's queue.
  open func perform(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    state.run.enqueue(on: ownQueue, origin: "\(file):\(line)", block)
  }

  private var ownQueue: QueueID {
    let context = ownContext
    return state.run.withWorld { $0.queue(of: context) }
  }

  func onOwnContext<Failure: Error>(
    _ body: (LiveRun, ContextID) throws(Failure) -> Void
  ) throws(Failure) {
    let context = ownContext
    try state.run.sync(on: ownQueue, isReentrant: true) { () throws(Failure) in
      try body(state.run, context)
    }
  }
}
