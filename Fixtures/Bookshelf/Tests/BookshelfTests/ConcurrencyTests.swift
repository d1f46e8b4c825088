import Bookshelf
import CoreData
import Foundation
import Testing

/// As apps wrap Core Data for Swift concurrency.
actor BookStore {
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  init(_ container: NSPersistentContainer) {
    self.container = container
    context = container.newBackgroundContext()
    context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  }

  func add(_ title: String) async throws -> NSManagedObjectID {
    try await context.perform { [context] in
      let book = Book(context: context)
      book.title = title
      try context.save()
      return book.objectID
    }
  }

  func titles() async throws -> [String] {
    try await context.perform { [context] in
      let request = Book.fetchRequest() as NSFetchRequest<Book>
      request.sortDescriptors = [NSSortDescriptor(\Book.title, order: .forward)].compactMap { $0 }
      return try context.fetch(request).compactMap(\.title)
    }
  }
}

extension NSSortDescriptor {
  fileprivate convenience init<Value>(_ keyPath: KeyPath<Book, Value>, order: Foundation.SortOrder)
  {
    self.init(keyPath: keyPath, ascending: order == .forward)
  }
}

@Suite struct ConcurrencyTests {
  let controller = PersistenceController()

  @Test func anActorAddsBooks() async throws {
    let store = BookStore(controller.container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for title in ["b", "a", "c"] {
        group.addTask { _ = try await store.add(title) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.titles() == ["a", "b", "c"])
  }

  @Test @MainActor func theViewContextMergesBackgroundChanges() async throws {
    let view = controller.container.viewContext
    let book = Book(context: view)
    book.title = "first"
    try view.save()
    let id = book.objectID
    try await controller.container.performBackgroundTask { context in
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      (context.object(with: id) as? Book)?.title = "second"
      try context.save()
    }
    await Task.yield()
    try await Task.sleep(nanoseconds: 10_000_000)
    #expect(book.title == "second")
  }

  @Test @MainActor func notificationsAsAnAsyncSequence() async throws {
    let view = controller.container.viewContext
    let waiting = Task { @MainActor in
      for await notification in NotificationCenter.default.notifications(
        named: .NSManagedObjectContextDidSave, object: view)
      {
        return (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count
      }
      return nil
    }
    await Task.yield()
    Book(context: view).title = "x"
    try view.save()
    #expect(await waiting.value == 1)
  }

  @Test func aFetchedResultsControllerFeedsAStream() async throws {
    @MainActor final class Feed: NSObject, NSFetchedResultsControllerDelegate {
      let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
      let controller: NSFetchedResultsController<Book>
      init(_ context: NSManagedObjectContext) throws {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.title, ascending: true)]
        controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
          cacheName: nil)
        super.init()
        controller.delegate = self
        try controller.performFetch()
        publish()
      }
      private func publish() {
        continuation.yield(controller.fetchedObjects?.compactMap(\.title) ?? [])
      }
      nonisolated func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        MainActor.assumeIsolated { publish() }
      }
    }
    let feed = try await MainActor.run { try Feed(controller.container.viewContext) }
    var iterator = feed.stream.makeAsyncIterator()
    #expect(await iterator.next() == [])
    try await controller.container.performBackgroundTask { context in
      Book(context: context).title = "streamed"
      try context.save()
    }
    #expect(await iterator.next() == ["streamed"])
  }

  @Test func aContinuationAroundPerform() async throws {
    let container = controller.container
    let count: Int = try await withCheckedThrowingContinuation { continuation in
      container.performBackgroundTask { context in
        do {
          Book(context: context).title = "old style"
          try context.save()
          continuation.resume(returning: try context.count(for: Book.fetchRequest()))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
    #expect(count == 1)
  }

  @Test func errorsLeaveAwaitedBlocks() async throws {
    let context = controller.newTaskContext()
    await #expect(throws: CocoaError.self) {
      try await context.perform {
        let tag = Tag(context: context)
        tag.setValue(nil, forKey: "name")
        try context.save()
      }
    }
    let wrong = await #expect(throws: NSError.self) {
      try await context.perform {
        context.rollback()
        _ = try context.existingObject(with: Tag(context: context).objectID)
        throw CocoaError(.validationMissingMandatoryProperty)
      }
    }
    #expect(wrong?.code == NSValidationMissingMandatoryPropertyError)
  }

  @Test @MainActor func sectionsOfASnapshotAreComputedWithoutUIKit() throws {
    let view = controller.container.viewContext
    for (title, pages) in [("a", 10), ("b", 20), ("c", 10)] {
      let book = Book(context: view)
      (book.title, book.pages) = (title, Int32(pages))
    }
    try view.save()
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(keyPath: \Book.pages, ascending: true),
      NSSortDescriptor(keyPath: \Book.title, ascending: false),
    ]
    let results = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: #keyPath(Book.pages),
      cacheName: nil)
    try results.performFetch()
    let sections = try #require(results.sections)
    #expect(sections.map(\.name) == ["10", "20"])
    #expect(sections[0].objects?.compactMap { ($0 as? Book)?.title } == ["c", "a"])
    #expect(sections[0].indexTitle == "1")
  }

  @Test func aDetachedTaskUsesTheObjectIDOnly() async throws {
    let container = controller.container
    let view = container.viewContext
    let id = try await view.perform { () -> NSManagedObjectID in
      let book = Book(context: view)
      book.title = "id"
      try view.save()
      return book.objectID
    }
    let title = await Task.detached(priority: .background) {
      let context = container.newBackgroundContext()
      return await context.perform { (context.object(with: id) as? Book)?.title }
    }.value
    #expect(title == "id")
  }

  @Test(arguments: [
    NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ])
  func policies(_ policy: NSMergePolicy) throws {
    let first = controller.newTaskContext()
    let second = controller.newTaskContext()
    let id = try first.performAndWait { () -> NSManagedObjectID in
      let book = Book(context: first)
      book.title = "base"
      try first.save()
      return book.objectID
    }
    // A context keeps a row as it was only for objects that code holds.
    let book = try second.performAndWait { () -> Book? in
      let book = try second.existingObject(with: id) as? Book
      _ = book?.title
      return book
    }
    try first.performAndWait {
      (try first.existingObject(with: id) as? Book)?.title = "first"
      try first.save()
    }
    try second.performAndWait {
      second.mergePolicy = policy
      book?.title = "second"
      book?.pages = 77
      try second.save()
      second.refreshAllObjects()
      switch policy.mergeType {
      case .mergeByPropertyStoreTrumpMergePolicyType:
        #expect(book?.title == "first" && book?.pages == 77)
      case .rollbackMergePolicyType: #expect(book?.title == "first" && book?.pages == 1)
      default: #expect(book?.title == "second" && book?.pages == 77)
      }
    }
  }

  @Test func shadowsOfCopiesAndBackgroundDeletes() async throws {
    let view = controller.container.viewContext
    let ids = try await view.perform { () -> [NSManagedObjectID] in
      let books = (0..<3).map { number -> Book in
        let book = Book(context: view)
        book.title = "\(number)"
        return book
      }
      try view.save()
      return books.map(\.objectID)
    }
    try await controller.container.performBackgroundTask { context in
      for id in ids.prefix(2) { context.delete(context.object(with: id)) }
      try context.save()
    }
    try await Task.sleep(for: .seconds(1))
    await view.perform {
      let left = ids.map { view.object(with: $0) as! Book }
      #expect(left.map(\.isDeleted) == [false, false, false])
      #expect(left[2].title == "2")
      #expect(left[0].title == nil)
    }
  }
}
