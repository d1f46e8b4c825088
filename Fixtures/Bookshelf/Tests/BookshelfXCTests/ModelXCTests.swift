import Bookshelf
import CoreData
import XCTest

class BookshelfCase: XCTestCase {
  var controller: PersistenceController!
  var context: NSManagedObjectContext!

  override func setUpWithError() throws {
    try super.setUpWithError()
    controller = PersistenceController(inMemory: true)
    context = controller.container.viewContext
  }

  override func tearDownWithError() throws {
    context = nil
    controller = nil
    try super.tearDownWithError()
  }

  @discardableResult
  func book(_ title: String, pages: Int32 = 100, author: Author? = nil) -> Book {
    let book = Book(context: context)
    book.title = title
    book.pages = pages
    book.author = author
    return book
  }

  func author(_ name: String) -> Author {
    let author = Author(context: context)
    author.name = name
    return author
  }

  func tag(_ name: String) -> Tag {
    let tag = Tag(context: context)
    tag.name = name
    return tag
  }
}

final class ModelXCTests: BookshelfCase {
  func testEntitiesOfTheModel() {
    let model = PersistenceController.model
    XCTAssertEqual(
      model.entitiesByName.keys.sorted(),
      ["Author", "Book", "Magazine", "Publication", "Shelf", "Tag"])
    let book = model.entitiesByName["Book"]
    XCTAssertEqual(book?.superentity?.name, "Publication")
    XCTAssertTrue(book?.isKindOf(entity: model.entitiesByName["Publication"]!) == true)
    XCTAssertEqual(
      model.entitiesByName["Publication"]?.subentities.compactMap(\.name).sorted(),
      ["Book", "Magazine"])
    XCTAssertTrue(model.entitiesByName["Publication"]!.isAbstract)
    XCTAssertEqual(model.configurations, ["Library"])
    XCTAssertEqual(model.entities(forConfigurationName: "Library")?.count, 6)
  }

  func testAttributeDescriptions() throws {
    let book = Book.entity()
    let cover = try XCTUnwrap(book.attributesByName["cover"])
    XCTAssertTrue(cover.allowsExternalBinaryDataStorage)
    XCTAssertEqual(cover.attributeType, .binaryDataAttributeType)
    let spine = try XCTUnwrap(book.attributesByName["spine"])
    XCTAssertEqual(spine.valueTransformerName, "SpineTransformer")
    XCTAssertEqual(book.attributesByName["price"]?.defaultValue as? NSDecimalNumber, 0)
    XCTAssertEqual(book.propertiesByName["title"]?.isOptional, true)
    XCTAssertTrue(book.relationshipsByName["tags"]!.isToMany)
    XCTAssertEqual(
      book.relationships(forDestination: Tag.entity()).map(\.name), ["tags"])
    XCTAssertEqual(Author.entity().relationshipsByName["books"]?.deleteRule, .cascadeDeleteRule)
    XCTAssertTrue(Author.entity().relationshipsByName["books"]!.isOrdered)
  }

  func testUniquenessConstraintsAndIndexes() {
    let constraints = Author.entity().uniquenessConstraints as? [[String]]
    XCTAssertEqual(constraints, [["name"]])
    let index = Author.entity().indexes.first
    XCTAssertEqual(index?.name, "byName")
    XCTAssertEqual(index?.elements.first?.propertyName, "name")
    XCTAssertEqual(index?.elements.first?.collationType, .binary)
  }

  func testFetchRequestTemplates() throws {
    book("short")
    book("A long one", pages: 500)
    let template = try XCTUnwrap(
      PersistenceController.model.fetchRequestTemplate(forName: "LongBooks"))
    let copy = template.copy() as! NSFetchRequest<NSFetchRequestResult>
    let found = try context.fetch(copy) as? [Book]
    XCTAssertEqual(found?.map(\.title), ["A long one"])
    let titled = PersistenceController.model.fetchRequestFromTemplate(
      withName: "BooksTitled", substitutionVariables: ["TEXT": "LONG"])
    XCTAssertEqual(try context.count(for: try XCTUnwrap(titled)), 1)
  }

