import Bookshelf
import CoreData
import XCTest

final class FetchXCTests: BookshelfCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    let (first, second) = (author("Ann"), author("Bob"))
    for (number, title) in ["Émile", "delta", "Charlie", "bravo", "alpha"].enumerated() {
      let book = book(
        title, pages: Int32(100 * (number + 1)), author: number % 2 == 0 ? first : second)
      book.rating = Double(number)
      book.addToTags(number < 2 ? tag("t\(number)") : tag("s\(number)"))
    }
    let magazine = Magazine(context: context)
    magazine.title = "Zine"
    magazine.issue = 3
    try context.save()
  }

  func testAbstractEntityFetchesSubentities() throws {
    let request: NSFetchRequest<Publication> = Publication.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(
        key: #keyPath(Publication.title), ascending: true,
        selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)))
    ]
    let found = try context.fetch(request)
    XCTAssertEqual(found.map(\.title), ["alpha", "bravo", "Charlie", "delta", "Émile", "Zine"])
    XCTAssertTrue(found.last is Magazine)
    request.includesSubentities = false
    XCTAssertEqual(try context.count(for: request), 0)
  }

  func testPrefetchingAndBatchSize() throws {
    context.reset()
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.relationshipKeyPathsForPrefetching = ["author", "tags"]
    request.fetchBatchSize = 2
    request.returnsObjectsAsFaults = false
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: false)]
    let books = try context.fetch(request)
    XCTAssertEqual(books.count, 5)
    XCTAssertEqual(books.first?.title, "alpha")
    XCTAssertFalse(books[0].isFault)
    XCTAssertEqual(books[0].author?.name, "Ann")
  }

  func testPropertiesToFetchAndDictionaries() throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title", "author.name"]
    request.predicate = NSPredicate(format: "%K BEGINSWITH[cd] %@", #keyPath(Book.title), "e")
    let rows = try context.fetch(request)
    XCTAssertEqual(rows.count, 1)
    XCTAssertEqual(rows[0]["author.name"] as? String, "Ann")
    XCTAssertEqual(rows[0]["title"] as? String, "Émile")
  }

  func testGroupByWithExpressionDescriptions() throws {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
    count.expressionResultType = .integer64AttributeType
    let longest = NSExpressionDescription()
    longest.name = "longest"
    longest.expression = NSExpression(
      forFunction: "max:", arguments: [NSExpression(forKeyPath: \Book.pages)])
    longest.expressionResultType = .integer32AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["author.name", count, longest]
    request.propertiesToGroupBy = ["author.name"]
    request.havingPredicate = NSPredicate(format: "count > 2")
    request.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
    let rows = try context.fetch(request)
    XCTAssertEqual(rows.map { $0["author.name"] as? String }, ["Ann"])
    XCTAssertEqual(rows.first?["count"] as? Int, 3)
    XCTAssertEqual(rows.first?["longest"] as? Int, 500)
  }

  func testSumOfAllPages() throws {
    let sum = NSExpressionDescription()
    sum.name = "sum"
    sum.expression = NSExpression(format: "@sum.pages")
    sum.expressionResultType = .integer32AttributeType
    let average = NSExpressionDescription()
    average.name = "average"
    average.expression = NSExpression(
      forFunction: "average:", arguments: [NSExpression(forKeyPath: "rating")])
    average.expressionResultType = .doubleAttributeType
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [sum, average]
    let row = try context.fetch(request).first as? [String: Any]
    XCTAssertEqual(row?["sum"] as? Int, 1_500)
    XCTAssertEqual(row?["average"] as? Double, 2)
  }

  func testCompoundPredicates() throws {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    let long = NSPredicate(format: "pages BETWEEN {200, 400}")
    let rated = NSPredicate(format: "%K >= %lf", argumentArray: ["rating", 2.0])
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [long, rated])
    XCTAssertEqual(Set(try context.fetch(request).map(\.title)), ["Charlie", "bravo"])
    request.predicate = NSCompoundPredicate(
      orPredicateWithSubpredicates: [
        NSPredicate(format: "title LIKE[c] %@", "*L?HA"),
        NSPredicate(format: "title IN %@", ["delta", "none"]),
      ])
    XCTAssertEqual(Set(try context.fetch(request).map(\.title)), ["delta", "alpha"])
    request.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: long)
    XCTAssertEqual(try context.count(for: request), 2)
    request.predicate = NSPredicate(
      format: "ANY tags.name BEGINSWITH 't' AND author.name ==[c] 'bob'")
    XCTAssertEqual(try context.fetch(request).map(\.title), ["delta"])
    request.predicate = NSPredicate(format: "SUBQUERY(tags, $t, $t.name ENDSWITH '4').@count > 0")
    XCTAssertEqual(try context.fetch(request).map(\.title), ["alpha"])
    request.predicate = NSPredicate(format: "tags.@count == 0")
    XCTAssertEqual(try context.count(for: request), 0)
    request.predicate = NSPredicate(
      format: "SELF IN %@", [request].isEmpty ? [] : try context.fetch(Author.fetchRequest()))
    XCTAssertEqual(try context.count(for: request), 0)
    XCTAssertEqual(NSPredicate(value: true).predicateFormat, "TRUEPREDICATE")
  }

  func testOffsetsAndLimits() throws {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
    request.fetchLimit = 2
    request.fetchOffset = 1
    try context.performAndWait { XCTAssertEqual(try request.execute().count, 2) }
    XCTAssertEqual(try context.fetch(request).map(\.pages), [200, 300])
    request.resultType = .managedObjectIDResultType
    let ids =
      try context.fetch(request as! NSFetchRequest<NSFetchRequestResult>) as? [NSManagedObjectID]
    XCTAssertEqual(ids?.count, 2)
  }

  func testPendingChangesAreFetched() throws {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.predicate = NSPredicate(format: "pages > 1000")
    let book = try context.fetch(Book.fetchRequest()).first as? Book
    book?.pages = 2_000
    XCTAssertEqual(try context.count(for: request), 1)
    request.includesPendingChanges = false
    XCTAssertEqual(try context.count(for: request), 0)
  }

  func testAsynchronousFetchWithProgress() throws {
    let done = expectation(description: "fetched")
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
      XCTAssertEqual(result.finalResult?.count, 5)
      XCTAssertNil(result.operationError)
      done.fulfill()
    }
    let result = try context.execute(asynchronous) as? NSAsynchronousFetchResult<Book>
    XCTAssertNotNil(result)
    wait(for: [done], timeout: 2)
  }

  func testFetchedResultsControllerWithSections() throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
      var log: [String] = []
      func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        log.append("will")
      }
      func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>
      ) {
        log.append("did")
      }
      func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
      ) {
        let (from, to) = (
          indexPath.map { "\($0.section).\($0.item)" } ?? "-",
          newIndexPath.map { "\($0.section).\($0.item)" } ?? "-"
        )
        let title = type == .delete ? "deleted" : (anObject as? Book)?.title ?? "?"
        log.append("\(title) \(type.rawValue) \(from) \(to)")
      }
      func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
      ) {
        log.append("section \(sectionInfo.name) \(type.rawValue) \(sectionIndex)")
      }
    }
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "author.name", ascending: true),
      NSSortDescriptor(key: "pages", ascending: true),
    ]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author.name",
      cacheName: nil)
    let delegate = Delegate()
    controller.delegate = delegate
    try controller.performFetch()
    XCTAssertEqual(controller.sections?.map(\.name), ["Ann", "Bob"])
    XCTAssertEqual(controller.sections?.map(\.numberOfObjects), [3, 2])
    XCTAssertEqual(controller.sectionIndexTitles, ["A", "B"])
    XCTAssertEqual(controller.section(forSectionIndexTitle: "B", at: 1), 1)
    let first = controller.object(at: IndexPath(item: 0, section: 1))
    XCTAssertEqual(first.title, "delta")
    let new = book("new", pages: 150, author: author("Cid"))
    context.processPendingChanges()
    XCTAssertEqual(delegate.log, ["will", "section Cid 1 2", "new 1 - 2.0", "did"])
    delegate.log = []
    first.author = new.author
    context.processPendingChanges()
    XCTAssertEqual(delegate.log, ["will", "delta 3 1.0 2.1", "did"])
    XCTAssertEqual(controller.indexPath(forObject: first), IndexPath(item: 1, section: 2))
    delegate.log = []
    context.delete(new)
    context.delete(first)
    context.processPendingChanges()
    XCTAssertEqual(delegate.log.first, "will")
    XCTAssertTrue(delegate.log.contains("section Cid 2 2"))
    XCTAssertEqual(controller.fetchedObjects?.count, 4)
  }

  func testFetchedResultsControllerCache() throws {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    NSFetchedResultsController<Book>.deleteCache(withName: "books")
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: "books")
    XCTAssertNil(controller.fetchedObjects)
    try controller.performFetch()
    XCTAssertEqual(controller.cacheName, "books")
    XCTAssertEqual(controller.sections?.count, 1)
    XCTAssertEqual(controller.sections?.first?.objects?.count, 5)
    controller.fetchRequest.predicate = NSPredicate(format: "pages > 300")
    NSFetchedResultsController<Book>.deleteCache(withName: "books")
    try controller.performFetch()
    XCTAssertEqual(controller.fetchedObjects?.count, 2)
  }

  func testSortedArraysAndKeyPaths() throws {
    let ann = try XCTUnwrap(
      context.fetch(Author.fetchRequest()).compactMap { $0 as? Author }.first { $0.name == "Ann" })
    let books = try XCTUnwrap(ann.books)
    let sorted = books.sortedArray(using: [NSSortDescriptor(key: "rating", ascending: false)])
    XCTAssertEqual((sorted.first as? Book)?.title, "alpha")
    XCTAssertEqual(ann.value(forKeyPath: "books.@sum.pages") as? Int, 900)
    XCTAssertEqual(ann.value(forKeyPath: "books.@avg.rating") as? Double, 2)
    XCTAssertEqual(
      (ann.value(forKeyPath: "books.@distinctUnionOfObjects.pages") as? [Int])?.sorted(),
      [100, 300, 500])
    let filtered = books.filtered(using: NSPredicate(format: "pages > %d", 200))
    XCTAssertEqual(filtered.count, 2)
    let array = (books.array as NSArray).filtered(
      using: NSPredicate { object, _ in (object as? Book)?.rating == 0 })
    XCTAssertEqual(array.count, 1)
  }

  func testFetchedPropertyLikeRequestWithEntityFromContext() throws {
    let entity = try XCTUnwrap(NSEntityDescription.entity(forEntityName: "Book", in: context))
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.predicate = NSPredicate(
      format: "author.books.@count > 2 AND title MATCHES '^[a-zA-Z]+$'")
    let found = try context.fetch(request)
    XCTAssertEqual(
      Set(found.compactMap { $0.value(forKey: "title") as? String }), ["Charlie", "alpha"])
    let nothing = NSFetchRequest<NSManagedObject>(entityName: "Book")
    nothing.predicate = NSPredicate(format: "author == nil")
    XCTAssertTrue(try context.fetch(nothing).isEmpty)
    nothing.predicate = NSPredicate(format: "NOT (author == nil)")
    XCTAssertEqual(try context.fetch(nothing).count, 5)
  }
}
