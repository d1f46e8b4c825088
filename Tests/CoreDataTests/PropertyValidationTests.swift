import CoreData
import Foundation
import Testing

/// A class with a validation method, in the form of a prepared source.
private final class CheckedNote: NSManagedObject {
  override class var validatedKeys: [String] { super.validatedKeys + ["title"] }

  override func validateProperty(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    switch key {
    case "title": try validateTitle(value)
    default: try super.validateProperty(value, forKey: key)
    }
  }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let title = value.pointee as? String else { return }
    if title.isEmpty { throw NSError(domain: "Notes", code: 7) }
    value.pointee = title.trimmingCharacters(in: .whitespaces) as NSString
  }
}

@Suite struct `The validation of a property` {
  private func withNote(
    _ body: @escaping (CheckedNote, NSManagedObjectContext) throws -> Void
  ) {
    let outcome = live {
      let model = Notes.model()
      let entity = try #require(model.entitiesByName["Note"])
      entity.managedObjectClassName = String(reflecting: CheckedNote.self)
      let views = try #require(entity.attributesByName["views"])
      views.isOptional = false
      views.setValidationPredicates(
        [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF < 10")],
        withValidationWarnings: [NSValidationNumberTooSmallError, "too many views"])
      let container = NSPersistentContainer(name: "Checked", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      try body(CheckedNote(entity: entity, insertInto: view), view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
  }

  @Test func `a class's method validates a value, and can change it`() {
    withNote { note, view in
      note.setValue("", forKey: "title")
      #expect(code { try view.save() } == 7)
      #expect(code { try note.validateForInsert() } == 7)
      note.setValue(" trimmed ", forKey: "title")
      try view.save()
      #expect(note.value(forKey: "title") as? String == "trimmed")
    }
  }

  @Test func `a value can be validated before it is set`() {
    withNote { note, _ in
      func code(_ value: AnyObject?, _ key: String) -> Int? {
        var value = value
        return self.code { try note.validateValue(&value, forKey: key) }
      }
      #expect(code(NSString(string: ""), "title") == 7)
      #expect(code(NSString(string: "a"), "title") == nil)
      #expect(code(nil, "views") == NSValidationMissingMandatoryPropertyError)
      #expect(code(NSNumber(value: -1), "views") == NSValidationNumberTooSmallError)
      #expect(code(NSNumber(value: 10), "views") == NSManagedObjectValidationError)
      #expect(code(NSNumber(value: 9), "views") == nil)
      var value: AnyObject? = NSString(string: " b")
      try note.validateValue(&value, forKey: "title")
      #expect(value as? String == "b")
    }
  }

  @Test func `a save checks validation predicates that the engine does not know`() {
    withNote { note, view in
      note.setValue(10, forKey: "views")
      do {
        try view.save()
        Issue.record("10 is saved")
      } catch let error as NSError {
        #expect(error.code == NSManagedObjectValidationError)
        #expect(error.localizedDescription == "too many views")
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "views")
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === note)
      }
      note.setValue(9, forKey: "views")
      try view.save()
    }
  }
}
