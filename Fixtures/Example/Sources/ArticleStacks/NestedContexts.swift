import CoreData
import Foundation

/// A private root on the coordinator, the main context below it, and forms below that.
///
/// The root stands in for the coordinator: what a server sends is written into it, and `store` has
/// it saved. The main context and its forms are on the main queue.
///
/// After "NSManagedObjectContext's parentContext", Benedict's Soapbox, 2014.
public final class NestedContexts {
  /// How a context hears of what its parent has changed.
  public enum MergingDown: Sendable {
    /// It does not.
    case none
    /// The thread that posts the change waits until the child is refreshed.
    case waiting
    /// The child is refreshed in a block of its own.
    case later
  }

  private let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  private let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  private let mergingDown: MergingDown
  /// What the app's windows show.
  private var shown: [Contact] = []

  /// A stack over an empty store.
  public init(mergingDown: MergingDown) throws {
    self.mergingDown = mergingDown
    root.name = "root"
    root.persistentStoreCoordinator = try Company.coordinator()
    main.name = "main"
    main.parent = root
    main.refreshWhenParentChanges(mergingDown)
  }

  /// Takes over a new contact from a server, and shows it in a window.
  public func add(_ name: String) throws -> NSManagedObjectID {
    let id = try root.performAndWait {
      let contact = Contact.make(in: root)
      contact.name = name
      try root.save()
      return contact.objectID
    }
    shown.append(try main.object(Contact.self, id))
    return id
  }

  /// Saves the main context, and then the root.
  public func store() throws {
    try main.save()
    try root.performAndWait { try root.save() }
  }

  /// Takes over in the root what a server has sent, when the root's queue comes to it.
  public func receive(_ name: String, for id: NSManagedObjectID) {
    root.perform { [root] in
      guard let contact = try? root.object(Contact.self, id) else { return }
      contact.name = name
      try? root.save()
    }
  }

  /// The same, while the main thread waits.
  public func receiveAndWait(_ name: String, for id: NSManagedObjectID) throws {
    try root.performAndWait {
      try root.object(Contact.self, id).name = name
      try root.save()
    }
  }

  /// What a window shows.
  public func name(of id: NSManagedObjectID) throws -> String? {
    try main.object(Contact.self, id).name
  }

  /// Renames a contact in a window.
  public func rename(_ id: NSManagedObjectID, to name: String) throws {
    try main.object(Contact.self, id).name = name
    main.processPendingChanges()
  }

  /// A form for a contact.
  public func form(for id: NSManagedObjectID) throws -> ContactForm {
    let form = formContext()
    return ContactForm(try form.object(Contact.self, id), in: form)
  }

  /// A form for a new contact, who gets a diary from a factory method.
  public func formForNewContact(_ name: String) -> ContactForm {
    let form = formContext()
    let contact = Contact.make(in: form)
    contact.name = name
    return ContactForm(contact, in: form)
  }

  /// Adds a person, who gets a diary from `awakeFromInsert`, by way of a form.
  public func addPersonByForm(_ name: String) throws {
    let form = formContext()
    Person(context: form).name = name
    try form.save()
    try store()
  }

  private func formContext() -> NSManagedObjectContext {
    let form = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    form.name = "form"
    form.parent = main
    // A form is not meant to overwrite anything.
    form.mergePolicy = NSMergePolicy.error
    form.refreshWhenParentChanges(mergingDown)
    return form
  }

  /// The ID of a contact in the store.
  public func find(_ name: String) throws -> NSManagedObjectID? {
    try root.performAndWait {
      let request = NSFetchRequest<Contact>(entityName: "Contact")
      request.predicate = NSPredicate(format: "name == %@", name)
      return try root.fetch(request).first?.objectID
    }
  }

  /// How many diaries belong to nobody.
  public func abandonedDiaryCount() throws -> Int {
    try root.performAndWait {
      let request = NSFetchRequest<Diary>(entityName: "Diary")
      request.predicate = NSPredicate(format: "person == nil AND contact == nil")
      return try root.count(for: request)
    }
  }
}

/// A form in which a contact is edited.
public final class ContactForm {
  private let context: NSManagedObjectContext
  private let contact: Contact

  init(_ contact: Contact, in context: NSManagedObjectContext) {
    (self.contact, self.context) = (contact, context)
  }

  /// What the form shows, and what the user types.
  public var name: String? {
    get { contact.name }
    set { contact.name = newValue }
  }

  /// Whether the form shows the contact of this ID.
  public func shows(_ id: NSManagedObjectID) throws -> Bool {
    try context.object(Contact.self, id) === contact
  }

  /// Gives what is new the IDs that it will have in the store.
  public func obtainPermanentIDs() throws {
    try context.obtainPermanentIDs(for: Array(context.insertedObjects))
  }

  /// Hands the changes to the main context.
  public func done() throws { try context.save() }
}

extension NSManagedObjectContext {
  /// Has each object refreshed that the parent changes, with own changes on top.
  fileprivate func refreshWhenParentChanges(_ mergingDown: NestedContexts.MergingDown) {
    guard mergingDown != .none else { return }
    NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: parent, queue: nil
    ) { [weak self] notification in
      guard let self else { return }
      // The parent posts on its own queue, so its objects may be asked here.
      let ids = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].flatMap { key in
        (notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID)
      }
      if mergingDown == .waiting {
        self.performAndWait { self.refresh(ids) }
      } else {
        self.perform { self.refresh(ids) }
      }
    }
  }

  private func refresh(_ ids: [NSManagedObjectID]) {
    for case let object? in ids.map({ registeredObject(for: $0) }) {
      refresh(object, mergeChanges: true)
    }
  }
}
