public import Foundation

/// Carries out a migration from one file to another.
///
/// A migration by an inferred mapping model copies row by row. With any other mapping model, the
/// manager makes objects in two contexts, in three passes (`NSEntityMigrationPolicy`). These
/// objects are plain managed objects, regardless of their entities' classes.
open class NSMigrationManager: NSObject {
  /// The model of the source store.
  public let sourceModel: NSManagedObjectModel
  /// The model of the destination store.
  public let destinationModel: NSManagedObjectModel
  /// The mapping model of the latest migration.
  open internal(set) var mappingModel: NSMappingModel!
  /// A Boolean value that indicates whether the rows of an inferred mapping may be copied directly.
  /// If false, the manager makes the three passes instead.
  open var usesStoreSpecificMigrationManager = true
  /// Information that the app keeps with the manager.
  open var userInfo: [AnyHashable: Any]?
  /// The context of the source objects, or nil outside a migration.
  open internal(set) var sourceContext: NSManagedObjectContext!
  /// The context in which destination objects are made, or nil outside a migration.
  open internal(set) var destinationContext: NSManagedObjectContext!
  /// The mapping that is being carried out, or nil outside a migration.
  open internal(set) var currentEntityMapping: NSEntityMapping!
  /// The progress of the migration, from 0 to 1.
  open internal(set) var migrationProgress: Float = 0 {
    didSet { for observer in progressObservers { observer.call(oldValue) } }
  }
  var progressObservers: [MigrationProgressObserver] = []
  var associations = MigrationAssociations()
  var cancellation: (any Error)?

  /// Creates a manager that migrates from one model to another.
  public required init(
    sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) {
    (self.sourceModel, self.destinationModel) = (sourceModel, destinationModel)
  }

  /// Makes a store at another URL that has the rows of the source store.
  ///
  /// If the migration fails, no new store exists.
  ///
  /// - Throws: An error if the source store is missing or does not match the source model, or any
  ///   error of a policy.
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
        NSMigrationMissingSourceModelError, "the store was not written with the source model", [:])
    }
    (mappingModel, cancellation) = (mapping, nil)
    migrationProgress = 0
    // Observers of the progress may have cancelled the migration before it begins.
    if let cancellation { throw cancellation }
    if let rows = mapping.inferred, usesStoreSpecificMigrationManager {
      // Copy the rows by the model with which the store was opened.
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

  /// Makes a store at another URL that has the rows of the source store.
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

  /// Makes the running migration throw an error as soon as the current policy call has ended. Only
  /// an observer of the progress can cancel a row-by-row copy, before it begins.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets which destination objects were made from which source objects.
  open func reset() { associations = MigrationAssociations() }

  /// Releases the objects of a migration that has ended.
  func end() {
    reset()
    (sourceContext, destinationContext, currentEntityMapping) = (nil, nil, nil)
    cancellation = nil
  }

  // MARK: What came of what

  /// Records that a destination object was made from a source object.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, entityMapping.name ?? "")
  }

  /// Returns the objects that a mapping made from the source objects, in their order. Returns all
  /// objects that the mapping made if `sourceInstances` is nil.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.pairs(mappingName, \.source, sourceInstances).map(\.destination)
  }

  /// Returns the objects from which a mapping made the destination objects, in their order. Returns
  /// all source objects of the mapping if `destinationInstances` is nil.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.pairs(mappingName, \.destination, destinationInstances).map(\.source)
  }

  /// Returns the source entity of a mapping, or nil if the mapping adds an entity.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// Returns the destination entity of a mapping, or nil if the mapping removes an entity.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Calls a subclass method that an expression names. See `NSEntityMigrationPolicy.__called`.
  open func __called(_ selector: String, _ arguments: [Any?]) -> Any?? { nil }
}

/// The pairs of source and destination objects, with the names of their mappings, in order.
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

  /// Returns the pairs of a mapping whose object on the given side is among `objects`. Returns all
  /// pairs of the mapping if `objects` is nil.
  func pairs(
    _ mapping: String, _ side: KeyPath<Pair, NSManagedObject>, _ objects: [NSManagedObject]?
  ) -> [Pair] {
    guard let objects else { return all.filter { $0.mapping == mapping } }
    let index = side == \Pair.source ? bySource : byDestination
    return objects.flatMap { index[ObjectIdentifier($0)] ?? [] }.map { all[$0] }
      .filter { $0.mapping == mapping }
  }

  /// Returns the objects that any mapping made from the given objects.
  func destinations(of objects: [NSManagedObject]) -> [NSManagedObject] {
    objects.flatMap { bySource[ObjectIdentifier($0)] ?? [] }.map { all[$0].destination }
  }
}
