import CoreData
import Foundation
import Testing

@Suite struct `App-defined store metadata` {
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

  @Test func `metadata is written by the next save, and stays in the store`() {
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

  @Test func `metadata set by the app keeps Core Data's own entries`() {
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

  @Test func `metadata is lost if the store is removed before a save`() {
    let outcome = live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let store = try open(coordinator)
      try set(3, coordinator)
      try coordinator.remove(store)
      #expect(try coordinator.metadata(for: open(coordinator))["number"] == nil)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `metadata that is set at a URL is written at once`() {
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
