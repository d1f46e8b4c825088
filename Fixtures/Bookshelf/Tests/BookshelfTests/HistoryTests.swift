import Bookshelf
import CoreData
import Foundation
import Testing

/// An app and its widget: two containers on one file.
@Suite("Two processes on one store") struct SharedStoreTests {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("Shared.sqlite")

  @Test func changesOfTheWidgetReachTheApp() async throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let widget = PersistenceController(inMemory: false, url: url, author: "widget")
    let view = app.container.viewContext
    let start = app.container.persistentStoreCoordinator.currentPersistentHistoryToken(
      fromStores: nil)
    let id = try await widget.container.performBackgroundTask { context in
      context.transactionAuthor = "widget"
      let book = Book(context: context)
      book.title = "from the widget"
      try context.save()
      return book.objectID.uriRepresentation()
    }
    let history = NSPersistentHistoryChangeRequest.fetchHistory(after: start)
    if let fetch = NSPersistentHistoryTransaction.fetchRequest {
      fetch.predicate = NSPredicate(
        format: "%K != %@", #keyPath(NSPersistentHistoryTransaction.author), "app")
      history.fetchRequest = fetch
    }
    let transactions = try await view.perform { () -> [NSPersistentHistoryTransaction] in
      let result = try view.execute(history) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
    #expect(transactions.map(\.author) == ["widget"])
    #expect(transactions.first?.changes?.first?.changeType == .insert)
    await view.perform {
      for transaction in transactions {
        view.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      let mapped = app.container.persistentStoreCoordinator.managedObjectID(
        forURIRepresentation: id)
      #expect((mapped.map { view.object(with: $0) } as? Book)?.title == "from the widget")
    }
  }

  @Test func remoteChangesAreAnnounced() async throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let other = PersistenceController(inMemory: false, url: url, author: "extension")
    try await confirmation("remote change", expectedCount: 1...) { confirm in
      let token = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: app.container.persistentStoreCoordinator,
        queue: nil
      ) { notification in
        if notification.userInfo?[NSPersistentStoreURLKey] as? URL == url,
          notification.userInfo?[NSStoreUUIDKey] is String
        {
          confirm()
        }
      }
      try await other.container.performBackgroundTask { context in
        _ = Tag(context: context)
        try context.save()
      }
      try await Task.sleep(for: .milliseconds(200))
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test func historyIsPurgedByDate() async throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let view = app.container.viewContext
    try await view.perform {
      for number in 0..<3 {
        Book(context: view).title = "\(number)"
        try view.save()
      }
      let all = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      all.resultType = .transactionsOnly
      let found =
        (try view.execute(all) as? NSPersistentHistoryResult)?.result
        as? [NSPersistentHistoryTransaction]
      #expect(found?.count == 3)
      #expect(found?.allSatisfy { $0.changes == nil } == true)
      #expect(found?.map(\.transactionNumber) == [1, 2, 3])
      let purge = NSPersistentHistoryChangeRequest.deleteHistory(
        before: Date().addingTimeInterval(60))
      try view.execute(purge)
      all.resultType = .changesOnly
      let left =
        (try view.execute(all) as? NSPersistentHistoryResult)?.result
        as? [NSPersistentHistoryChange]
      #expect(left?.isEmpty == true)
    }
  }

  @Test func tombstonesAndUpdatedProperties() async throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let view = app.container.viewContext
    try await view.perform {
      let book = Book(context: view)
      book.title = "t"
      try view.save()
      book.pages = 3
      try view.save()
      view.delete(book)
      try view.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let all =
        (try view.execute(request) as? NSPersistentHistoryResult)?.result
        as? [NSPersistentHistoryTransaction]
      let changes = all?.compactMap(\.changes).flatMap { $0 } ?? []
      #expect(changes.map(\.changeType) == [.insert, .update, .delete])
      #expect(changes[1].updatedProperties?.map(\.name) == ["pages"])
      #expect(changes[2].changedObjectID.entity.name == "Book")
      #expect(
        all?[1].storeID == view.persistentStoreCoordinator?.persistentStores.first?.identifier)
    }
  }

  @Test func aStoreIsDestroyedAndMadeAnew() async throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let view = app.container.viewContext
    let coordinator = app.container.persistentStoreCoordinator
    try await view.perform {
      _ = Tag(context: view)
      try view.save()
      view.reset()
      let store = try #require(coordinator.persistentStores.first)
      let type = NSPersistentStore.StoreType(rawValue: store.type)
      try coordinator.remove(store)
      #expect(coordinator.persistentStores.isEmpty)
      try coordinator.destroyPersistentStore(at: url, type: type, options: nil)
      _ = try coordinator.addPersistentStore(type: type, at: url)
      #expect(try view.count(for: Tag.fetchRequest()) == 0)
    }
  }

  @Test func metadataOfAFileWithoutOpeningIt() throws {
    let app = PersistenceController(inMemory: false, url: url, author: "app")
    let coordinator = app.container.persistentStoreCoordinator
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    #expect(
      PersistenceController.model.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(metadata[NSStoreModelVersionIdentifiersKey] as? [String] == ["v1"])
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(
      hashes?.keys.sorted() == PersistenceController.model.entityVersionHashesByName.keys.sorted())
    #expect(coordinator.persistentStore(for: url) === coordinator.persistentStores.first)
    #expect(coordinator.url(for: coordinator.persistentStores[0]) == url)
  }
}
