import CoreData
import Foundation

/// Mistakes that apps make. A stockroom has those that it is created with, and none of the others.
public enum Bug: String, CaseIterable {
  /// Two contexts look for an item, find none, and both insert it.
  case duplicate
  /// Two contexts subtract from one number, and their merge policy lets the later save win.
  case lostUpdate
  /// A rename is reported as done before the parent context saves.
  case earlyCompletion
  /// The main queue waits for the writer, whose block waits for the main queue.
  case deadlock
  /// Blocks of several queues add to one variable without a lock.
  case dataRace
}

/// The items of a shop: a context for views, a writer, and an editor above the writer.
public final class Stockroom {
  private let bugs: Set<Bug>
  private let container: NSPersistentContainer
  private let writer: NSManagedObjectContext
  private let editor: NSManagedObjectContext
  /// The number that the shop's icon shows. Belongs to the main queue.
  public private(set) var badge = 0
  /// How often a customer has looked at an item.
  public var viewCount: Int { bugs.contains(.dataRace) ? views : viewLock.withLock { views } }
  private var views = 0
  private let viewLock = NSLock()

  public init(bugs: Set<Bug>) throws {
    self.bugs = bugs
    container = NSPersistentContainer(name: "Stockroom", managedObjectModel: Self.model())
    container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    writer = container.newBackgroundContext()
    writer.name = "writer"
    editor = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    editor.name = "editor"
    editor.parent = writer
  }

  private static func model() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let count = NSAttributeDescription()
    count.name = "count"
    count.attributeType = .integer64AttributeType
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = [name, count]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  /// Adds an item, and returns when it is saved.
  public func add(_ name: String, count: Int) throws {
    var result = Result<Void, any Error>.success(())
    writer.performAndWait {
      result = Result {
        insertItem(name, count: count, into: writer)
        try writer.save()
      }
    }
    try result.get()
  }

  /// Returns the names and the counts that are in the store.
  public func export() throws -> [String: [Int]] {
    let context = container.newBackgroundContext()
    var result = Result<[String: [Int]], any Error>.success([:])
    context.performAndWait {
      result = Result {
        Dictionary(grouping: try items(in: context), by: \.itemName)
          .mapValues { $0.map(\.itemCount) }
      }
    }
    return try result.get()
  }

  /// Counts a delivered item, which may be the first of its name.
  public func receive(_ name: String, completion: @escaping ((any Error)?) -> Void) {
    work(allowing: .duplicate) { context in
      do {
        if let item = try self.item(name, in: context) {
          item.itemCount += 1
        } else {
          insertItem(name, count: 1, into: context)
        }
        try context.save()
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }

  /// Sells one of an item.
  public func sell(_ name: String, completion: @escaping ((any Error)?) -> Void) {
    work(allowing: .lostUpdate) { context in
      do {
        guard let item = try self.item(name, in: context) else { throw NoSuchItem(name: name) }
        item.itemCount -= 1
        try context.save()
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }

  /// Runs a block in the writer. With the bug, the block runs in a context of its own instead.
  private func work(allowing bug: Bug, _ block: @escaping (NSManagedObjectContext) -> Void) {
    guard bugs.contains(bug) else {
      writer.perform { block(self.writer) }
      return
    }
    container.performBackgroundTask { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      block(context)
    }
  }

  /// Renames an item in the editor, whose parent saves to the store.
  public func rename(
    _ name: String, to newName: String, completion: @escaping ((any Error)?) -> Void
  ) {
    let isEarly = bugs.contains(.earlyCompletion)
    editor.perform {
      do {
        guard let item = try self.item(name, in: self.editor) else { throw NoSuchItem(name: name) }
        item.itemName = newName
        try self.editor.save()
      } catch {
        completion(error)
        return
      }
      self.writer.perform {
        do {
          try self.writer.save()
          if !isEarly { completion(nil) }
        } catch {
          completion(error)
        }
      }
      if isEarly { completion(nil) }
    }
  }

  /// Adds a new item that a server has announced, and then updates the badge.
  public func fetchNews(_ name: String, completion: @escaping () -> Void) {
    let waits = bugs.contains(.deadlock)
    DispatchQueue.global().async {
      self.writer.perform {
        insertItem(name, count: 0, into: self.writer)
        try? self.writer.save()
        let count = (try? items(in: self.writer).count) ?? 0
        let view = self.container.viewContext
        if waits {
          view.performAndWait { self.badge = count }
          completion()
        } else {
          view.perform {
            self.badge = count
            completion()
          }
        }
      }
    }
  }

  /// Returns the number of items. Called by views, on the main queue.
  public func itemCount() throws -> Int {
    var result = Result<Int, any Error>.success(0)
    writer.performAndWait { result = Result { try items(in: writer).count } }
    return try result.get()
  }

  /// Looks at an item, and counts this.
  public func view(_ name: String, completion: @escaping () -> Void) {
    container.performBackgroundTask { context in
      if (try? self.item(name, in: context)) != nil {
        if self.bugs.contains(.dataRace) {
          self.views += 1
        } else {
          self.viewLock.withLock { self.views += 1 }
        }
      }
      completion()
    }
  }

  private func item(
    _ name: String, in context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    try items(in: context).first { $0.itemName == name }
  }
}

/// No item has the name.
public struct NoSuchItem: Error { public let name: String }

private func items(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
  try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
}

private func insertItem(_ name: String, count: Int, into context: NSManagedObjectContext) {
  let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
  item.itemName = name
  item.itemCount = count
}

extension NSManagedObject {
  fileprivate var itemName: String {
    get { value(forKey: "name") as? String ?? "" }
    set { setValue(newValue, forKey: "name") }
  }

  fileprivate var itemCount: Int {
    get { value(forKey: "count") as? Int ?? 0 }
    set { setValue(newValue, forKey: "count") }
  }
}
