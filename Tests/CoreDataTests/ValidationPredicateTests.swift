import CoreData
import Foundation
import Testing

@Suite struct `A validation predicate of a model built in code` {
  private func context(
    _ type: NSAttributeType, _ predicates: [NSPredicate], _ warnings: [Any]
  ) throws -> NSManagedObjectContext {
    let value = NSAttributeDescription()
    value.name = "value"
    value.attributeType = type
    value.setValidationPredicates(predicates, withValidationWarnings: warnings)
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = [value]
    let model = NSManagedObjectModel()
    model.entities = [item]
    let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container.viewContext
  }

  /// Returns the code of the error with which a save of the value fails, or nil if the save
  /// succeeds.
  private func code(_ value: Any, in context: NSManagedObjectContext) -> Int? {
    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
    item.setValue(value, forKey: "value")
    defer { context.rollback() }
    do { try context.save() } catch { return (error as NSError).code }
    return nil
  }

  @Test func `a validation predicate limits numbers with its error code`() {
    live {
      let context = try context(
        .integer16AttributeType,
        [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= %@", 9)],
        [NSValidationNumberTooSmallError, NSValidationNumberTooLargeError])
      #expect(code(0, in: context) == NSValidationNumberTooSmallError)
      #expect(code(1, in: context) == nil)
      #expect(code(9, in: context) == nil)
      #expect(code(10, in: context) == NSValidationNumberTooLargeError)
    }
  }

  @Test func `a validation predicate limits lengths and dates`() {
    live {
      let texts = try context(
        .stringAttributeType, [NSPredicate(format: "length <= 2")],
        [NSValidationStringTooLongError])
      #expect(code("ab", in: texts) == nil)
      #expect(code("abc", in: texts) == NSValidationStringTooLongError)
    }
    live {
      let noon = Date(timeIntervalSinceReferenceDate: 43_200)
      let dates = try context(
        .dateAttributeType, [NSPredicate(format: "SELF >= %@", noon)],
        [NSValidationDateTooSoonError])
      #expect(code(noon, in: dates) == nil)
      #expect(code(noon - 1, in: dates) == NSValidationDateTooSoonError)
    }
  }

  @Test func `a validation predicate with a message refuses a value`() {
    live {
      let context = try context(
        .stringAttributeType, [NSPredicate(format: "SELF != %@", "admin")], ["taken"])
      #expect(code("guest", in: context) == nil)
      #expect(code("admin", in: context) == NSManagedObjectValidationError)
    }
  }

  @Test func `a validation error does not hide the error of another object`() {
    live {
      let view = Notes.container().viewContext
      let title = view.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Note"]?
        .attributesByName["title"]
      title?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES 'A.*'")],
        withValidationWarnings: [NSValidationStringPatternMatchingError])
      Note(context: view).title = "b"
      // A tag must have a label.
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      let error = #expect(throws: NSError.self) { try view.save() }
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(
        details?.map(\.code) == [
          NSValidationStringPatternMatchingError, NSValidationMissingMandatoryPropertyError,
        ])
    }
  }
}
