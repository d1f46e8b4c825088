import Foundation

public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

public final class NSMergePolicy: Sendable {
  public static let error = NSMergePolicy()
  public static let mergeByPropertyObjectTrump = NSMergePolicy()
}

/// The error of a save whose row another context has changed since it was read.
public struct MergeConflict: Error {}

/// A context on a real queue: a serial one of its own, or the main queue.
///
/// Its objects may be used only by blocks of `perform` and `performAndWait`, and nothing checks
/// this.
public final class NSManagedObjectContext: NSObject {
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  public var name: String?
  public var parent: NSManagedObjectContext?
  public var mergePolicy = NSMergePolicy.error
  var coordinator: Coordinator?
  private let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()
  private var objects: [NSManagedObjectID: NSManagedObject] = [:]

  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    if concurrencyType == .mainQueueConcurrencyType {
      queue = .main
    } else {
      queue = DispatchQueue(label: "NSManagedObjectContext")
    }
    super.init()
    if queue !== DispatchQueue.main { queue.setSpecific(key: key, value: true) }
  }

  public func perform(_ block: @escaping () -> Void) {
    // Core Data's blocks need not be Sendable. The item carries the block to the queue.
    queue.async(execute: DispatchWorkItem(block: block))
  }

  public func performAndWait(_ block: () -> Void) {
    if isOnQueue { block() } else { queue.sync(execute: block) }
  }

  private var isOnQueue: Bool {
    queue === DispatchQueue.main
      ? Thread.isMainThread : DispatchQueue.getSpecific(key: key) == true
  }

  // MARK: - Fetching

  public func fetch<Object: NSManagedObject>(
    _ request: NSFetchRequest<Object>
  ) throws -> [Object] {
    for (id, row) in rows(of: request.entityName) {
      // An object that is registered keeps its values, as in Core Data.
      if objects[id] == nil { objects[id] = NSManagedObject(id, row) }
    }
    return objects.values.filter { $0.objectID.entityName == request.entityName }
      .sorted { $0.objectID.number < $1.objectID.number }.compactMap { $0 as? Object }
  }

  /// The rows as the parent context has them, with its unsaved changes, or as they are in the
  /// store.
  private func rows(of entityName: String) -> [NSManagedObjectID: Row] {
    guard let parent else { return coordinator?.rows(of: entityName) ?? [:] }
    var found: [NSManagedObjectID: Row] = [:]
    parent.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
      for object in (try? parent.fetch(request)) ?? [] { found[object.objectID] = object.row }
    }
    return found
  }

  func insert(_ entityName: String) -> NSManagedObject {
    let object = NSManagedObject(NSManagedObjectID(entityName: entityName), nil)
    objects[object.objectID] = object
    return object
  }

  // MARK: - Saving

  public var hasChanges: Bool { objects.values.contains { $0.isChanged } }

  public func save() throws {
    let changed = objects.values.filter(\.isChanged)
    if changed.isEmpty { return }
    if let parent {
      parent.performAndWait { parent.take(changed) }
      for object in changed { object.didSave(version: object.version) }
    } else {
      let isTrump = mergePolicy === NSMergePolicy.mergeByPropertyObjectTrump
      guard let coordinator else { throw MergeConflict() }
      let saved = try coordinator.save(changed, overwriting: isTrump)
      for object in changed {
        if let row = saved[object.objectID] { object.take(row) }
      }
    }
  }

  /// Takes the changes of a child's objects, which are then unsaved changes of this context.
  private func take(_ changed: [NSManagedObject]) {
    for other in changed {
      let object = objects[other.objectID] ?? NSManagedObject(other.objectID, other.baseRow)
      objects[other.objectID] = object
      for (key, value) in other.changes { object.setValue(value, forKey: key) }
    }
  }
}
