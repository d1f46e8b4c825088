import Foundation

/// The three passes of a migration by policies.
extension NSMigrationManager {
  /// Fills a declared store of the coordinator with the rows of another store, by the mapping
  /// model. A migration that fails leaves no file.
  func migrate(
    _ source: NSPersistentStore, to destination: NSPersistentStore,
    of coordinator: NSPersistentStoreCoordinator
  ) throws {
    let state = coordinator.state
    let sources = NSPersistentStoreCoordinator(managedObjectModel: source.model ?? sourceModel)
    let opened = source.reopened(source.options, in: state)
    sources.attach(opened)
    coordinator.attach(destination)
    defer {
      end()
      sources.detach(opened)
    }
    sourceContext = NSManagedObjectContext(plainObjectsOf: sources, "migrationSource")
    destinationContext = NSManagedObjectContext(plainObjectsOf: coordinator, "migrationDestination")
    do {
      try sourceContext.performAndWait {
        try destinationContext.performAndWait { try makePasses(state) }
      }
    } catch {
      coordinator.detach(destination)
      destination.isRemovedFromDisk = true
      throw error
    }
    migrationProgress = 1
    coordinator.detach(destination)
  }

  private func makePasses(_ state: RunState) throws {
    let mappings = mappingModel.entityMappings ?? []
    let policies = try mappings.map { try policy(of: $0, state) }
    let steps = zip(mappings, policies)
    let count = Float(max(1, mappings.count * 3))
    for (mapping, policy) in steps {
      currentEntityMapping = mapping
      try unlessCancelled { try policy.begin(mapping, with: self) }
      for object in try sourceObjects(of: mapping, policy) {
        try unlessCancelled {
          try policy.createDestinationInstances(forSource: object, in: mapping, manager: self)
        }
      }
      try unlessCancelled { try policy.endInstanceCreation(forMapping: mapping, manager: self) }
      migrationProgress += 1 / count
    }
    for (mapping, policy) in steps {
      currentEntityMapping = mapping
      let made = destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
      for object in made {
        try unlessCancelled {
          try policy.createRelationships(forDestination: object, in: mapping, manager: self)
        }
      }
      try unlessCancelled {
        try policy.endRelationshipCreation(forMapping: mapping, manager: self)
      }
      migrationProgress += 1 / count
    }
    for (mapping, policy) in steps {
      currentEntityMapping = mapping
      try unlessCancelled { try policy.performCustomValidation(forMapping: mapping, manager: self) }
      try unlessCancelled { try policy.end(mapping, manager: self) }
    }
    currentEntityMapping = nil
    try unlessCancelled { try destinationContext.save() }
  }

  /// Makes the next call of a migration, unless the migration was cancelled. Progress observers,
  /// expressions and the call itself can cancel it.
  private func unlessCancelled(_ call: () throws -> Void) throws {
    if let cancellation { throw cancellation }
    try call()
    if let cancellation { throw cancellation }
  }

  private func policy(
    of mapping: NSEntityMapping, _ state: RunState
  ) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
      return NSEntityMigrationPolicy()
    }
    guard let type = state.anyClass(named: name) as? NSEntityMigrationPolicy.Type else {
      throw failure("no migration policy class is named \(name)")
    }
    return type.init()
  }

  /// Returns the source objects with which the first pass calls the policy.
  private func sourceObjects(
    of mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy
  ) throws -> [NSManagedObject] {
    guard let name = mapping.sourceEntityName, mapping.mappingType != .removeEntityMappingType,
      mapping.mappingType != .addEntityMappingType
    else { return [] }
    guard let entity = sourceModel.entitiesByName[name] else {
      throw failure("the source model has no entity '\(name)'")
    }
    if let expression = mapping.sourceExpression {
      let value = value(of: expression, mapping, nil, policy, source: nil, destination: nil)
      return MigrationCall.objects(value)
    }
    if entity.isAbstract { return [] }
    let request = self.request(forSourceEntity: name, "TRUEPREDICATE")
    return try sourceContext.fetch(request.copied(to: NSFetchRequest<NSManagedObject>.self))
  }

  /// Returns a request for the source objects of an entity. The request excludes the objects of
  /// subentities, which have separate mappings.
  func request(
    forSourceEntity name: String, _ predicate: String
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
    request.includesSubentities = false
    request.predicate = NSPredicate(format: predicate)
    return request
  }

  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    associations.destinations(of: sources)
  }

  /// Evaluates an expression of a mapping.
  func value(
    of expression: SimulatedNSExpression, _ mapping: NSEntityMapping,
    _ property: NSPropertyMapping?,
    _ policy: NSEntityMigrationPolicy, source: NSManagedObject?, destination: NSManagedObject?
  ) -> Any? {
    var variables: [String: Any] = [
      "manager": self, "entityMapping": mapping, "entityPolicy": policy,
    ]
    variables["source"] = source
    variables["destination"] = destination
    variables["propertyMapping"] = property
    return expression.side.value(of: source, variables)
  }

  func failure(_ reason: String) -> NSError {
    RunState.current.cocoa(
      NSEntityMigrationPolicyError, "a migration policy failed", ["reason": reason])
  }

  /// Returns the value of a key path that an expression applies to the manager.
  func value(forExpressionKey key: String) -> Any? {
    switch key {
    case "sourceContext": sourceContext
    case "destinationContext": destinationContext
    case "sourceModel": sourceModel
    case "destinationModel": destinationModel
    case "mappingModel": mappingModel
    case "userInfo": userInfo
    default: misuse("an expression reads '\(key)' of a migration manager, which is not simulated")
    }
  }
}

extension NSManagedObjectContext {
  /// Creates a context for a migration, whose objects are plain managed objects.
  fileprivate convenience init(
    plainObjectsOf coordinator: NSPersistentStoreCoordinator, _ name: String
  ) {
    self.init(concurrencyType: .privateQueueConcurrencyType)
    makesPlainObjects = true
    persistentStoreCoordinator = coordinator
    self.name = name
  }
}
