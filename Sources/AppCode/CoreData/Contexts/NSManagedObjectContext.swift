public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A space in which objects are read and changed until a save passes the changes on.
///
/// Methods that must be called on the context's queue check this rule. A call from elsewhere is
/// reported as a violation (CC-12) and carried out as soon as the queue is free.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// The type of queue that the context uses.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  /// The name of the context in code and in reports. An unnamed context is reported by its kind.
  open var name: String?
  var kind = "context"
  /// App-defined information about the context.
  public let userInfo = NSMutableDictionary()
  /// The author of the context's changes in persistent history.
  open var transactionAuthor: String?

  let state: RunState
  var run: LiveRun { state.run }
  var declaredID: ContextID?
  /// The Swift instances that app code holds, indexed by ID.
  var instances = Instances()
  /// The details of the running save for persistent history.
  var changeDetails = RunState.ChangeDetails()
  /// The attributes of the objects that the running save deletes, for observers of the save.
  var lastValues: [ObjectID: [String: Any]] = [:]
  /// A Boolean value that indicates whether a save is calling overrides of validation methods.
  var isAskingOverrides = false
  /// A Boolean value that indicates whether the save is retried because an app-defined merge policy
  /// resolved its conflicts.
  var isTryingAgain = false
  /// The places in code that called `perform`, indexed by job. They are kept while an
  /// override of `perform` runs.
  private var performOrigins: [Int: String] = [:]
  /// A Boolean value that indicates whether all objects are plain managed objects.
  var makesPlainObjects = false
  /// The object being inserted. Lifecycle methods need it before the engine returns its ID.
  var beingInserted: NSManagedObject?

  /// Creates a context, which needs a parent or a coordinator before it is used.
  public required init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
    guard type != .confinementConcurrencyType else {
      misuse("a context without a queue is no longer supported by Core Data")
    }
    concurrencyType = type
    state = RunState.current
  }

  /// Creates a context with a queue type of the newer Swift type.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  deinit { if let declaredID { run.discard(declaredID) } }

  // MARK: Setting up

  /// The parent context, which receives saved changes. Must be set before the context is used.
  open var parent: NSManagedObjectContext? {
    didSet { precondition(declaredID == nil, "the parent of a context is set after its first use") }
  }

  var coordinator: NSPersistentStoreCoordinator?

  /// The context's coordinator, or the coordinator of its parent.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parent?.persistentStoreCoordinator ?? coordinator }
    set {
      precondition(
        declaredID == nil || newValue === coordinator,
        "the coordinator of a context is set after its first use")
      coordinator = newValue
    }
  }

  /// The policy that resolves save conflicts, an `NSMergePolicy`.
  open var mergePolicy: Any = NSMergePolicy.error {
    didSet { redeclare() }
  }

  /// A Boolean value that indicates whether the context merges saves of its parent or, if it has no
  /// parent, of other contexts of its coordinator.
  open var automaticallyMergesChangesFromParent = false {
    didSet {
      // The context merges from now on, even if it has not been used yet.
      if automaticallyMergesChangesFromParent, parent != nil || coordinator != nil { _ = id }
      redeclare()
    }
  }

  /// The undo manager, which is `nil` by default (UN-01).
  open var undoManager: UndoManager? {
    didSet {
      undoManager?.add(self)
      redeclare()
    }
  }

  /// A Boolean value that indicates whether a fault without a row returns `nil` values instead of
  /// raising an exception (FL-12).
  open var shouldDeleteInaccessibleFaults = true {
    didSet { redeclare() }
  }

  /// A Boolean value that indicates whether the context keeps all instances until a reset (FL-18).
  open var retainsRegisteredObjects = false {
    didSet { redeclare() }
  }

  /// A Boolean value that indicates whether deletions propagate at the end of each event (RL-10).
  open var propagatesDeletesAtEndOfEvent = true {
    didSet { redeclare() }
  }

  /// The time in seconds for which the row cache is considered fresh. The value is 0, or negative
  /// for an unlimited time (FL-05).
  open var stalenessInterval: TimeInterval = -1 {
    didSet {
      guard stalenessInterval <= 0 else { misuse("a stalenessInterval above 0 is not simulated") }
      redeclare()
    }
  }

  // MARK: Queues

  private var queue: QueueID {
    // Without a stack, the engine has no queue for the context.
    guard hasStack else {
      return concurrencyType == .mainQueueConcurrencyType
        ? run.withWorld { $0.mainQueue } : queueWithoutStack
    }
    let id = id
    return run.withWorld { $0.queue(of: id) }
  }

  /// Enqueues `block` on the context's queue. Afterwards, the context processes its changes
  /// (CC-01).
  open func perform(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let job = run.running.number  // An override that calls `super` gets here again.
    if let origin = performOrigins[job] { return enqueue(block, from: origin) }
    performOrigins[job] = file.isEmpty ? "" : "\(file):\(line)"
    defer { performOrigins[job] = nil }
    let method: (@escaping () -> Void) -> Void = perform
    method(block)
  }

  private lazy var queueWithoutStack = run.makeQueue()

  private func enqueue(_ block: @escaping () -> Void, from origin: String) {
    run.enqueue(on: queue, endingEventOf: hasStack ? id : nil, origin: origin) {
      // The context lives until its blocks have run.
      withExtendedLifetime(self) { self.asCurrent(block) }
    }
  }

  /// Enqueues `block`. Subclasses override this method, and protocols may require it.
  @_disfavoredOverload
  open func perform(_ block: @escaping () -> Void) {
    enqueue(block, from: performOrigins[run.running.number] ?? state.takePlaceOfBlock() ?? "")
  }

  /// Runs `block` on the context's queue, waits for it and returns its result. Calls may be nested
  /// (CC-02).
  ///
  /// The signature is Apple's, so that an app's extension with the same signature replaces it.
  @discardableResult
  open func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try wait(for: block)
  }

  /// Runs `block` on the context's queue and waits for it. As on Apple platforms, Swift prefers
  /// this overload for a block without a result, also to an app's extension.
  open func performAndWait(_ block: () -> Void) { wait(for: block) }

  /// Runs `block` on the context's queue and waits for it. No app can replace this method.
  func wait<Result, Failure: Error>(
    for block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run.sync(on: queue, isReentrant: true) { () throws(Failure) in try asCurrent(block) }
  }

  /// Runs a block of the context, within which a request can be executed without naming the
  /// context. Objects that only the block holds are released afterwards.
  private func asCurrent<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.currentContexts.append(self)
    defer { state.currentContexts.removeLast() }
    return try run.withPool(block)
  }

  /// Runs `body` on the context's queue. A call without the queue is reported. It then waits for
  /// the queue, unless that queue is waiting for the calling block.
  func onQueue<Result>(_ body: () -> Result) -> Result {
    if run.hasQueue(of: id) { return body() }
    run.noteWrongQueue(id)
    return run.hasQueue(queue) ? body() : run.sync(on: queue, isReentrant: true, body)
  }

  // MARK: Saving

  /// A Boolean value that indicates whether objects were inserted, changed or deleted (CT-08).
  open var hasChanges: Bool {
    hasStack && act(.hasChanges).contains { if case .flag(true) = $0 { true } else { false } }
  }

  /// Saves changes to the parent context or, without a parent, to the stores. Throws an error if
  /// validation fails, a conflict is not resolved, or a store refuses the write.
  open func save() throws {
    // A context without a coordinator has no objects.
    if hasStack { try saveChanges() }
  }

  /// Ends the running event: posts notifications and propagates deletions.
  open func processPendingChanges() { if hasStack { act(.processPendingChanges) } }

  /// Discards all changes (FL-10).
  open func rollback() { if hasStack { act(.rollback) } }

  /// Releases all objects and discards all changes.
  open func reset() { if hasStack { act(.reset) } }

  /// Undoes the last group of the undo manager. Without an undo manager, has no effect (UN-01).
  open func undo() {
    if let undoManager { undoManager.undo() } else { act(.undo) }
  }

  /// Redoes the group that was undone last.
  open func redo() {
    if let undoManager { undoManager.redo() } else { act(.redo) }
  }

  /// Merges the changes that another context saved.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    guard let number = notification.userInfo?[didSaveNumberKey] as? Int else {
      misuse("mergeChanges requires a DidSave notification of this run")
    }
    // Changes from persistent history are not in the row cache yet.
    let isRemote = notification.userInfo?[isFromHistoryKey] != nil
    let merge: Action = isRemote ? .mergeRemote(id, number: number) : .merge(id, number: number)
    // Objects that the merge registers are released afterwards unless an observer keeps them.
    onQueue { run.withPool { state.post(run.perform(merge)) } }
  }

  // MARK: Objects

  /// Inserts a new object into the context (LC-01).
  open func insert(_ object: NSManagedObject) {
    guard object.owner == nil else {
      // An object that was inserted before is reported again as inserted (ID-34).
      if object.owner === self {
        return report(act(.insertAgain(object.handle.name)), about: object)
      }
      misuse("an object that belongs to one context is inserted into another context")
    }
    object.begin(in: self)
  }

  /// Marks an object as deleted (LC-13).
  open func delete(_ object: NSManagedObject) {
    guard object.owner === self else {
      misuse("an object is deleted in a context that it does not belong to")
    }
    report(act(.delete(object.handle.name)), about: object)
  }

  /// Turns the object into a fault. If `mergeChanges` is true, reloads the unchanged values instead
  /// (FL-02).
  open func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    report(act(.refresh(object.handle.name, mergeChanges: mergeChanges)), about: object)
  }

  /// Refreshes all objects and keeps their changes.
  open func refreshAllObjects() { if hasStack { act(.refreshAllObjects) } }

  /// Returns the registered object with an ID, or otherwise a fault, even if no row exists. Raises
  /// an exception if the object is not registered and its store was removed or destroyed (PS-11).
  open func object(with id: NSManagedObjectID) -> NSManagedObject {
    onQueue {
      if !run.read({ $0.hasStore(for: id.id, in: self.id) }) {
        misuse("object(with:) is called with an ID of a store that the coordinator lacks (\(id))")
      }
      return object(for: id.id)
    }
  }

  /// Returns the object with an ID. Throws an error if it has no row (ID-26).
  open func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
    try existing(id)
  }

  /// Returns the object with an ID, or `nil` if it is not registered with the context.
  open func registeredObject(for id: NSManagedObjectID) -> NSManagedObject? {
    onQueue {
      guard let known = run.read({ $0.registeredID(id.id, in: self.id) }) else { return nil }
      return object(for: known)
    }
  }

  /// Assigns permanent IDs to inserted objects.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    // Apps often pass an array made from a set, whose order must have no effect.
    try attempt(.obtainPermanentIDs(objects.map(\.handle.name).sorted()))
  }

  /// Chooses the store that a new object will be saved to (PS-02).
  open func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject else {
      misuse("something other than an object is assigned to a store")
    }
    report(act(.assign(object.handle.name, store.id)), about: object)
  }

  /// Makes the next save check an unchanged object for conflicts (MP-06).
  open func detectConflicts(for object: NSManagedObject) {
    report(act(.detectConflicts(object.handle.name)), about: object)
  }

  /// All objects that are registered with the context.
  open var registeredObjects: Set<NSManagedObject> { objects { _ in true } }

  /// The objects that a save will insert.
  open var insertedObjects: Set<NSManagedObject> { objects(where: \.isInserted) }

  /// The objects that a save will update.
  open var updatedObjects: Set<NSManagedObject> { objects(where: \.isUpdated) }

  /// The objects that a save will delete.
  open var deletedObjects: Set<NSManagedObject> { objects(where: \.isDeleted) }

  // MARK: Requests

  /// Carries out a request of any result type. Throws an error if the coordinator has no store.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try found(by: request)
  }

  /// Returns the number of objects that a request of any result type would fetch.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    try counted(by: request)
  }

  /// Carries out a batch request, an asynchronous fetch request or a history request. Traps for
  /// other requests. Fetch requests are carried out by `fetch`.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try executed(request)
  }
}
