public import Foundation
import LiveCode
import SimulatedCoreData
import Vocabulary

/// A coordinator with a context on the main queue.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the model and of the store's file.
  public let name: String
  /// The model.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator, which opens no store before `loadPersistentStores`.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// What `loadPersistentStores` opens.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  /// The context on the main queue.
  open var viewContext: NSManagedObjectContext { ownViewContext }
  private let ownViewContext: NSManagedObjectContext
  /// Where the code is that calls `performBackgroundTask`, for an override that stands in between:
  /// by the number of the piece of code.
  private var taskOrigins: [Int: (file: String, line: Int)] = [:]

  /// A container for a model in code.
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

  /// A container for the model of this name: in the main bundle, or as an `.xcdatamodeld` near the
  /// calling source or elsewhere in its package. Traps if there is none.
  public convenience init(name: String, file: String = #filePath) {
    guard let url = SimulatedFiles.model(named: name, in: .main, caller: file) else {
      misuse("no model '\(name)' in the main bundle, nor in the package of \(file)")
    }
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      let problem = ModelFileCache.problem(at: url.path) ?? url.path
      misuse("the model '\(name)' cannot be read: \(problem)")
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// Where stores are by default; nothing is written there.
  open class func defaultDirectoryURL() -> URL {
    URL(fileURLWithPath: "/faultline", isDirectory: true)
  }

  /// Opens the stores, and calls `block` for each: before it returns, or later on the main queue
  /// for stores that are added asynchronously.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// A new context with a queue of its own.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// The same: what an override takes over, and what protocols ask for.
  @_disfavoredOverload
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    enqueue(block, from: taskOrigins[piece] ?? ("", 0))
  }

  /// Runs `block` on the queue of a new context.
  open func performBackgroundTask(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping (NSManagedObjectContext) -> Void
  ) {
    // An override calls `super`, and means the block itself.
    let piece = piece
    if let origin = taskOrigins[piece] { return enqueue(block, from: origin) }
    taskOrigins[piece] = (file, line)
    defer { taskOrigins[piece] = nil }
    let method: (@escaping (NSManagedObjectContext) -> Void) -> Void = performBackgroundTask
    method(block)
  }

  private var piece: Int { persistentStoreCoordinator.state.run.running.number }

  private func enqueue(
    _ block: @escaping (NSManagedObjectContext) -> Void, from origin: (file: String, line: Int)
  ) {
    let context = newBackgroundContext()
    context.kind = "backgroundTask"
    context.perform(file: origin.file, line: origin.line) { block(context) }
  }
}
