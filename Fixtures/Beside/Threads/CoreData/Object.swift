import Foundation

/// A row of the store. Its version is larger by one after each save that changes it.
struct Row {
  var values: [String: Any]
  var version: Int
}

public final class NSManagedObjectID: NSObject {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var count = 0
  let entityName: String
  let number: Int

  init(entityName: String) {
    self.entityName = entityName
    number = Self.lock.withLock {
      Self.count += 1
      return Self.count
    }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSManagedObjectID)?.number == number
  }
  public override var hash: Int { number }
}

/// An object of one context: the values that were read, and the changes since then.
open class NSManagedObject: NSObject {
  public let objectID: NSManagedObjectID
  private(set) var changes: [String: Any] = [:]
  private var base: Row?

  init(_ id: NSManagedObjectID, _ row: Row?) {
    objectID = id
    base = row
  }

  var baseRow: Row? { base }
  var version: Int { base?.version ?? 0 }
  var isChanged: Bool { base == nil || !changes.isEmpty }

  /// The values with the unsaved changes.
  var row: Row {
    let values = (base?.values ?? [:]).merging(changes) { $1 }
    return Row(values: values, version: version)
  }

  public func value(forKey key: String) -> Any? { changes[key] ?? base?.values[key] }
  public func setValue(_ value: Any?, forKey key: String) { changes[key] = value }

  func didSave(version: Int) { take(Row(values: row.values, version: version)) }

  func take(_ row: Row) {
    base = row
    changes = [:]
  }
}