  func testTransformableAttributeWithASecureTransformer() throws {
    let book = book("transformed")
    book.spine = Spine(width: 12.5, colour: "red")
    try context.save()
    let id = book.objectID
    context.reset()
    let again = try context.existingObject(with: id) as? Book
    XCTAssertEqual(again?.spine, Spine(width: 12.5, colour: "red"))
    XCTAssertNotNil(ValueTransformer(forName: SpineTransformer.name))
  }

  func testDecimalUUIDURIAndDate() throws {
    let book = book("values")
    let (id, created) = (UUID(), Date(timeIntervalSinceReferenceDate: 1_000.25))
    book.price = NSDecimalNumber(string: "12.99")
    book.identifier = id
    book.website = URL(string: "https://example.com/a?b=1")
    book.created = created
    book.cover = Data(repeating: 7, count: 200_000)
    try context.save()
    context.refreshAllObjects()
    XCTAssertEqual(book.price, NSDecimalNumber(string: "12.99"))
    XCTAssertEqual(book.identifier, id)
    XCTAssertEqual(book.website?.host, "example.com")
    XCTAssertEqual(book.created, created)
    XCTAssertEqual(book.cover?.count, 200_000)
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.predicate = NSPredicate(format: "identifier == %@", id as CVarArg)
    XCTAssertEqual(try context.count(for: request), 1)
    request.predicate = NSPredicate(format: "price > %@", NSDecimalNumber(string: "12.5"))
    XCTAssertEqual(try context.count(for: request), 1)
    request.predicate = NSPredicate(
      format: "created < %@", Date(timeIntervalSinceReferenceDate: 1_001) as NSDate)
    XCTAssertEqual(try context.count(for: request), 1)
  }

  func testDerivedAttributes() throws {
    let shelf = Shelf(context: context)
    shelf.label = "Novels"
    let book = book("Ünïcode Title")
    book.shelf = shelf
    try context.save()
    context.refreshAllObjects()
    XCTAssertEqual(book.searchTitle, "unicode title")
    XCTAssertEqual(shelf.bookCount, 1)
    XCTAssertNotNil(shelf.changed)
  }

  func testOrderedRelationship() throws {
    let writer = author("Le Guin")
    let books = ["a", "b", "c"].map { book($0) }
    writer.books = NSOrderedSet(array: books)
    writer.removeFromBooks(at: 0)
    writer.insertIntoBooks(books[0], at: 2)
    writer.replaceBooks(at: 0, with: book("d"))
    try context.save()
    context.refresh(writer, mergeChanges: false)
    XCTAssertEqual(writer.books?.array.compactMap { ($0 as? Book)?.title }, ["d", "c", "a"])
    XCTAssertNil(books[1].author)
    let mutable = writer.mutableOrderedSetValue(forKey: "books")
    mutable.moveObjects(at: IndexSet(integer: 2), to: 0)
    XCTAssertEqual((writer.books?.firstObject as? Book)?.title, "a")
    XCTAssertTrue(writer.hasChanges)
  }

