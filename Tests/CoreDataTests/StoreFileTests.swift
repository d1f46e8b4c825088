import CoreData
import Foundation
import Testing

@Suite struct `A store's file` {
  private func coordinator() -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test func `a read-only store is read, and refuses each write`() {
    let outcome = live {
      let url = URL(fileURLWithPath: "/stores/Notes.sqlite")
      let writing = coordinator()
      let store = try writing.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let writer = context(writing)
      Note(context: writer).title = "shipped"
      try writer.save()
      try writing.remove(store)
      let reading = coordinator()
      let closed = try reading.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSReadOnlyPersistentStoreOption: true])
      #expect(closed.isReadOnly)
      let reader = context(reading)
      let note = try #require(try reader.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
      #expect(note.title == "shipped")
      try reader.save()
      note.title = "changed"
      let error = #expect(throws: CocoaError.self) { try reader.save() }
      #expect(error?.code == .fileWriteNoPermission)
      #expect(reader.hasChanges)
      let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      child.parent = reader
      Note(context: child).title = "new"
      try child.save()
      #expect(throws: CocoaError.self) { try reader.save() }
      reader.rollback()
      let batch = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Note"))
      #expect(throws: CocoaError.self) { try reader.execute(batch) }
      #expect(try reader.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a missing file cannot be opened as a read-only store`() {
    live {
      let error = #expect(throws: CocoaError.self) {
        try coordinator().addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil,
          at: URL(fileURLWithPath: "/stores/None.sqlite"),
          options: [NSReadOnlyPersistentStoreOption: true])
      }
      #expect(error?.code == .fileReadNoSuchFile)
    }
  }

  @Test func `a damaged file cannot be opened as a store`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Notes.sqlite")
    try Data("no database".utf8).write(to: url)
    live {
      let error = #expect(throws: CocoaError.self) {
        try coordinator().addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      }
      #expect(error?.code == .fileReadCorruptFile)
      #expect(throws: CocoaError.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSSQLiteStoreType, at: url)
      }
      // Remove the file, as an app does, and create a new store.
      try SimulatedFiles.remove(url.path, .default)
      #expect(throws: Never.self) {
        try coordinator().addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      }
    }
  }

  @Test func `a SQLite store cannot be opened as another type`() {
    live {
      let url = URL(fileURLWithPath: "/stores/Notes.store")
      try coordinator().addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let error = #expect(throws: CocoaError.self) {
        try coordinator().addPersistentStore(
          ofType: NSBinaryStoreType, configurationName: nil, at: url)
      }
      #expect(error?.code == .persistentStoreTypeMismatch)
    }
  }

  @Test func `a backup replaces a store`() {
    live {
      let (backup, url) = (
        URL(fileURLWithPath: "/stores/Backup.sqlite"), URL(fileURLWithPath: "/stores/Notes.sqlite")
      )
      let first = coordinator()
      try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let writer = context(first)
      Note(context: writer).title = "kept"
      try writer.save()
      try first.replacePersistentStore(at: backup, withPersistentStoreFrom: url, type: .sqlite)
      Note(context: writer).title = "lost"
      try writer.save()
      try first.destroyPersistentStore(at: url, type: .sqlite)
      try first.replacePersistentStore(at: url, withPersistentStoreFrom: backup, type: .sqlite)
      try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let request = NSFetchRequest<Note>(entityName: "Note")
      let reader = context(first)
      #expect(try reader.fetch(request).map(\.title) == ["kept"])
      let error = #expect(throws: CocoaError.self) {
        try first.replacePersistentStore(
          at: url, withPersistentStoreFrom: URL(fileURLWithPath: "/stores/None.sqlite"),
          type: .sqlite)
      }
      #expect(error?.code == .fileReadNoSuchFile)
    }
  }

  @Test func `the file of a closed store is copied and moved like other files`() {
    let outcome = live {
      let (url, copy, moved) = (
        URL(fileURLWithPath: "/stores/Notes.sqlite"), URL(fileURLWithPath: "/stores/Copy.sqlite"),
        URL(fileURLWithPath: "/stores/Moved.sqlite")
      )
      let first = coordinator()
      let store = try first.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let writer = context(first)
      Note(context: writer).title = "kept"
      try writer.save()
      try first.remove(store)
      for suffix in ["", "-wal", "-shm"] {
        try SimulatedFiles.copy(url.path + suffix, to: copy.path + suffix, .default)
      }
      #expect(throws: CocoaError.self) {
        try SimulatedFiles.copy(url.path, to: copy.path, .default)
      }
      try SimulatedFiles.move(url.path, to: moved.path, .default)
      #expect(!SimulatedFiles.exist(at: url.path, .default))
      for place in [copy, moved] {
        let reading = coordinator()
        try reading.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: place)
        let reader = context(reading)
        let notes = try reader.fetch(NSFetchRequest<Note>(entityName: "Note"))
        withExtendedLifetime(reader) { #expect(notes.map(\.title) == ["kept"]) }
      }
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a store of an unknown type or configuration cannot be added`() {
    live {
      let type = #expect(throws: CocoaError.self) {
        try coordinator().addPersistentStore(
          ofType: "Unheard", configurationName: nil, at: nil)
      }
      #expect(type?.code == .persistentStoreInvalidType)
      let configuration = #expect(throws: NSError.self) {
        try coordinator().addPersistentStore(
          ofType: NSInMemoryStoreType, configurationName: "None", at: nil)
      }
      #expect(configuration?.code == NSCoreDataError)
    }
  }

  @Test func `a store description keeps its properties as store options`() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a.sqlite"))
    #expect(description.options.count == 2 && description.timeout == 240)
    #expect(description.shouldMigrateStoreAutomatically)
    description.shouldInferMappingModelAutomatically = false
    description.timeout = 10
    description.isReadOnly = true
    #expect(
      description.options[NSInferMappingModelAutomaticallyOption] == NSNumber(value: false))
    #expect(description.options[NSPersistentStoreTimeoutOption] == NSNumber(value: 10))
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy == description && copy.isReadOnly)
    copy.isReadOnly = false
    #expect(copy != description)
  }
}
