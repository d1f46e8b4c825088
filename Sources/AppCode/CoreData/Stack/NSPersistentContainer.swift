public import Foundation
import LiveCode
import SimulatedCoreData
import Vocabulary

/// Combines a model, a coordinator and a context on the main queue.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the model and of the store's file.
  public let name: String
  /// The model of the stores.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator, which opens no store before `loadPersistentStores`.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The descriptions of the stores that `loadPersistentStores` opens.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  /// The context on the main queue.
  open var viewContext: NSManagedObjectContext { ownViewContext }
  private let ownViewContext: NSManagedObjectContext
  /// The source locations of running `performBackgroundTask` calls, indexed by the number of the
  /// calling job. An override's call to `super` reports the original caller's location.
  private var taskOrigins: [Int: (file: String, line: Int)] = [:]

  /// Creates a container for a model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(
        url: type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite"))
    ]
    ownViewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    super.init()
    ownViewContext.kind = "viewContext"
    ownViewContext.persistentStoreCoordinator = persistentStoreCoordinator
  }

  /// Creates a container for the model of this name. The model is in the main bundle, or an
  /// `.xcdatamodeld` near the calling source or elsewhere in its package. Traps if no such model
  /// exists.
  public convenience init(name: String, file: String = #filePath) {
    guard let url = SimulatedFiles.model(named: name, in: .main, caller: file) else {
      misuse("the model '\(name)' is neither in the main bundle nor in the package of \(file)")
    }
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      let problem = ModelFileCache.problem(at: url.path) ?? url.path
      misuse("the model '\(name)' cannot be read: \(problem)")
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// The default directory of stores. The simulation writes nothing to it.
  open class func defaultDirectoryURL() -> URL {
    URL(fileURLWithPath: "/faultline", isDirectory: true)
  }

  /// Opens the stores and calls `block` for each. For stores that are added asynchronously, it
  /// calls `block` later, on the main queue.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// Returns a new context with a private queue.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` on the queue of a new context. Subclasses override this variant, and protocol
  /// requirements match it.
  @_disfavoredOverload
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    enqueue(block, from: taskOrigins[job] ?? ("", 0))
  }

  /// Runs `block` on the queue of a new context.
  open func performBackgroundTask(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping (NSManagedObjectContext) -> Void
  ) {
    // A nested call of the same job is the call to `super` in an override, so run the block.
    let job = job
    if let origin = taskOrigins[job] { return enqueue(block, from: origin) }
    taskOrigins[job] = (file, line)
    defer { taskOrigins[job] = nil }
    let method: (@escaping (NSManagedObjectContext) -> Void) -> Void = performBackgroundTask
    method(block)
  }

  private var job: Int { persistentStoreCoordinator.state.run.running.number }

  private func enqueue(
    _ block: @escaping (NSManagedObjectContext) -> Void, from origin: (file: String, line: Int)
  ) {
    let context = newBackgroundContext()
    context.kind = "backgroundTask"
    context.perform(file: origin.file, line: origin.line) { block(context) }
  }
}
