import CoreData
import Foundation
import Testing

@Suite struct `A subclass of a context` {
  @Test func `a subclass can override the methods that find, change and count objects`() {
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

  @Test func `an overridden fetch determines the results of its callers`() {
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

@Suite struct `A test double` {
  @Test func `a subclass of an object ID has its own identity`() {
    live {
      let (id, other) = (FakeID(), FakeID())
      #expect(id == id && id != other)
      #expect(id.uriRepresentation().path == "/fake")
      #expect(NSManagedObjectID().uriRepresentation().scheme == "x-coredata")
    }
  }

  @Test func `an entity subclass can insert its own objects`() {
    live {
      let context = Notes.container().viewContext
      let note = FakeEntity.insertNewObject(forEntityName: "none", into: context)
      #expect(note.entity.name == "Note")
    }
  }
}

@Suite struct `Code of a test suite` {
  @Test func `a key path yields the key of a property`() {
    live {
      #expect((\Note.title as AnyKeyPath).simulatedKeyPathString == "title")
      #expect((\String.count as AnyKeyPath).simulatedKeyPathString == nil)
    }
  }

  @Test func `a class has a qualified name, and an empty predicate matches nothing`() {
    live {
      #expect(Note.description() == "CoreDataTests.Note")
      #expect(SimulatedTimer().timeInterval == 0)
      #expect(!NSPredicate().evaluate(with: "text"))
    }
  }

  @Test func `a store's file exists, and it is not a folder`() throws {
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

  @Test func `code can wait for a coordinator and name iCloud transitions`() {
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
