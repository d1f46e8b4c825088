import CoreData
import Foundation

/// The employees of a company: a main context on the coordinator, and imports in operations.
///
/// After "Core Data from Scratch: Concurrency", 2014.
public final class ImportingApp {
  private let operations = OperationQueue()

  /// What the app's windows show.
  public let mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)

  /// An app with an empty store.
  ///
  /// - Parameters:
  ///   - mergePolicy: What the main context does about conflicts.
  ///   - runsOneImportAtATime: Whether an import waits for the one before it.
  public init(mergePolicy: NSMergePolicy = .error, runsOneImportAtATime: Bool = false) throws {
    mainContext.name = "main"
    mainContext.mergePolicy = mergePolicy
    mainContext.persistentStoreCoordinator = try Company.coordinator()
    if runsOneImportAtATime { operations.maxConcurrentOperationCount = 1 }
  }

  /// Adds an employee, and saves.
  public func hire(_ name: String) throws -> NSManagedObjectID {
    let employee = Employee(context: mainContext)
    employee.name = name
    try mainContext.save()
    return employee.objectID
  }

  /// Has an employee changed by an import.
  ///
  /// - Parameters:
  ///   - id: The employee.
  ///   - style: How the import works.
  ///   - isRepeated: Whether an import that fails is enqueued again.
  ///   - change: What the import changes.
  public func importChange(
    of id: NSManagedObjectID, _ style: ImportOperation.Style, isRepeated: Bool = false,
    _ change: @escaping (Employee) -> Void
  ) {
    let operation = ImportOperation(of: id, mainContext: mainContext, style, change)
    if isRepeated {
      operation.onFailure = { [self] in importChange(of: id, style, isRepeated: true, change) }
    }
    operations.addOperation(operation)
  }

  /// What the store has of an employee's salary.
  public func storedSalary(of id: NSManagedObjectID) throws -> Int64 {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = mainContext.persistentStoreCoordinator
    return try context.object(Employee.self, id).salary
  }

  /// Waits for the imports, and for those that are enqueued meanwhile.
  public func finishImports() {
    while operations.operationCount > 0 { operations.waitUntilAllOperationsAreFinished() }
  }

  /// Changes a title, and saves.
  public func setTitle(_ title: String, of id: NSManagedObjectID) throws {
    try mainContext.object(Employee.self, id).title = title
    try mainContext.save()
  }

  /// The same, unless an import that is not merged yet has changed the employee. Returns whether
  /// the title was saved. If not, the main context has what the import has saved.
  public func setTitleUnlessImported(_ title: String, of id: NSManagedObjectID) throws -> Bool {
    do {
      try setTitle(title, of: id)
      return true
    } catch let error as CocoaError where error.code == .managedObjectMerge {
      let employee = try mainContext.object(Employee.self, id)
      mainContext.refresh(employee, mergeChanges: false)
      return false
    }
  }
}

/// Changes an employee in a context of its own.
public final class ImportOperation: Operation, @unchecked Sendable {
  /// How an import works.
  public enum Style: Sendable {
    /// In a context on the coordinator, whose save the main context merges.
    case besideMain
    /// In a child of the main context.
    case belowMain
    /// Like `belowMain`, but on the thread of the operation, not on the queue of the context.
    case belowMainOnOwnThread
  }

  private let id: NSManagedObjectID
  private let mainContext: NSManagedObjectContext
  private let style: Style
  private let change: (Employee) -> Void

  /// Called if the import has failed.
  fileprivate var onFailure: () -> Void = {}

  fileprivate init(
    of id: NSManagedObjectID, mainContext: NSManagedObjectContext, _ style: Style,
    _ change: @escaping (Employee) -> Void
  ) {
    (self.id, self.mainContext, self.style, self.change) = (id, mainContext, style, change)
  }

  /// Makes the context, and works in it.
  public override func main() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.name = "import"
    switch style {
    case .besideMain:
      context.persistentStoreCoordinator = mainContext.persistentStoreCoordinator
      NotificationCenter.default.addObserver(
        self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave,
        object: context)
      context.performAndWait { work(in: context) }
    case .belowMain:
      context.parent = mainContext
      context.performAndWait { work(in: context) }
    case .belowMainOnOwnThread:
      context.parent = mainContext
      work(in: context)
    }
  }

  private func work(in context: NSManagedObjectContext) {
    do {
      change(try context.object(Employee.self, id))
      if context.hasChanges { try context.save() }
    } catch {
      onFailure()
    }
  }

  @objc private func contextDidSave(_ notification: Notification) {
    DispatchQueue.main.async { [mainContext] in
      mainContext.mergeChanges(fromContextDidSave: notification)
    }
  }
}
