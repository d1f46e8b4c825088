public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// On which queue a context works.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// None: no context has it any more, and to make one with it traps.
  case confinementConcurrencyType = 0
  /// A queue of its own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// On which queue a context works.
  public struct ConcurrencyType: Hashable, Sendable {
    let rawValue: NSManagedObjectContextConcurrencyType

    /// A queue of its own.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}

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
  private var declaredID: ContextID?
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
  private var isTryingAgain = false
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

  private var coordinator: NSPersistentStoreCoordinator?

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

  private func declaration(named name: String) -> Stack.Context {
    let above: Stack.Parent
    if let parent {
      above = .context(parent.id)
    } else if let coordinator {
      above = .coordinator(coordinator.id)
    } else {
      misuse("a context is used that has neither a parent nor a coordinator")
    }
    var declared = Stack.Context(
      name: name,
      concurrencyType: concurrencyType == .mainQueueConcurrencyType ? .mainQueue : .privateQueue,
      parent: above)
    guard let policy = mergePolicy as? NSMergePolicy else {
      misuse("the merge policy is no NSMergePolicy")
    }
    declared.mergePolicy =
      policy.isOfApp && !isTryingAgain ? .error : policy.mergeType.policy
    declared.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
    declared.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults
    declared.retainsRegisteredObjects = retainsRegisteredObjects
    declared.propagatesDeletesAtEndOfEvent = propagatesDeletesAtEndOfEvent
    declared.hasZeroStaleness = stalenessInterval == 0
    declared.hasUndoManager = undoManager != nil
    return declared
  }

  /// The context of the engine, which is born when it is first used.
  var id: ContextID {
    checkIsOfRun(run, name ?? kind)
    if let declaredID { return declaredID }
    let id = state.add(self, declaration(named: state.uniqueName(name ?? kind)))
    declaredID = id
    return id
  }

  private func redeclare() {
    guard let declaredID else { return }
    let declared = declaration(named: run.stack[declaredID].name)
    run.declare { stack, _ in stack.contexts[declaredID.index] = declared }
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

  /// The same, for overrides and protocols.
  @_disfavoredOverload
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
    guard hasStack else { return }
    try onQueue {
      Swift.Result<Void, any Error> {
        defer { lastValues = [:] }
        for phase in [Phase.flush, .willSave, .commit, .finish] {
          if phase == .commit {
            deriveAttributes()
            try validateByOverrides()
            try checkReadOnlyStores()
            changeDetails = detailsOfChanges()
            lastValues = valuesOfDeletedObjects()
          }
          var events = run.perform(.save, in: id, phase)
          if let failure = events.failure, try isResolved(failure) {
            isTryingAgain = true
            redeclare()
            defer {
              isTryingAgain = false
              redeclare()
            }
            events = run.perform(.save, in: id, .commit)
          }
          undoManager?.absorb()
          state.tellKeyValueObservers()
          state.post(events)
          if let failure = events.failure { throw state.error(for: failure, in: self) }
          if events.contains(.saved) { return }
        }
      }
    }.get()
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
}
