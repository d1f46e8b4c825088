import CoreData
import Foundation
import Testing

@Suite struct `Persistent history` {
  @Test func `the history after a token has the transactions of other contexts to merge`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      let coordinator = container.persistentStoreCoordinator
      let note = Note(context: view)
      view.transactionAuthor = "app"
      try view.save()
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      let sync = container.newBackgroundContext()
      (sync.transactionAuthor, sync.name) = ("server", "sync")
      try sync.performAndWait {
        (sync.object(with: note.objectID) as? Note)?.title = "theirs"
        try sync.save()
      }
      // Archive the token, as an app does to continue after its next launch.
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: try #require(token), requiringSecureCoding: true)
      let restored = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: NSPersistentHistoryToken.self, from: archive)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: restored)
      let result = try view.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["server"])
      #expect(transactions.map(\.contextName) == ["sync"])
      #expect(transactions.first?.changes?.map(\.changeType) == [.update])
      #expect(transactions.first?.changes?.first?.changedObjectID == note.objectID)
      #expect(note.title == nil)
      for transaction in transactions {
        view.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      #expect(note.title == "theirs")
      let all = NSPersistentHistoryChangeRequest.fetchHistory(after: nil)
      all.resultType = .count
      #expect((try view.execute(all) as? NSPersistentHistoryResult)?.result as? Int == 2)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `the history of a child's batch request names the root context's author`() {
    live {
      let container = Notes.container()
      let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      child.parent = container.viewContext
      (container.viewContext.transactionAuthor, child.transactionAuthor) = ("app", "editor")
      _ = try child.execute(NSBatchInsertRequest(entityName: "Note", objects: [["title": "a"]]))
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil)
      let result = try container.viewContext.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["app"])
    }
  }

  @Test func `a remote change is announced off the main thread after each save to a store`() {
    let log = EventLog()
    let outcome = live {
      let container = Notes.container()
      SimulatedNotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator,
        queue: nil
      ) { notification in
        let token = notification.userInfo?[NSPersistentHistoryTokenKey]
        log.note(token is NSPersistentHistoryToken ? "\(SimulatedThread.isMainThread)" : "no token")
      }
      let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      editor.parent = container.viewContext
      _ = Note(context: editor)
      try editor.save()
      SimulatedMainLoop.run(milliseconds: 10)
      log.note("saved to the parent")
      try container.viewContext.save()
      SimulatedMainLoop.run(milliseconds: 10)
    }
    #expect(log.events == ["saved to the parent", "false"])
    #expect(outcome.disagreement == nil)
  }

  @Test func `the history is deleted up to a token`() {
    live {
      let view = Notes.container().viewContext
      func count() throws -> Int? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = .count
        return (try view.execute(request) as? NSPersistentHistoryResult)?.result as? Int
      }
      var token: NSPersistentHistoryToken?
      for number in 0..<3 {
        Note(context: view).views = Int64(number)
        try view.save()
        if number == 1 {
          token = view.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        }
      }
      // A save without changes adds no transaction.
      try view.save()
      #expect(try count() == 3)
      try view.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
      #expect(try count() == 1)
      let later = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      #expect(
        ((try view.execute(later) as? NSPersistentHistoryResult)?.result
          as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber) == [3])
    }
  }

  @Test func `a fetch request selects transactions or the IDs of changed objects`() {
    live {
      let view = Notes.container().viewContext
      view.transactionAuthor = "app"
      let note = Note(context: view)
      try view.save()
      view.transactionAuthor = "widget"
      note.title = "changed"
      try view.save()
      let fetch = NSFetchRequest<any NSFetchRequestResult>()
      fetch.entity = NSPersistentHistoryTransaction.entityDescription(with: view)
      fetch.predicate = NSPredicate(format: "author != %@", "app")
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      let answer = try view.execute(request) as? NSPersistentHistoryResult
      let found = answer?.result as? [NSPersistentHistoryTransaction]
      #expect(found?.map(\.author) == ["widget"])
      request.resultType = .objectIDs
      let ids = try view.execute(request) as? NSPersistentHistoryResult
      #expect(ids?.result as? [NSManagedObjectID] == [note.objectID])
      let coordinator = try #require(view.persistentStoreCoordinator)
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      #expect(token == found?.last?.token && token?.isEqual(nil) == false)
    }
  }

  @Test func `a remote change is announced to each coordinator that has the store`() {
    let log = EventLog()
    live {
      let containers = (0..<2).map { _ in Notes.container() }
      for (number, container) in containers.enumerated() {
        SimulatedNotificationCenter.default.addObserver(
          forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator,
          queue: nil
        ) { notification in
          let url = notification.userInfo?[NSPersistentStoreURLKey] as? URL
          log.note("\(number) \(url?.lastPathComponent ?? "")")
        }
      }
      _ = Note(context: containers[1].viewContext)
      try containers[1].viewContext.save()
      SimulatedMainLoop.run(milliseconds: 10)
    }
    #expect(log.events == ["0 Notes.sqlite", "1 Notes.sqlite"])
  }
}
