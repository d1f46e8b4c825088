import Determinism
import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// This module's state of the run to which the calling code belongs.
final class RunState {
  let run: LiveRun
  let transformables = Transformables()
  /// The key that was last read from a probe, which is an object that records the keys it is asked
  /// for.
  var sortKey = ""
  /// All keys read from the latest probe, in order.
  var probedKeys: [String] = []
  /// The observers of objects' properties, in the order in which they began.
  var keyValueObservations: [any KeyValueObservation] = []
  /// The key path observers that `addObserver` registered.
  var keyPathRegistrations: [KeyPathRegistration] = []
  /// The method by which the last sort descriptor compares texts, if it has one.
  var sortComparison: TextComparison?
  /// A Boolean value that indicates whether the last sort descriptor uses an app-defined
  /// comparator.
  var sortsByComparator = false
  /// A Boolean value that indicates whether a value is being read for an observer.
  var isReadingForObserver = false
  /// A Boolean value that indicates whether an object without a context is read only to find out
  /// its keys.
  var isProbing = false
  let notificationCenter = SimulatedNotificationCenter()
  let monitors = SimulatedMonitors()
  /// The per-run state of instances. See `PerRun`.
  var states: [ObjectIdentifier: (owner: AnyObject, state: AnyObject)] = [:]
  let mainThread = SimulatedThread()
  /// The threads, indexed by the number of the job that runs on them.
  private var threads: [Int: SimulatedThread] = [:]
  /// The Dispatch queues of running jobs, indexed by the job's number.
  private var queues: [Int: [SimulatedDispatchQueue]] = [:]
  private var blockContexts: [Int: [NSManagedObjectContext]] = [:]
  /// The queues of running operations, indexed by the number of the job.
  var operationQueues: [Int: SimulatedOperationQueue] = [:]
  /// The source location that code has recorded last for a block.
  var placeOfBlock: PlaceOfBlock?
  var (uuidCount, dateCount) = (0, 0)
  /// A hash of the name of the run's test, or 0 without a name.
  let testNumber: UInt64
  /// The number of managed objects that the app has created in this run.
  var objectCount = 0
  /// The number of Combine subscriptions in this run.
  var cancellableCount = 0
  /// The modules whose code has called, in the order of their first call. Class look-ups search
  /// these modules first.
  private var modules: [String] = []
  /// The other modules of their packages. Class look-ups search these modules last.
  private var neighbours: [String] = []
  private var models: [(model: NSManagedObjectModel, offset: Int)] = []
  private var contexts: [Weak<NSManagedObjectContext>] = []
  private var controllers: [Weak<ResultsController>] = []
  private(set) var stores: [NSPersistentStore] = []
  private var contextNames: [String: Int] = [:]
  private var classes: [String: NSManagedObject.Type] = [:]
  private var usedClasses: Set<ObjectIdentifier> = []
  private var classNames: [ObjectIdentifier: String] = [:]

  /// The IDs of batch results and DidSaves, by which code refers to them.
  var remote: [(ids: Set<ObjectID>, number: Int)] = []
  /// Metadata dictionaries set by the app, in order. The engine identifies each one by its 1-based
  /// position.
  var metadataVersions: [[String: Any]] = []
  /// The changes that root contexts and batch requests wrote to stores, in order.
  var history: [HistoryEntry] = []
  /// Events to deliver in the next block of a queue, indexed by queue.
  private var undelivered: [QueueID: [Event]] = [:]

  /// The coordinators, in order of creation.
  var coordinators: [Weak<NSPersistentStoreCoordinator>] = []

  struct Weak<Object: AnyObject> {
    weak var object: Object?
  }

  private init(_ run: LiveRun) {
    self.run = run
    var digest = Digest()
    digest.feed(run.test)
    testNumber = run.test.isEmpty ? 0 : digest.value
    // Unowned, because the run outlives its hooks.
    run.callHook = { [unowned self] hook, context, id in
      self.context(context)?.runHook(hook, id) ?? false
    }
    // Registered observers and endless blocks would keep contexts alive, and these the run.
    run.cleanUp = { [unowned self] in
      notificationCenter.removeAllObservers()
      blockContexts = [:]
    }
    run.follow = { [unowned self] events, queue in follow(events, performedOn: queue) }
    run.endTurn = { [unowned self] in context($0)?.processPendingChanges() }
  }

