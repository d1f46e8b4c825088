import CoreData
import Foundation

/// What the stacks of this module have in common: the model, and a store.
enum Company {
  /// A coordinator with a store of the company's data.
  static func coordinator() throws -> NSPersistentStoreCoordinator {
    guard let url = Bundle.main.url(forResource: "Company", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileNoSuchFile) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Company.sqlite"))
    return coordinator
  }
}

/// Somebody whose diary is made by `awakeFromInsert`.
@objc(Person)
public final class Person: NSManagedObject {
  /// The person's name.
  @NSManaged public var name: String?
  /// The diary that was made for the person.
  @NSManaged public var diary: Diary?

  /// Gives a new person a diary.
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    guard let managedObjectContext else { return }
    diary = Diary(context: managedObjectContext)
  }
}

/// Somebody whose diary is made by a factory method.
@objc(Contact)
public final class Contact: NSManagedObject {
  /// The contact's name.
  @NSManaged public var name: String?
  /// The diary that was made for the contact.
  @NSManaged public var diary: Diary?

  /// A new contact, who has a diary.
  public static func make(in context: NSManagedObjectContext) -> Contact {
    let contact = Contact(context: context)
    contact.diary = Diary(context: context)
    return contact
  }
}

/// Belongs to a person or to a contact.
@objc(Diary)
public final class Diary: NSManagedObject {
  /// The contact to whom it belongs.
  @NSManaged public var contact: Contact?
  /// The person to whom it belongs.
  @NSManaged public var person: Person?
}

/// Somebody who works in a department.
@objc(Employee)
public final class Employee: NSManagedObject {
  /// The employee's name.
  @NSManaged public var name: String?
  /// What the employee is called at work.
  @NSManaged public var title: String?
  /// What the employee earns.
  @NSManaged public var salary: Int64
  /// Where the employee works.
  @NSManaged public var department: Department?
}

/// A part of the company.
@objc(Department)
public final class Department: NSManagedObject {
  /// The name of the department.
  @NSManaged public var name: String?
  /// Who works there.
  @NSManaged public var employees: Set<Employee>
}

/// An object that code looks for is gone.
public struct ObjectIsGone: Error {}

extension NSManagedObjectContext {
  /// The object with an ID, in this context.
  func object<Object: NSManagedObject>(_ type: Object.Type, _ id: NSManagedObjectID) throws
    -> Object
  {
    guard let object = try existingObject(with: id) as? Object else { throw ObjectIsGone() }
    return object
  }
}
