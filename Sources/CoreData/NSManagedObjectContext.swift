public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A space in which objects are read and changed, until a save hands the changes on.
///
/// Each method that Core Data allows on the context's queue only is checked: a call from elsewhere
/// is reported as a violation (CC-12), and is then carried out as soon as the queue is free.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// On which queue it works.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  /// What code calls it, and reports do; else these call it what it is.
  open var name: String?
  var kind = "context"
  /// What the app notes of it.
  public let userInfo = NSMutableDictionary()
  /// The author of the changes, whom persistent history tells.
  open var transactionAuthor: String?

  let state: RunState
  var run: LiveRun { state.run }
  var declaredID: ContextID?
  /// The instances that code may have, by name and by ID.
  var instances = Instances()
  /// What history will tell of the save that is going on.
  var changeDetails = RunState.ChangeDetails()
  /// The attributes of the objects that the save which is going on deletes. Observers of its
  /// notifications read them.
  var lastValues: [ObjectID: [String: Any]] = [:]
  /// Whether a save asks the overrides of `validateForInsert` and the like.
  var isAskingOverrides = false
  /// Whether a policy of the app has resolved the conflicts of the save.
  var isTryingAgain = false
  /// Where the code is that calls `perform`, for an override that stands in between: by the number
  /// of the piece of code.
  private var performOrigins: [Int: String] = [:]
  /// Whether its objects are plain managed objects, whatever their entities' classes.
  var makesPlainObjects = false
  /// Being inserted: hooks ask for it before the engine has answered.
  var beingInserted: NSManagedObject?

  /// A context without a parent or coordinator; it needs one of them before it is used.
  public required init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
    guard type != .confinementConcurrencyType else {
      misuse("a context without a queue, which Core Data has no more")
    }
    concurrencyType = type
    state = RunState.current
  }

  /// The same, with a newer name of the type.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  deinit { if let declaredID { run.discard(declaredID) } }

  // MARK: Setting up

  /// The context to which it saves. To be set before the context is used.
  open var parent: NSManagedObjectContext? {
    didSet { precondition(declaredID == nil, "the parent of a context that is in use changes") }
  }

  var coordinator: NSPersistentStoreCoordinator?

  /// The coordinator to whose stores it saves: its own, or its parent's.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parent?.persistentStoreCoordinator ?? coordinator }
    set {
      precondition(
        declaredID == nil || newValue === coordinator,
        "the coordinator of a context that is in use changes")
      coordinator = newValue
    }
  }

  /// What a save does about conflicts: an `NSMergePolicy`.
  open var mergePolicy: Any = NSMergePolicy.error {
    didSet { redeclare() }
  }

  /// Whether it merges what its parent, or another context of its coordinator, has saved.
  open var automaticallyMergesChangesFromParent = false {
    didSet {
      // It follows from now on, whether it has been used or not.
      if automaticallyMergesChangesFromParent, parent != nil || coordinator != nil { _ = id }
      redeclare()
    }
  }

  /// Undoes and redoes; nil without one, as contexts are made (UN-01).
  open var undoManager: UndoManager? {
    didSet {
      undoManager?.add(self)
      redeclare()
    }
  }

  /// Whether firing a fault whose row is gone reads nil rather than raise (FL-12).
  open var shouldDeleteInaccessibleFaults = true {
    didSet { redeclare() }
  }

  /// Whether it keeps every instance until a reset (FL-18).
  open var retainsRegisteredObjects = false {
    didSet { redeclare() }
  }

  /// Whether deletes propagate at the end of an event, not at the save only (RL-10).
  open var propagatesDeletesAtEndOfEvent = true {
    didSet { redeclare() }
  }

  /// For how many seconds the row cache is good enough: 0, or less for ever (FL-05).
  open var stalenessInterval: TimeInterval = -1 {
    didSet {
      guard stalenessInterval <= 0 else { misuse("a staleness interval above 0 is not simulated") }
      redeclare()
    }
  }

  // MARK: Queues

  private var queue: QueueID {
    // Before it has a stack, it has no queue of the engine's.
    guard hasStack else {
      return concurrencyType == .mainQueueConcurrencyType
        ? run.look { $0.mainQueue } : queueWithoutStack
    }
    let id = id
    return run.look { $0.queue(of: id) }
  }

  /// Enqueues `block` on the context's queue. When it has run, the context processes its changes
  /// (CC-01).
  open func perform(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let piece = run.running.number  // An override calls `super`, and means the block itself.
    if let origin = performOrigins[piece] { return enqueue(block, from: origin) }
    performOrigins[piece] = file.isEmpty ? "" : "\(file):\(line)"
    defer { performOrigins[piece] = nil }
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

  /// The same: what an override takes over, and what protocols ask for.
  @_disfavoredOverload
  open func perform(_ block: @escaping () -> Void) {
    enqueue(block, from: performOrigins[run.running.number] ?? state.takePlaceOfBlock() ?? "")
  }

  /// Runs `block` on the context's queue, and waits for it. May be nested (CC-02).
  @discardableResult
  @_disfavoredOverload
  open func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run.sync(on: queue, isReentrant: true) { () throws(Failure) in try asCurrent(block) }
  }

  /// The same without a result. It is chosen before an app's own extension that has one, as on a
  /// Mac.
  open func performAndWait(_ block: () -> Void) {
    run.sync(on: queue, isReentrant: true) { asCurrent(block) }
  }

  /// Runs a block of the context, in which a request can be executed without naming it. Objects
  /// that only the block holds go with it.
  private func asCurrent<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.currentContexts.append(self)
    defer { state.currentContexts.removeLast() }
    return try run.withPool(block)
  }

  /// Carries out what its queue alone may do: elsewhere once it is free, or waits for this thread.
  func onQueue<Result>(_ body: () -> Result) -> Result {
    if run.hasQueue(of: id) { return body() }
    run.noteWrongQueue(id)
    return run.hasQueue(queue) ? body() : run.sync(on: queue, isReentrant: true, body)
  }

  // MARK: Saving

  /// Whether anything was inserted, changed or deleted (CT-08).
  open var hasChanges: Bool {
    hasStack && act(.hasChanges).contains { if case .flag(true) = $0 { true } else { false } }
  }

  /// Hands all changes on: to the parent, or to the stores. Throws what validation, the merge
  /// policy or a store has against it.
  open func save() throws {
    // Without a coordinator it has no objects.
    if hasStack { try saveChanges() }
  }

  /// Ends the running event: notifications, and the propagation of deletes.
  open func processPendingChanges() { if hasStack { act(.processPendingChanges) } }

  /// Drops all changes (FL-10).
  open func rollback() { if hasStack { act(.rollback) } }

  /// Forgets all objects and changes.
  open func reset() { if hasStack { act(.reset) } }

  /// Undoes the last group of its undo manager; without one, nothing (UN-01).
  open func undo() {
    if let undoManager { undoManager.undo() } else { act(.undo) }
  }

  /// Redoes what was undone last.
  open func redo() {
    if let undoManager { undoManager.redo() } else { act(.redo) }
  }

  /// Takes over what another context has saved.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    guard let number = notification.userInfo?[didSaveNumberKey] as? Int else {
      misuse("mergeChanges takes a DidSave notification of this run")
    }
    // What history tells has come about behind the row cache, too.
    let isRemote = notification.userInfo?[isFromHistoryKey] != nil
    let merge: Action = isRemote ? .mergeRemote(id, number: number) : .merge(id, number: number)
    // What it registers goes with it, unless an observer keeps it.
    onQueue { run.withPool { state.post(run.perform(merge)) } }
  }

  // MARK: Objects

  /// Makes a new object part of the context (LC-01).
  open func insert(_ object: NSManagedObject) {
    guard object.owner == nil else {
      // Of an object that it has, it says once more that it is inserted (ID-34).
      if object.owner === self {
        return report(act(.insertAgain(object.handle.name)), about: object)
      }
      misuse("an object is inserted into a second context")
    }
    object.begin(in: self)
  }

  /// Marks an object as deleted (LC-13).
  open func delete(_ object: NSManagedObject) {
    guard object.owner === self else {
      misuse("an object is deleted in a context that is not its own")
    }
    report(act(.delete(object.handle.name)), about: object)
  }

  /// Makes a fault of the object, or, with `mergeChanges`, reloads what was not changed (FL-02).
  open func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    report(act(.refresh(object.handle.name, mergeChanges: mergeChanges)), about: object)
  }

  /// Refreshes all objects, keeping changes.
  open func refreshAllObjects() { if hasStack { act(.refreshAllObjects) } }

  /// The object with this ID: as it is registered, or as a fault, whether there is a row or not.
  /// Raises if the ID is of a store that the coordinator no longer has (PS-11).
  open func object(with id: NSManagedObjectID) -> NSManagedObject {
    onQueue {
      if !run.read({ $0.hasStore(for: id.id, in: self.id) }) {
        misuse("object(with:) is given an ID whose store the coordinator has no more (\(id))")
      }
      return object(for: id.id)
    }
  }

  /// The object with this ID. Throws if there is no such row (ID-26).
  open func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
    try existing(id)
  }

  /// The object with this ID, if the context has it.
  open func registeredObject(for id: NSManagedObjectID) -> NSManagedObject? {
    onQueue {
      guard let known = run.read({ $0.registeredID(id.id, in: self.id) }) else { return nil }
      return object(for: known)
    }
  }

  /// Gives inserted objects the IDs that their rows will have.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    // Mostly made from a set, whose order must not decide.
    try attempt(.obtainPermanentIDs(objects.map(\.handle.name).sorted()))
  }

  /// Chooses the store that a new object will be saved to (PS-02).
  open func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject else {
      misuse("something other than an object is assigned to a store")
    }
    report(act(.assign(object.handle.name, store.id)), about: object)
  }

  /// Has the next save check an object that is not changed itself (MP-06).
  open func detectConflicts(for object: NSManagedObject) {
    report(act(.detectConflicts(object.handle.name)), about: object)
  }

  /// All objects that the context has.
  open var registeredObjects: Set<NSManagedObject> { objects { _ in true } }

  /// The objects that a save will insert.
  open var insertedObjects: Set<NSManagedObject> { objects(where: \.isInserted) }

  /// The objects that a save will update.
  open var updatedObjects: Set<NSManagedObject> { objects(where: \.isUpdated) }

  /// The objects that a save will delete.
  open var deletedObjects: Set<NSManagedObject> { objects(where: \.isDeleted) }

  // MARK: Requests

  /// Carries out a request of no certain results. Throws if the coordinator has no store.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try found(by: request)
  }

  /// How many objects a request of no certain results would find.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    try counted(by: request)
  }

  /// Carries out a batch request. Other requests trap: a fetch request is carried out by `fetch`.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try executed(request)
  }
}
