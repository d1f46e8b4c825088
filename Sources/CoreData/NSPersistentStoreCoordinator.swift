public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The row cache and the stores that contexts share.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model of its stores.
  public let managedObjectModel: NSManagedObjectModel
  /// The stores that it has opened, in order.
  open private(set) var persistentStores: [NSPersistentStore] = []
  /// A name for reports.
  open var name: String?

  let state: RunState
  let id: CoordinatorID
  /// Steps on the coordinator itself are steps of a context that no code has.
  private lazy var ownContext = state.add(
    nil,
    Stack.Context(
      name: state.uniqueName("coordinator"), concurrencyType: .privateQueue,
      parent: .coordinator(id)))

  /// A coordinator without stores.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    state = RunState.current
    state.offset(of: model)
    id = CoordinatorID(state.run.stack.coordinators.count)
    let name = "coordinator\(id.index)"
    super.init()
    state.run.declare { stack, _ in
      stack.coordinators.append(Stack.Coordinator(name: name, stores: []))
    }
  }

  /// Opens a store. A file that a store of this run had before has its rows.
  @discardableResult
  open func addPersistentStore(
    ofType type: String, configurationName configuration: String?, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    // A store in memory, or at /dev/null, is its coordinator's alone.
    let isShared = type != NSInMemoryStoreType && url?.path != "/dev/null"
    let known = state.stores.first { isShared && $0.url != nil && $0.url == url && $0.type == type }
    let id = known?.id ?? StoreID(state.run.stack.stores.count)
    let store = NSPersistentStore(
      type: type, url: url, configuration: configuration, options: options, id)
    if let known {
      guard known.configurationName == store.configurationName else {
        misuse("a store is opened again with another configuration")
      }
      state.replaceStore(known.id, by: store)
    } else {
      var declared = Stack.Store(name: url?.lastPathComponent ?? "store\(id.index)")
      declared.isInMemory = type == NSInMemoryStoreType
      if configuration != nil {
        guard let entities = managedObjectModel.entities(forConfigurationName: configuration)
        else { misuse("the model has no configuration '\(configuration ?? "")'") }
        declared.entities = entities.map { state.id(of: $0) }
      }
      _ = state.add(store, declared)
    }
    store.persistentStoreCoordinator = self
    persistentStores.append(store)
    let added = id
    onOwnContext { run, context in run.perform(.addStore(added), in: context) }
    return store
  }

  /// Closes a store.
  open func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      misuse("a coordinator removes a store that it does not have")
    }
    persistentStores.removeAll { $0 === store }
    store.persistentStoreCoordinator = nil
    onOwnContext { run, context in run.perform(.removeStore(store.id), in: context) }
  }

  /// The store at a URL.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url == url }
  }

  /// The place of a store.
  open func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// The ID behind a URI of one of its stores (ID-30).
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.absoluteString.split(separator: "/").map(String.init)
    guard parts.count == 4, parts[3].hasPrefix("p"), let key = Int(parts[3].dropFirst()),
      let entity = managedObjectModel.entitiesByName[parts[2]],
      let store = persistentStores.first(where: { $0.identifier == parts[1] })
    else { return nil }
    return NSManagedObjectID(.permanent(state.id(of: entity), key: key, in: store.id), state)
  }

  private func onOwnContext(_ body: (LiveRun, ContextID) -> Void) {
    let context = ownContext
    let queue = state.run.look { $0.queue(of: context) }
    state.run.sync(on: queue, isReentrant: true) { body(state.run, context) }
  }
}
