public import Foundation

/// Carries out a migration from one file to another.
///
/// What was inferred is copied row by row. By any other mapping model it makes objects in two
/// contexts of its own, in three passes (`NSEntityMigrationPolicy`); these objects are plain
/// managed objects, whatever their entities' classes.
open class NSMigrationManager: NSObject {
  /// The model of the store.
  public let sourceModel: NSManagedObjectModel
  /// The model of the new store.
  public let destinationModel: NSManagedObjectModel
  /// The mapping of the migration that was carried out last.
  open internal(set) var mappingModel: NSMappingModel!
  /// Whether what was inferred may be copied row by row; otherwise, the passes are made.
  open var usesStoreSpecificMigrationManager = true
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]?
  /// Where the objects of the source are; there during a migration only.
  open internal(set) var sourceContext: NSManagedObjectContext!
  /// Where the objects of the destination are made; likewise.
  open internal(set) var destinationContext: NSManagedObjectContext!
  /// The mapping that is being carried out; there during a migration only.
  open internal(set) var currentEntityMapping: NSEntityMapping!
  /// From 0 before a migration to 1 after it.
  open internal(set) var migrationProgress: Float = 0 {
    didSet { for observer in progressObservers { observer.call(oldValue) } }
  }
  var progressObservers: [MigrationProgressObserver] = []
  var associations = MigrationAssociations()
  var cancellation: (any Error)?

  /// A manager for two models.
  public required init(
    sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) {
    (self.sourceModel, self.destinationModel) = (sourceModel, destinationModel)
  }

  /// Makes a store at another URL that has the rows of one. Throws if there is none, if it is not
  /// of the source model, and what a policy throws; then there is no new store.
  open func migrateStore(
    from sourceURL: URL, sourceType: String, options: [AnyHashable: Any]? = nil,
    with mapping: NSMappingModel?, toDestinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
    let state = coordinator.state
    guard let mapping else { throw state.missingMapping("a migration without a mapping model") }
    guard let source = state.store(at: sourceURL) else { throw state.missingStore(at: sourceURL) }
    guard let model = source.model,
      sourceModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: source.metadata)
    else {
      throw state.cocoa(
        NSMigrationMissingSourceModelError, "the store is not of the source model", [:])
    }
    (mappingModel, cancellation) = (mapping, nil)
    migrationProgress = 0
    // What the observers of the progress have cancelled does not begin.
    if let cancellation { throw cancellation }
    if let rows = mapping.inferred, usesStoreSpecificMigrationManager {
      // The rows are those of the model that the store was opened with.
      let own = model === sourceModel ? rows : try RowMapping(from: model, to: destinationModel)
      try coordinator.migrateRows(
        from: source, to: toDestinationURL, destinationType, by: own, destinationOptions)
      migrationProgress = 1
      return
    }
    try coordinator.checkIsFree(toDestinationURL)
    let copy = try coordinator.declareStore(
      destinationType, at: toDestinationURL, nil, destinationOptions)
    try migrate(source, to: copy, of: coordinator)
  }

  /// Likewise.
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
    type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: options, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }

  /// Has the migration that is going on throw an error as soon as the running call of a policy has
  /// ended. What is copied row by row is cancelled only by an observer of the progress, before it
  /// begins.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets what came of what.
  open func reset() { associations = MigrationAssociations() }

  /// Lets go of a migration that has ended.
  func end() {
    reset()
    (sourceContext, destinationContext, currentEntityMapping) = (nil, nil, nil)
    cancellation = nil
  }

  // MARK: What came of what

  /// Notes that an object of the destination came of one of the source.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, entityMapping.name ?? "")
  }

  /// What came of objects by a mapping, in their order; of all for nil.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.pairs(mappingName, \.source, sourceInstances).map(\.destination)
  }

  /// What objects came of by a mapping, in their order; all for nil.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.pairs(mappingName, \.destination, destinationInstances).map(\.source)
  }

  /// The entity of the source; nil if the mapping adds one.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The entity of the destination; nil if the mapping removes one.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Calls a method of a subclass that an expression names: see `NSEntityMigrationPolicy.__called`.
  open func __called(_ selector: String, _ arguments: [Any?]) -> Any?? { nil }
}

/// Which object came of which, by the name of the mapping, in order.
struct MigrationAssociations {
  struct Pair {
    let source: NSManagedObject
    let destination: NSManagedObject
    let mapping: String
  }

  private var all: [Pair] = []
  private var bySource: [ObjectIdentifier: [Int]] = [:]
  private var byDestination: [ObjectIdentifier: [Int]] = [:]

  mutating func add(
    _ source: NSManagedObject, _ destination: NSManagedObject, _ mapping: String
  ) {
    bySource[ObjectIdentifier(source), default: []].append(all.count)
    byDestination[ObjectIdentifier(destination), default: []].append(all.count)
    all.append(Pair(source: source, destination: destination, mapping: mapping))
  }

  /// The pairs of a mapping that have these objects, on the side that is meant.
  func pairs(
    _ mapping: String, _ side: KeyPath<Pair, NSManagedObject>, _ objects: [NSManagedObject]?
  ) -> [Pair] {
    guard let objects else { return all.filter { $0.mapping == mapping } }
    let index = side == \Pair.source ? bySource : byDestination
    return objects.flatMap { index[ObjectIdentifier($0)] ?? [] }.map { all[$0] }
      .filter { $0.mapping == mapping }
  }

  /// What came of objects by any mapping.
  func destinations(of objects: [NSManagedObject]) -> [NSManagedObject] {
    objects.flatMap { bySource[ObjectIdentifier($0)] ?? [] }.map { all[$0].destination }
  }
}