  static var current: RunState {
    let run = LiveRun.current ?? .outside
    if let state = run.attachment as? RunState { return state }
    let state = RunState(run)
    run.attachment = state
    return state
  }

  /// The state of the run, or nil outside a run.
  static var ifRunning: RunState? { LiveRun.current == nil ? nil : current }

  /// The current virtual time, in milliseconds.
  var now: Int { run.withWorld { $0.dispatcher.now.milliseconds } }

  /// The Dispatch queues of the running job. The most recent one is last.
  var currentQueues: [SimulatedDispatchQueue] {
    get { queues[run.running.number] ?? [] }
    set { queues[run.running.number] = newValue.isEmpty ? nil : newValue }
  }

  /// The contexts whose blocks the running job executes. The innermost one is last.
  var currentContexts: [NSManagedObjectContext] {
    get { blockContexts[run.running.number] ?? [] }
    set { blockContexts[run.running.number] = newValue.isEmpty ? nil : newValue }
  }

  func thread(of job: Job) -> SimulatedThread {
    if let thread = threads[job.number] { return thread }
    let thread = SimulatedThread()
    threads[job.number] = thread
    return thread
  }

  func setThread(_ thread: SimulatedThread, of job: Job) { threads[job.number] = thread }

  // MARK: Models

  /// Returns the number of an entity in this run. The first use of a model adds its entities.
  func id(of entity: NSEntityDescription) -> EntityID {
    guard let model = entity.managedObjectModel else {
      misuse("entity '\(entity.name ?? "")' belongs to no model")
    }
    return EntityID(offset(of: model) + entity.index)
  }

  func entity(_ id: EntityID) -> NSEntityDescription {
    let known = models.first { model, offset in
      (offset..<offset + model.entities.count).contains(id.index)
    }
    guard let (model, offset) = known else {
      preconditionFailure("entity \(id.index) belongs to no model")
    }
    return model.entities[id.index - offset]
  }

  @discardableResult
  func offset(of model: NSManagedObjectModel) -> Int {
    if let known = models.first(where: { $0.model === model }) { return known.offset }
    // A file read again, or an equal model created in code, shares the rows of the first model.
    for known in models where known.model.hasSameClasses(as: model) {
      let entities = model.build(offset: known.offset) { run.symbol(for: $0) }
      let declared = run.model.entities
      let same = ObjectModel(
        entities: declared[..<known.offset] + entities, symbols: run.model.symbols)
      guard declared.starts(with: same.entities) else { continue }
      models.append((model, known.offset))
      return known.offset
    }
    let offset = run.model.entities.count
    models.append((model, offset))
    let entities = model.build(offset: offset) { run.symbol(for: $0) }
    run.declare { _, declared in
      declared = ObjectModel(
        entities: declared.entities + entities, symbols: declared.symbols)
    }
    return offset
  }

  func property(_ id: PropertyID, of entity: EntityID) -> Property {
    run.model.entities[entity.index].properties[id.index]
  }

  // MARK: Classes

  /// Records a class that the run uses. A run does not depend on the classes of earlier runs.
  func use(_ type: NSManagedObject.Type) {
    guard usedClasses.insert(ObjectIdentifier(type)).inserted else { return }
    classes[String(describing: type)] = type
    classes[String(reflecting: type)] = type
  }

  /// Returns the Objective-C name of a class.
  func name(of type: NSManagedObject.Type) -> String {
    if let known = classNames[ObjectIdentifier(type)] { return known }
    let name = SimulatedModules.name(of: type)
    classNames[ObjectIdentifier(type)] = name
    return name
  }

  func managedObjectClass(named name: String) -> NSManagedObject.Type? {
    // In a model file, a leading dot marks a class of the current product module.
    let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if let known = classes[name] { return known }
    let found = anyClass(named: name) as? NSManagedObject.Type
    if let found { use(found) }
    return found
  }

  /// The modules whose code has called, and the other modules of their packages.
  var knownModules: [String] { modules + neighbours }

  /// The paths of models and mapping models in the known modules.
  var resources: [String] {
    knownModules.flatMap { SimulatedModules.named($0)?.resources ?? [] }
  }

