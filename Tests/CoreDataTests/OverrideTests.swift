import CoreData
import Foundation
import Testing

@Suite struct `A subclass of a context` {
  @Test func `overrides what finds, changes and counts objects`() {
    live {
      let log = EventLog()
      let context = LoggingContext(concurrencyType: .mainQueueConcurrencyType)
      context.log = log
      context.persistentStoreCoordinator = Notes.container().persistentStoreCoordinator
      let note = Note(context: context)
      try context.obtainPermanentIDs(for: [note])
      _ = context.object(with: note.objectID)
      _ = try context.existingObject(with: note.objectID)
      context.refresh(note, mergeChanges: true)
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
      #expect(try context.fetch(NSFetchRequest<Note>(entityName: "Note")) == [note])
      context.delete(note)
      try context.save()
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = ["views": 1]
      _ = try context.execute(request)
      #expect(
        log.events == [
          "obtain", "object", "existing", "refresh", "count", "fetch", "delete", "execute",
        ])
    }
  }

  @Test func `answers a fetch for its callers`() {
    live {
      let context = EmptyContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = Notes.container().persistentStoreCoordinator
      _ = Note(context: context)
      let (notes, count) = try (
        context.fetch(NSFetchRequest<Note>(entityName: "Note")),
        context.count(for: NSFetchRequest<Note>(entityName: "Note"))
      )
      #expect(notes.isEmpty && count == 7)
    }
  }
}

@Suite struct `A double of a test` {
  @Test func `is an ID of its own`() {
    live {
      let (id, other) = (FakeID(), FakeID())
      #expect(id == id && id != other)
      #expect(id.uriRepresentation().path == "/fake")
      #expect(NSManagedObjectID().uriRepresentation().scheme == "x-coredata")
    }
  }

  @Test func `inserts the objects of an entity`() {
    live {
      let context = Notes.container().viewContext
      let note = FakeEntity.insertNewObject(forEntityName: "none", into: context)
      #expect(note.entity.name == "Note")
    }
  }
}

@Suite struct `Code of a suite` {
  @Test func `asks a key path for the key that it reads`() {
    live {
      #expect((\Note.title as AnyKeyPath).simulatedKeyPathString == "title")
      #expect((\String.count as AnyKeyPath).simulatedKeyPathString == nil)
    }
  }

  @Test func `names a class, and begins with a timer and a predicate of no effect`() {
    live {
      #expect(Note.description() == "CoreDataTests.Note")
      #expect(SimulatedTimer().timeInterval == 0)
      #expect(!NSPredicate().evaluate(with: "text"))
    }
  }

  @Test func `finds the file of a store, which is no folder`() throws {
    live {
      let container = Notes.container()
      let path = try #require(container.persistentStoreDescriptions.first?.url?.path)
      var isFolder: ObjCBool = true
      #expect(unsafe SimulatedFiles.exist(at: path, &isFolder, .default))
      #expect(!isFolder.boolValue)
      #expect(unsafe SimulatedFiles.exist(at: "/tmp", &isFolder, .default) && isFolder.boolValue)
      #expect(unsafe !SimulatedFiles.exist(at: path + "-none", nil, .default))
    }
  }

  @Test func `may wait for a coordinator, and name the stores of iCloud`() {
    live {
      let coordinator = Notes.container().persistentStoreCoordinator
      let wait: (() -> Void) -> Void = coordinator.performAndWait
      var isDone = false
      wait { isDone = true }
      #expect(isDone)
      #expect(NSPersistentStoreUbiquitousTransitionType.initialImportCompleted.rawValue == 4)
      simulatedOSLog("%@" as StaticString, log: .default, type: .info, "text")
    }
  }
}

private final class FakeID: NSManagedObjectID, @unchecked Sendable {
  override func uriRepresentation() -> URL { URL(fileURLWithPath: "/fake") }
}

private final class FakeEntity: NSEntityDescription, @unchecked Sendable {
  override class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    Note(context: context)
  }
}

private final class EmptyContext: NSManagedObjectContext, @unchecked Sendable {
  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { [] }
  override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { 7 }
}

private final class LoggingContext: NSManagedObjectContext, @unchecked Sendable {
  var log = EventLog()

  override func delete(_ object: NSManagedObject) {
    log.note("delete")
    super.delete(object)
  }
  override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    log.note("refresh")
    super.refresh(object, mergeChanges: flag)
  }
  override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    log.note("object")
    return super.object(with: objectID)
  }
  override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    log.note("existing")
    return try super.existingObject(with: objectID)
  }
  override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    log.note("obtain")
    try super.obtainPermanentIDs(for: objects)
  }
  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    log.note("fetch")
    return try super.fetch(request)
  }
  override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    log.note("count")
    return try super.count(for: request)
  }
  override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    log.note("execute")
    return try super.execute(request)
  }
}
