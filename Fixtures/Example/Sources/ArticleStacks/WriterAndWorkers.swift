import CoreData
import Foundation

/// A private root that writes, with the main context and any number of workers below it.
///
/// Whoever saves has the root save: an observer of DidSave does it. What a worker saves is merged
/// into the main context first, if the worker is in the directory.
///
/// After "Getting Sexy with Core Data", Code Ramblin's, 2015.
public final class WriterAndWorkers {
  private struct Entry {
    weak var worker: NSManagedObjectContext?
  }

  private let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// The workers, as long as anybody holds them. No lock protects it, as in the article.
  private var directory: [Entry] = []
  private let mergesLater: Bool

  /// What the app's windows show.
  public let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  /// What the last save of the root that failed has thrown.
  public private(set) var lastError: (any Error)?

  /// A stack over an empty store.
  ///
  /// - Parameter mergesLater: Whether a worker's save goes on before the main context merges it.
  public init(mergesLater: Bool = false) throws {
    self.mergesLater = mergesLater
    root.name = "root"
    root.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    root.persistentStoreCoordinator = try Company.coordinator()
    main.name = "main"
    main.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    main.parent = root
    let center = NotificationCenter.default
    center.addObserver(
      self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave,
      object: nil)
    center.addObserver(
      self, selector: #selector(saveRoot), name: .NSManagedObjectContextDidSave, object: main)
  }

  /// A context for work in the background.
  public func worker() -> NSManagedObjectContext {
    let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    worker.name = "worker"
    worker.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    worker.parent = root
    directory.removeAll { $0.worker == nil }
    directory.append(Entry(worker: worker))
    return worker
  }

  @objc private func contextDidSave(_ notification: Notification) {
    guard let worker = notification.object as? NSManagedObjectContext,
      directory.contains(where: { $0.worker === worker })
    else { return }
    if mergesLater {
      main.perform { self.main.mergeChanges(fromContextDidSave: notification) }
    } else {
      main.performAndWait { main.mergeChanges(fromContextDidSave: notification) }
    }
    saveRoot()
  }

  @objc private func saveRoot() {
    root.performAndWait {
      guard root.hasChanges else { return }
      do { try root.save() } catch { lastError = error }
    }
  }

  /// Adds an employee in the main context, and saves.
  public func hire(_ name: String) throws -> NSManagedObjectID {
    let employee = Employee(context: main)
    employee.name = name
    try main.obtainPermanentIDs(for: [employee])
    try main.save()
    return employee.objectID
  }

  /// Changes a title in the main context, and saves.
  public func setTitle(_ title: String, of id: NSManagedObjectID) throws {
    try main.object(Employee.self, id).title = title
    try main.save()
  }

  /// Changes a title in a worker.
  public func importTitle(_ title: String, of id: NSManagedObjectID) {
    let worker = worker()
    worker.perform {
      guard let employee = try? worker.object(Employee.self, id) else { return }
      employee.title = title
      try? worker.save()
    }
  }
}

/// Adds employees in a worker that it keeps.
public final class Recruiter {
  private let stack: WriterAndWorkers
  private let worker: NSManagedObjectContext
  private let obtainsPermanentIDs: Bool
  private var recruits: [Employee] = []

  /// A recruiter with a worker of a stack.
  public init(_ stack: WriterAndWorkers, obtainsPermanentIDs: Bool) {
    self.stack = stack
    worker = stack.worker()
    self.obtainsPermanentIDs = obtainsPermanentIDs
  }

  /// Adds an employee, and saves.
  public func recruit(_ name: String) {
    worker.perform { [self] in
      let recruit = Employee(context: worker)
      recruit.name = name
      if obtainsPermanentIDs { try? worker.obtainPermanentIDs(for: [recruit]) }
      try? worker.save()
      recruits.append(recruit)
    }
  }

  /// How many employees were added, once the worker has done all that it was told.
  public func recruitCount() -> Int { worker.performAndWait { recruits.count } }
}
