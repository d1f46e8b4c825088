import CoreData
import Foundation
import Testing

@Suite struct `Metadata that code sets` {
  private let url = URL(fileURLWithPath: "/stores/Notes.sqlite")

  private func open(_ coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
  }

  private func set(_ number: Int, _ coordinator: NSPersistentStoreCoordinator) throws {
    let store = try #require(coordinator.persistentStores.first)
    var metadata = coordinator.metadata(for: store)
    metadata["number"] = number
    coordinator.setMetadata(metadata, for: store)
  }

  private func written() throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url)
  }

  @Test func `is in the store after the next save, and stays`() {
    let outcome = live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let store = try open(coordinator)
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try set(3, coordinator)
      #expect(coordinator.metadata(for: store)["number"] as? Int == 3)
      #expect(try written()["number"] == nil)
      try context.save()
      #expect(try written()["number"] as? Int == 3)
      #expect(try written()[NSStoreUUIDKey] as? String == store.identifier)
      try coordinator.remove(store)
      #expect(try coordinator.metadata(for: open(coordinator))["number"] as? Int == 3)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `leaves the store what Core Data knows of it`() {
    live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let store = try open(coordinator)
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      coordinator.setMetadata(["number": 3], for: store)
      try context.save()
      #expect(try written()["number"] as? Int == 3)
      #expect(try written()[NSStoreUUIDKey] as? String == store.identifier)
      #expect(try written()[NSStoreModelVersionHashesKey] != nil)
    }
  }

  @Test func `is lost with a store that is closed before a save`() {
    let outcome = live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let store = try open(coordinator)
      try set(3, coordinator)
      try coordinator.remove(store)
      #expect(try coordinator.metadata(for: open(coordinator))["number"] == nil)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `at a URL is written at once`() {
    live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      try coordinator.remove(open(coordinator))
      var metadata = try written()
      metadata["number"] = 5
      try NSPersistentStoreCoordinator.setMetadata(
        metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
      #expect(try written()["number"] as? Int == 5)
    }
  }
}
