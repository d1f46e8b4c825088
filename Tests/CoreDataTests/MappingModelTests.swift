import CoreData
import Foundation
import Testing

/// Three versions of a model, and a mapping model from the second version to the third.
enum Catalog {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Migrations")
  static let url = URL(fileURLWithPath: "/stores/Catalog.sqlite")

  static func model(_ version: Int) throws -> NSManagedObjectModel {
    let url = folder.appendingPathComponent("Catalog.momd/Catalog \(version).mom")
    return try #require(NSManagedObjectModel(contentsOf: url))
  }

  static func mapping() throws -> NSMappingModel {
    let url = folder.appendingPathComponent("Catalog2to3.cdm")
    return try #require(NSMappingModel(contentsOf: url))
  }

  /// Returns a context of the store at `url`, which is created if it does not exist.
  static func open(
    _ model: NSManagedObjectModel, at url: URL = Catalog.url, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Writes rows to a store of the given model version, and removes the store from its coordinator.
  static func write(_ version: Int, _ rows: [[String: Any]]) throws {
    let context = try open(try model(version))
    for row in rows {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      for (key, value) in row { book.setValue(value, forKey: key) }
    }
    try context.save()
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  static func values(_ entity: String, _ key: String, _ context: NSManagedObjectContext) throws
    -> [String]
  {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .compactMap { $0.value(forKeyPath: key) as? String }.sorted()
  }
}

/// A policy that creates a writer for each author.
final class BookPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let author = sInstance.value(forKey: "author") as? String,
      let book = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { return }
    var writers = manager.userInfo as? [String: NSManagedObject] ?? [:]
    let writer =
      writers[author]
      ?? NSEntityDescription.insertNewObject(
        forEntityName: "Writer", into: manager.destinationContext)
    writer.setValue(author, forKey: "name")
    book.setValue(writer, forKey: "writer")
    writers[author] = writer
    manager.userInfo = writers
  }

  override func __called(_ selector: String, _ arguments: [Any?]) -> Any?? {
    selector == "upperCased:" ? .some((arguments.first as? String)?.uppercased()) : nil
  }
}

/// A policy that records calls of its methods.
final class NotingPolicy: NSEntityMigrationPolicy {
  private func note(_ step: String, _ manager: NSMigrationManager) {
    (manager.userInfo?["steps"] as? NSMutableArray)?.add(step)
  }
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    note("begin", manager)
  }
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    note("create", manager)
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws { note("created", manager) }
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws { note("relate", manager) }
  override func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws { note("related", manager) }
  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    note("validate", manager)
    if let error = manager.userInfo?["error"] as? NSError { throw error }
  }
  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    note("end", manager)
  }
}

@Suite struct `A mapping model` {
  private let target = URL(fileURLWithPath: "/stores/Migrated.sqlite")
  private let books: [[String: Any]] = [
    ["name": "Emma", "author": "Austen", "pages": 300],
    ["name": "Persuasion", "author": "Austen", "pages": 200], ["name": "Dracula"],
  ]