  func testValidationErrors() throws {
    let invalid = book("invalid", pages: 0)
    let shelf = Shelf(context: context)
    shelf.label = "x"
    XCTAssertThrowsError(try context.save()) { error in
      let error = error as NSError
      XCTAssertEqual(error.domain, NSCocoaErrorDomain)
      XCTAssertEqual(error.code, NSValidationMultipleErrorsError)
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
      XCTAssertEqual(details?.count, 3)
      let codes = Set(details?.map(\.code) ?? [])
      XCTAssertTrue(codes.contains(NSValidationNumberTooSmallError))
      XCTAssertTrue(codes.contains(NSValidationStringTooShortError))
      XCTAssertTrue(codes.contains(NSValidationStringPatternMatchingError))
    }
    context.delete(shelf)
    XCTAssertThrowsError(try context.save()) { error in
      let error = error as NSError
      XCTAssertEqual(error.code, NSValidationNumberTooSmallError)
      XCTAssertTrue(error.userInfo[NSValidationObjectErrorKey] as? Book === invalid)
      XCTAssertEqual(error.userInfo[NSValidationKeyErrorKey] as? String, "pages")
      XCTAssertEqual(error.userInfo[NSValidationValueErrorKey] as? Int, 0)
      XCTAssertEqual((error as? CocoaError)?.code, .validationNumberTooSmall)
    }
    invalid.pages = 10
    XCTAssertNoThrow(try invalid.validateForUpdate())
    try context.save()
  }

  func testDenyRuleAndTooManyObjects() throws {
    let shelf = Shelf(context: context)
    shelf.label = "Full"
    for number in 0..<11 { shelf.addToBooks(book("\(number)")) }
    XCTAssertThrowsError(try context.save()) {
      XCTAssertEqual(($0 as NSError).code, NSValidationRelationshipExceedsMaximumCountError)
    }
    shelf.removeFromBooks(shelf.books!.anyObject() as! Book)
    try context.save()
    context.delete(shelf)
    XCTAssertThrowsError(try context.save()) {
      XCTAssertEqual(($0 as NSError).code, NSValidationRelationshipDeniedDeleteError)
    }
    context.rollback()
    XCTAssertFalse(shelf.isDeleted)
  }

  func testUniquenessConstraintWithPropertyPolicies() throws {
    let first = author("Same")
    first.born = Date(timeIntervalSinceReferenceDate: 0)
    try context.save()
    let other = controller.newTaskContext()
    try other.performAndWait {
      other.mergePolicy = NSErrorMergePolicy
      let second = Author(context: other)
      second.name = "Same"
      XCTAssertThrowsError(try other.save()) { error in
        let error = error as NSError
        XCTAssertEqual(error.code, NSManagedObjectConstraintMergeError)
        let conflicts = error.userInfo["conflictList"] as? [NSConstraintConflict]
        XCTAssertEqual(conflicts?.first?.constraint, ["name"])
        XCTAssertEqual(conflicts?.first?.constraintValues["name"] as? String, "Same")
        XCTAssertEqual(conflicts?.first?.databaseObject?.objectID, first.objectID)
      }
      other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      second.born = Date(timeIntervalSinceReferenceDate: 9)
      try other.save()
    }
    XCTAssertEqual(try context.count(for: Author.fetchRequest()), 1)
    context.refreshAllObjects()
    let request: NSFetchRequest<Author> = Author.fetchRequest()
    XCTAssertEqual(try context.fetch(request).first?.born, Date(timeIntervalSinceReferenceDate: 9))
  }

  func testURIRepresentations() throws {
    let book = book("uri")
    XCTAssertTrue(book.objectID.isTemporaryID)
    try context.obtainPermanentIDs(for: [book])
    XCTAssertFalse(book.objectID.isTemporaryID)
    try context.save()
    let uri = book.objectID.uriRepresentation()
    XCTAssertEqual(uri.scheme, "x-coredata")
    XCTAssertEqual(uri.lastPathComponent.first, "p")
    XCTAssertTrue(uri.absoluteString.contains("/Book/p"))
    let coordinator = controller.container.persistentStoreCoordinator
    let id = try XCTUnwrap(coordinator.managedObjectID(forURIRepresentation: uri))
    XCTAssertEqual(id, book.objectID)
    XCTAssertEqual(id.entity.name, "Book")
    XCTAssertNotNil(id.persistentStore)
    XCTAssertEqual(uri.host, id.persistentStore?.identifier)
    XCTAssertNil(
      coordinator.managedObjectID(
        forURIRepresentation: URL(string: "x-coredata://nowhere/Book/p1")!))
  }
}
