public import Foundation
import ObjectModel

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

  /// Sorts by the attribute of this name: a text, as a method compares it. Such a request may have
  /// neither limit nor offset, and lists are not sorted so.
  public convenience init(key: String?, ascending: Bool, selector: SimulatedSelector?) {
    self.init(key: key, ascending: ascending)
    guard let selector else { return }
    guard let compare = selector.compare else {
      misuse("a sort descriptor's selector compares no texts")
    }
    RunState.current.comparisons[ObjectIdentifier(self)] = (self, compare)
  }

  /// By the method of its selector; nil without one.
  var comparison: ((NSString, String) -> ComparisonResult)? {
    RunState.current.comparisons[ObjectIdentifier(self)]?.compare
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

extension NSManagedObjectContext {
  /// The objects in the order of descriptors of which some have methods: stores know none of these.
  func sorted(_ ids: [ObjectID], by descriptors: [NSSortDescriptor]) -> [ObjectID] {
    guard descriptors.contains(where: { $0.comparison != nil }) else { return ids }
    let rows = ids.map { id in
      let object = object(for: id)
      return (id, descriptors.map { object.value(forKey: $0.attributeName) })
    }
    let positions = rows.indices.sorted { a, b in
      for (index, descriptor) in descriptors.enumerated() {
        let (first, second) = (rows[a].1[index], rows[b].1[index])
        let order: Int
        if let compare = descriptor.comparison, let first = first as? String,
          let second = second as? String
        {
          order = compare(first as NSString, second).rawValue
        } else {
          // What is nil comes first.
          let nilFirst = (first == nil ? 0 : 1) - (second == nil ? 0 : 1)
          order = Format.order(first, second, Format.Options()) ?? nilFirst
        }
        if order != 0 { return (order < 0) == descriptor.ascending }
      }
      return a < b
    }
    return positions.map { rows[$0].0 }
  }
}