  @Test func `a mapping model is read from a compiled file`() throws {
    live {
      let mapping = try Catalog.mapping()
      #expect(mapping.entityMappings.map(\.name) == ["BookToBook", "ShelfToShelf", "Writer"])
      #expect(
        mapping.entityMappings.map(\.mappingType) == [
          .customEntityMappingType, .copyEntityMappingType, .addEntityMappingType,
        ])
      let book = try #require(mapping.entityMappingsByName["BookToBook"])
      #expect(
        book.attributeMappings?.map { $0.description } == [
          "isbn = \"unknown\"",
          "name = FUNCTION($entityPolicy, \"upperCased:\", $source.name)", "pages = $source.pages",
        ])
      #expect(try Catalog.mapping() == mapping)
      book.attributeMappings = []
      #expect(try Catalog.mapping() != mapping)
    }
  }

  @Test func `a mapping model is found by its source and destination versions`() throws {
    live {
      func found(_ old: Int, _ new: Int) throws -> NSMappingModel? {
        NSMappingModel(
          from: nil, forSourceModel: try Catalog.model(old),
          destinationModel: try Catalog.model(new),
          file: Catalog.folder.appendingPathComponent("App.swift").path)
      }
      let mapping = try Catalog.mapping()
      #expect(try found(2, 3) == mapping)
      #expect(try found(1, 3) == nil)
      #expect(try found(3, 2) == nil)
    }
  }

  @Test func `policies create the objects of a migration and relate them`() throws {
    let outcome = live {
      try Catalog.write(2, books)
      let manager = NSMigrationManager(
        sourceModel: try Catalog.model(2), destinationModel: try Catalog.model(3))
      var progress: [Float] = []
      let token = manager.observe(\.migrationProgress, options: .new) { _, change in
        progress.append(change.newValue ?? -1)
      }
      try manager.migrateStore(
        from: Catalog.url, type: .sqlite, mapping: try Catalog.mapping(), to: target, type: .sqlite)
      token.invalidate()
      #expect(progress.last == 1 && progress.count > 3 && progress == progress.sorted())
      let context = try Catalog.open(try Catalog.model(3), at: target)
      #expect(try Catalog.values("Book", "name", context) == ["DRACULA", "EMMA", "PERSUASION"])
      #expect(try Catalog.values("Book", "isbn", context) == ["unknown", "unknown", "unknown"])
      #expect(try Catalog.values("Book", "writer.name", context) == ["Austen", "Austen"])
      #expect(try Catalog.values("Writer", "name", context) == ["Austen"])
    }
    #expect(outcome.disagreement == nil && outcome.violations.isEmpty)
  }

  private func byHand(_ expression: String? = nil) -> NSMappingModel {
    let title = NSPropertyMapping()
    title.name = "name"
    title.valueExpression = SimulatedNSExpression(format: "$source.title")
    let entity = NSEntityMapping()
    entity.name = "Books"
    entity.mappingType = .customEntityMappingType
    (entity.sourceEntityName, entity.destinationEntityName) = ("Book", "Book")
    entity.attributeMappings = [title]
    entity.entityMigrationPolicyClassName = NSStringFromClass(NotingPolicy.self)
    entity.sourceExpression = expression.map { SimulatedNSExpression(format: $0) }
    let mapping = NSMappingModel()
    mapping.entityMappings = [entity]
    return mapping
  }

  private func migrate(_ mapping: NSMappingModel, _ userInfo: [AnyHashable: Any]) throws {
    let manager = NSMigrationManager(
      sourceModel: try Catalog.model(1), destinationModel: try Catalog.model(2))
    manager.userInfo = userInfo
    try manager.migrateStore(
      from: Catalog.url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
  }

  @Test func `a mapping model made in code calls its policy in three passes`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"], ["title": "Dracula"]])
      let steps = NSMutableArray()
      try migrate(byHand(), ["steps": steps])
      #expect(
        steps.compactMap { $0 as? String } == [
          "begin", "create", "create", "created", "relate", "relate", "related", "validate", "end",
        ])
      let context = try Catalog.open(try Catalog.model(2), at: target)
      #expect(try Catalog.values("Book", "name", context) == ["Dracula", "Emma"])
    }
  }

  @Test func `a mapping model selects its source objects by an expression`() throws {
    live {
      try Catalog.write(1, [["title": "Emma", "pages": 300], ["title": "Dracula", "pages": 3]])
      let request = "fetchRequestForSourceEntityNamed:predicateString:"
      let fetch =
        "FETCH(FUNCTION($manager, \"\(request)\", \"Book\", \"pages > 100\"), "
        + "$manager.sourceContext, NO)"
      try migrate(byHand(fetch), [:])
      let context = try Catalog.open(try Catalog.model(2), at: target)
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `a policy's error leaves the store unchanged and creates no file`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let error = #expect(throws: NSError.self) {
        try migrate(byHand(), ["error": NSError(domain: "Refused", code: 7)])
      }
      #expect(error?.domain == "Refused")
      #expect(!SimulatedFiles.exist(at: target.path, .default))
      let context = try Catalog.open(try Catalog.model(1))
      #expect(try Catalog.values("Book", "title", context) == ["Emma"])
    }
  }

  @Test func `an inferred mapping model describes its changes`() throws {
    live {
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: try Catalog.model(1), destinationModel: try Catalog.model(2))
      #expect(
        mapping.entityMappings.map(\.name) == ["IEM_Transform_Book", "IEM_Add_Shelf"])
      let info = mapping.entityMappings[0].userInfo
      #expect(info?["mappedProperties"] as? Set<String> == ["author", "name", "pages"])
      #expect(info?["addedProperties"] as? Set<String> == ["isbn", "shelf"])
      #expect(info?["removedProperties"] as? Set<String> == [])
      let back = try NSMappingModel.inferredMappingModel(
        forSourceModel: try Catalog.model(2), destinationModel: try Catalog.model(1))
      #expect(back.entityMappings.map(\.mappingType).contains(.removeEntityMappingType))
    }
  }

  @Test func `a store opens with an inferred mapping that follows renaming identifiers`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      // The identifier in the model file leads to the renamed attribute.
      let context = try Catalog.open(
        try Catalog.model(2),
        [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `a changed inferred mapping model is applied with its changes`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: try Catalog.model(1), destinationModel: try Catalog.model(2))
      let name = mapping.entityMappings[0].attributeMappings?.first { $0.name == "name" }
      name?.valueExpression = SimulatedNSExpression(format: "'Changed'")
      try migrate(mapping, [:])
      let context = try Catalog.open(try Catalog.model(2), at: target)
      #expect(try Catalog.values("Book", "name", context) == ["Changed"])
    }
  }

  @Test func `a cancellation stops the migration before the policy's next pass`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let steps = NSMutableArray()
      let manager = NSMigrationManager(
        sourceModel: try Catalog.model(1), destinationModel: try Catalog.model(2))
      manager.userInfo = ["steps": steps]
      let token = manager.observe(\.migrationProgress) { manager, _ in
        if manager.migrationProgress > 0 {
          manager.cancelMigrationWithError(NSError(domain: "Cancelled", code: 1))
        }
      }
      let error = #expect(throws: NSError.self) {
        try manager.migrateStore(
          from: Catalog.url, type: .sqlite, mapping: byHand(), to: target, type: .sqlite)
      }
      token.invalidate()
      #expect(error?.domain == "Cancelled")
      #expect(steps.compactMap { $0 as? String } == ["begin", "create", "created"])
    }
  }

  @Test func `a migration by an inferred mapping model can be cancelled`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let manager = NSMigrationManager(
        sourceModel: try Catalog.model(1), destinationModel: try Catalog.model(2))
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel)
      let token = manager.observe(\.migrationProgress) { manager, _ in
        manager.cancelMigrationWithError(NSError(domain: "Cancelled", code: 1))
      }
      let error = #expect(throws: NSError.self) {
        try manager.migrateStore(
          from: Catalog.url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
      }
      token.invalidate()
      #expect(error?.domain == "Cancelled")
      #expect(!SimulatedFiles.exist(at: target.path, .default))
      // The cancellation does not affect the next migration.
      try manager.migrateStore(
        from: Catalog.url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
      let context = try Catalog.open(try Catalog.model(2), at: target)
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `an expression's arguments must have the types of the method's parameters`() async {
    let note: [Any?] = ["text", [1, 2], nil]
    #expect((simulatedArgument(note, 0) as String) == "text")
    #expect((simulatedArgument(note, 2) as String?) == nil)
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulatedArgument(["text"], 0) as NSSet
    }
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = simulatedArgument([[1, 2]], 0) as Set<NSManagedObject>
    }
    for result in [list, objects] {
      let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
      #expect(text.contains("an expression passes"))
    }
  }
}
