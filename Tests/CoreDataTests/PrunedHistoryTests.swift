import CoreData
import Foundation
import Testing

@Suite struct `Pruned history` {
  private func transactions(
    _ context: NSManagedObjectContext, _ request: NSPersistentHistoryChangeRequest? = nil
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = request ?? .fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  private func context(of authors: [String]) throws -> NSManagedObjectContext {
    let view = Notes.container().viewContext
    for author in authors {
      view.transactionAuthor = author
      _ = Note(context: view)
      try view.save()
    }
    return view
  }

  @Test func `pruned history keeps a transaction of exactly the given date`() {
    live {
      let view = try context(of: ["a", "b", "c"])
      let date = try transactions(view)[1].timestamp
      try view.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
      #expect(try transactions(view).map(\.author) == ["b", "c"])
    }
  }

  @Test func `a deletion removes only transactions that its fetch request finds`() {
    live {
      let view = try context(of: ["app", "sync", "app", "sync"])
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
      request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
      request.fetchRequest?.predicate = NSPredicate(format: "author == %@", "sync")
      try view.execute(request)
      #expect(try transactions(view).map(\.author) == ["app", "app"])
    }
  }

  @Test func `a history fetch refuses a predicate on a token`() {
    live {
      let view = try context(of: ["app"])
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.predicate = NSPredicate(format: "token > %@", try transactions(view)[0].token)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      #expect(throws: NSError.self) { try view.execute(request) }
    }
  }

  @Test(arguments: [true, false])
  func `a DidSave notification has a history token if the store tracks history`(tracks: Bool) {
    let log = EventLog()
    live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/stores/a"),
        options: [NSPersistentHistoryTrackingKey: NSNumber(value: tracks)])
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { notification in
        let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
        let current = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let key = NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
        let generation = notification.userInfo?[key]
        log.note("\(token == current) \(generation is NSQueryGenerationToken)")
      }
      _ = Note(context: context)
      try context.save()
    }
    #expect(log.events == ["\(tracks) true"])
  }

  @Test func `a batch request affects only the stores that it names`() {
    let outcome = live {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
      let stores = try ["a", "b"].map { name in
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil,
          at: URL(fileURLWithPath: "/stores/\(name)"))
      }
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let insert = NSBatchInsertRequest(entityName: "Note", objects: [["title": "x"]])
      (insert.affectedStores, insert.resultType) = ([stores[1]], .objectIDs)
      let result = try context.execute(insert) as? NSBatchInsertResult
      let ids = result?.result as? [NSManagedObjectID] ?? []
      #expect(ids.map(\.persistentStore) == [stores[1]])
      let update = NSBatchUpdateRequest(entityName: "Note")
      (update.affectedStores, update.propertiesToUpdate) = ([stores[0]], ["title": "y"])
      update.resultType = .updatedObjectsCountResultType
      #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 0)
    }
    #expect(outcome.disagreement == nil)
  }
}
