public import Foundation

/// What a sort by an attribute compares; never looked at, because stores sort.
public struct AttributeOrder: Comparable, Sendable {
  /// False: stores know the order.
  public static func < (a: AttributeOrder, b: AttributeOrder) -> Bool { false }
}

extension NSManagedObject {
  /// Leads a sort descriptor to the name of its attribute.
  public subscript(order key: String) -> AttributeOrder {
    state.sortKey = key
    return AttributeOrder()
  }
}

extension NSSortDescriptor {
  /// Sorts by the attribute of this name.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSManagedObject[order: key ?? ""], ascending: ascending)
  }

  /// Sorts by the attribute that a property reads, be it optional.
  @_disfavoredOverload
  public convenience init<Root: NSManagedObject, Value>(
    keyPath: KeyPath<Root, Value>, ascending: Bool
  ) {
    self.init(key: NSSortDescriptor.key(of: keyPath), ascending: ascending)
  }

  /// The name of the attribute that is sorted by. Traps if it is by none.
  var attributeName: String { NSSortDescriptor.key(of: keyPath) }

  /// A probe of the class is asked for the value, and notes the key that is read.
  private static func key(of keyPath: AnyKeyPath) -> String {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else {
      misuse("a store sorts by properties of managed objects only")
    }
    let state = RunState.current
    let probe = root.init(entity: NSEntityDescription(), insertInto: nil)
    state.sortKey = ""
    state.isProbing = true
    defer { state.isProbing = false }
    _ = probe[keyPath: keyPath]
    guard !state.sortKey.isEmpty else { misuse("a sort by a property that reads no attribute") }
    return state.sortKey
  }
}
