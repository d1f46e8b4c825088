import CoreData
import Foundation

/// Two windows on one store, each with a context of its own on their coordinator. Neither hears of
/// what the other does, but for deletions.
///
/// After "Change Management" of Apple's Core Data Programming Guide, 2009.
public final class TwoWindows {
  /// What the second window does when the first has deleted an employee.
  public enum DeletionStrategy: Sendable {
    /// It deletes the employee, too, and loses its own changes of it.
    case deleteToo
    /// It drops all that it has, and fetches anew what it shows.
    case resetAndRefetch
    /// It does nothing, and overwrites the deletion by its next save.
    case overwrite
  }

  /// The window in which employees are hired and deleted.
  public let first: Window
  /// The other one.
  public let second: Window

  /// Windows on an empty store.
  ///
  /// - Parameters:
  ///   - mergePolicy: What both windows do about conflicts.
  ///   - strategy: What the second window does about deletions.
  public init(mergePolicy: NSMergePolicy, strategy: DeletionStrategy? = nil) throws {
    let coordinator = try Company.coordinator()
    first = Window("first", coordinator, mergePolicy)
    second = Window("second", coordinator, strategy == .overwrite ? .overwrite : mergePolicy)
    guard let strategy, strategy != .overwrite else { return }
    NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: first.context, queue: nil
    ) { [second] notification in
      let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
      guard !deleted.isEmpty else { return }
      if strategy == .deleteToo {
        second.forget(deleted.map(\.objectID))
      } else {
        second.startAgain(without: deleted.map(\.objectID))
      }
    }
  }
}

/// A window that shows employees.
public final class Window {
  fileprivate let context: NSManagedObjectContext
  private var shown: [Employee] = []

  fileprivate init(
    _ name: String, _ coordinator: NSPersistentStoreCoordinator, _ mergePolicy: NSMergePolicy
  ) {
    context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.name = name
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = mergePolicy
  }

  /// Adds an employee, and saves.
  public func hire(_ name: String) throws -> NSManagedObjectID {
    let employee = Employee(context: context)
    employee.name = name
    shown.append(employee)
    try context.save()
    return employee.objectID
  }

  /// Shows an employee.
  public func show(_ id: NSManagedObjectID) throws {
    shown.append(try context.object(Employee.self, id))
  }

  /// The titles of the employees that are shown.
  public var titles: [String?] { shown.map(\.title) }

  /// Changes the title of all employees that are shown.
  public func setTitle(_ title: String) {
    for employee in shown { employee.title = title }
  }

  /// Raises the salary of all employees that are shown.
  public func raiseSalaries(by amount: Int64) {
    for employee in shown { employee.salary += amount }
  }

  /// Deletes the employees that are shown, and saves.
  public func deleteAll() throws {
    for employee in shown { context.delete(employee) }
    shown = []
    try context.save()
  }

  /// Saves.
  public func save() throws {
    if context.hasChanges { try context.save() }
  }

  /// Saves. What is in conflict is taken from the store instead, and returns whether that was so.
  public func saveOrTakeOver() throws -> Bool {
    do {
      try save()
      return false
    } catch let error as NSError where error.code == NSManagedObjectMergeError {
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      for conflict in conflicts ?? [] {
        context.refresh(conflict.sourceObject, mergeChanges: false)
      }
      try save()
      return true
    }
  }

  /// How many employees the store has.
  public func employeeCount() throws -> Int {
    let request = NSFetchRequest<Employee>(entityName: "Employee")
    request.includesPendingChanges = false
    return try context.count(for: request)
  }

  /// Deletes what another context has deleted.
  fileprivate func forget(_ ids: [NSManagedObjectID]) {
    for id in ids {
      guard let employee = context.registeredObject(for: id) else { continue }
      context.delete(employee)
      shown.removeAll { $0 === employee }
    }
  }

  /// Drops all changes, and fetches what was shown and is left.
  fileprivate func startAgain(without deleted: [NSManagedObjectID]) {
    let kept = shown.map(\.objectID).filter { !deleted.contains($0) }
    shown = []
    context.reset()
    let request = NSFetchRequest<Employee>(entityName: "Employee")
    request.predicate = NSPredicate(format: "SELF IN %@", kept)
    shown = (try? context.fetch(request)) ?? []
  }
}
