import CoreData
import Foundation
import Testing

/// An observer that records each progress value of a migration.
private final class ProgressObserver: NSObject, SimulatedKeyValueObserver {
  private(set) var values: [Float] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    values.append(change?[.newKey] as? Float ?? -1)
  }
}

@Suite struct `A migration` {
  private let url = URL(fileURLWithPath: "/stores/Notes.sqlite")

  /// Saves a note with tags, and closes the store.
  private func makeStore(title: String? = "kept") throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let note = Note(context: context)
    (note.title, note.views) = (title, 7)
    for label in ["red", "blue"] {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(label, forKey: "label")
      tag.setValue(note, forKey: "note")
    }
    try context.save()
    try coordinator.remove(store)
  }

  /// Returns a model whose notes have a renamed title, pages, and no views.
  private func changedModel() -> NSManagedObjectModel {
    let model = Notes.model()
    let note = model.entities[0]
    let pages = NSAttributeDescription()
    (pages.name, pages.type, pages.isOptional, pages.defaultValue) = ("pages", .integer32, false, 3)
    note.properties.removeAll { $0.name == "views" }
    note.properties.append(pages)
    if let title = note.attributesByName["title"] {
      (title.name, title.renamingIdentifier) = ("heading", "title")
    }
    return model
  }

  private let automatic: [AnyHashable: Any] = [
    NSMigratePersistentStoresAutomaticallyOption: true,
    NSInferMappingModelAutomaticallyOption: true,
  ]

  private func open(
    _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test func `a migration keeps renamed values and relationships, and adds default values`() {
    let outcome = live {
      try makeStore()
      let old = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: url)
      let model = changedModel()
      #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: old))
      let context = try open(model, automatic)
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(notes.map { $0.value(forKey: "heading") as? String } == ["kept"])
      #expect(notes.map { $0.value(forKey: "pages") as? Int } == [3])
      let tags = notes.first?.value(forKey: "tags") as? Set<NSManagedObject>
      #expect(
        Set(tags?.compactMap { $0.value(forKey: "label") as? String } ?? []) == ["red", "blue"])
      let new = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: url)
      #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: new))
      #expect(new[NSStoreUUIDKey] as? String == old[NSStoreUUIDKey] as? String)
    }
    #expect(outcome.disagreement == nil && outcome.violations.isEmpty)
  }

  @Test func `a model that lacks an entity of the store is not compatible with it`() {
    live {
      try makeStore()
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: url)
      let model = Notes.model()
      #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
      let more = NSEntityDescription()
      more.name = "More"
      var hashes = model.entityVersionHashesByName
      hashes["More"] = more.versionHash
      var changed = metadata
      changed[NSStoreModelVersionHashesKey] = hashes
      #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: changed))
    }
  }

  @Test func `a store refuses a changed model without both migration options`() {
    live {
      try makeStore()
      let refused = #expect(throws: CocoaError.self) { try open(changedModel(), nil) }
      #expect(refused?.code == .persistentStoreIncompatibleVersionHash)
      let unmapped = #expect(throws: CocoaError.self) {
        try open(changedModel(), [NSMigratePersistentStoresAutomaticallyOption: true])
      }
      #expect(unmapped?.code == .migrationMissingMappingModel)
    }
  }

  @Test func `a mapping model cannot be inferred if an attribute's type changes`() {
    live {
      try makeStore()
      let model = Notes.model()
      let views = model.entities[0].attributesByName["views"]
      views?.defaultValue = nil
      views?.type = .string
      let error = #expect(throws: CocoaError.self) { try open(model, automatic) }
      #expect(error?.code == .migrationMissingMappingModel)
      let inferred = #expect(throws: CocoaError.self) {
        try NSMappingModel.inferredMappingModel(
          forSourceModel: Notes.model(), destinationModel: model)
      }
      #expect(inferred?.code == .inferredMappingModel)
    }
  }

  @Test func `a migration fails for a missing required value, and keeps the store unchanged`() {
    live {
      try makeStore(title: nil)
      let model = Notes.model()
      model.entities[0].attributesByName["title"]?.isOptional = false
      let error = #expect(throws: CocoaError.self) { try open(model, automatic) }
      #expect(error?.code == .migration)
      let context = try open(Notes.model(), nil)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 1)
    }
  }

  @Test func `a migration manager writes the migrated rows to another file`() {
    live {
      try makeStore()
      let model = changedModel()
      let manager = NSMigrationManager(sourceModel: Notes.model(), destinationModel: model)
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: manager.sourceModel, destinationModel: model)
      let target = URL(fileURLWithPath: "/stores/New.sqlite")
      let observer = ProgressObserver()
      unsafe manager.addObserver(
        observer, forKeyPath: "migrationProgress", options: [.new, .initial], context: nil)
      try manager.migrateStore(
        from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: target,
        destinationType: NSSQLiteStoreType)
      #expect(manager.migrationProgress == 1)
      #expect(observer.values.first == 0 && observer.values.last == 1)
      manager.removeObserver(observer, forKeyPath: "migrationProgress")
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.replacePersistentStore(
        at: url, withPersistentStoreFrom: target, ofType: NSSQLiteStoreType)
      try coordinator.destroyPersistentStore(at: target, ofType: NSSQLiteStoreType)
      let context = try open(model, nil)
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(notes.map { $0.value(forKey: "heading") as? String } == ["kept"])
    }
  }

  @Test func `a store that is moved to another place or type keeps its rows`() {
    let outcome = live {
      let container = Notes.container()
      let context = container.viewContext
      Note(context: context).title = "moved"
      try context.save()
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(coordinator.persistentStores.first)
      let target = URL(fileURLWithPath: "/stores/Moved.sqlite")
      let moved = try coordinator.migratePersistentStore(store, to: target, type: .sqlite)
      #expect(coordinator.persistentStores == [moved] && moved.url == target)
      context.reset()
      let request = NSFetchRequest<Note>(entityName: "Note")
      #expect(try context.fetch(request).map(\.title) == ["moved"])
      #expect(try context.fetch(request).first?.objectID.persistentStore === moved)
      let memory = try coordinator.migratePersistentStore(
        moved, to: target, withType: NSInMemoryStoreType)
      #expect(memory.type == NSInMemoryStoreType)
      context.reset()
      #expect(try context.fetch(request).map(\.title) == ["moved"])
    }
    #expect(outcome.disagreement == nil && outcome.violations.isEmpty)
  }
}