  /// Returns the class of this name. The name may omit the module if it is a known module of the
  /// run.
  func anyClass(named name: String) -> AnyClass? {
    if let known = classes[name] ?? NamedClasses.named(name) { return known }
    for module in knownModules {
      let declared: AnyClass? = SimulatedModules.named(module)?.classes[name]
      if let known = declared ?? NamedClasses.named("\(module).\(name)") { return known }
    }
    return nil
  }

  /// Records that code of a module has called, given as `Module/File.swift`.
  func noteCaller(_ file: String) {
    let module = String(file.prefix { $0 != "/" })
    guard !modules.contains(module) else { return }
    modules.append(module)
    run.promise(SimulatedModules.named(module)?.promises ?? [])
    for other in RunState.modules(beside: module) where !neighbours.contains(other) {
      neighbours.append(other)
      run.promise(SimulatedModules.named(other)?.promises ?? [])
    }
  }

  // MARK: The stack

  func context(_ id: ContextID) -> NSManagedObjectContext? {
    id.index < contexts.count ? contexts[id.index].object : nil
  }

  /// Returns the name by which reports identify a context. This name is the last part of a dotted
  /// name, with a number if the name is already in use.
  func uniqueName(_ name: String) -> String {
    let name = name.split(separator: ".").last.map(String.init) ?? name
    let count = contextNames[name, default: 0] + 1
    contextNames[name] = count
    return count == 1 ? name : "\(name)\(count)"
  }

  func add(_ context: NSManagedObjectContext?, _ declared: Stack.Context) -> ContextID {
    let id = ContextID(run.stack.contexts.count)
    contexts.append(Weak(object: context))
    run.declare { stack, _ in stack.contexts.append(declared) }
    return id
  }

  /// Adds a fetched-results controller, which the engine fills and updates.
  func add(_ controller: ResultsController, _ declared: Stack.ResultsController) -> ControllerID {
    let id = ControllerID(run.stack.controllers.count)
    controllers.append(Weak(object: controller))
    run.declare { stack, _ in stack.controllers.append(declared) }
    return id
  }

  func controller(_ id: ControllerID) -> ResultsController? { controllers[id.index].object }

  // MARK: Files

  /// Replaces a store by a new instance for the same file.
  func replaceStore(_ id: StoreID, by store: NSPersistentStore) { stores[id.index] = store }

  func add(_ store: NSPersistentStore, _ declared: Stack.Store) -> StoreID {
    let id = StoreID(run.stack.stores.count)
    stores.append(store)
    run.declare { stack, _ in stack.stores.append(declared) }
    return id
  }

  // MARK: Events

  private func follow(_ events: [Event], performedOn queue: QueueID?) {
    for event in events {
      if case .didSave(let context, let sets, let number) = event {
        noteRemote(sets, number: number)
        if let saving = self.context(context), saving.parent == nil {
          noteHistory(sets, number: number, by: context, saving.changeDetails)
        }
      }
      if case .becamePermanent(let context, let old, let new) = event {
        self.context(context)?.rename(old, to: new)
      }
    }
    // The events come from a merge or the end of a block. Their notifications are delivered in a
    // block that runs directly afterwards, before the blocks that already wait.
    guard let queue,
      hasKeyValueObservers(of: events) || events.contains(where: { $0.isObserved(in: self) })
    else { return }
    if undelivered[queue] != nil {
      undelivered[queue]? += events
    } else {
      undelivered[queue] = events
      run.enqueueFollowUp(on: queue) { [self] in
        let events = undelivered.removeValue(forKey: queue) ?? []
        tellKeyValueObservers(ofMerge: events)
        post(events)
      }
    }
  }

  /// Delivers notifications on the calling lane, in the order in which they were posted.
  func post(_ events: [Event]) {
    for case .awakeFromSnapshot(let context, let id, let event) in events {
      guard let context = self.context(context), let object = context.instances[id] else {
        continue
      }
      object.awake(fromSnapshotEvents: NSSnapshotEventType(rawValue: UInt(event.rawValue)))
    }
    for event in events where event.isObserved(in: self) {
      if case .controllerDidChangeContent(let id, let changes) = event {
        controller(id)?.tellDelegate(changes)
        continue
      }
      guard let context = event.postingContext.flatMap({ self.context($0) }) else { continue }
      context.post(event)
    }
  }
}
