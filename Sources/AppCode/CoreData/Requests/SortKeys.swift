public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The value by which a sort descriptor compares objects in memory. Stores sort without it.
public struct AttributeOrder: Comparable {
  let value: Any?
  let comparison: TextComparison?

  /// Compares two values as stores do. Nil comes first.
  public static func < (a: AttributeOrder, b: AttributeOrder) -> Bool { a.order(with: b) < 0 }

  /// Returns whether two values are equal in the order.
  public static func == (a: AttributeOrder, b: AttributeOrder) -> Bool { a.order(with: b) == 0 }

  private func order(with other: AttributeOrder) -> Int {
    if let comparison, let text = value as? String, let second = other.value as? String {
      return comparison.compare(text as NSString, second).rawValue
    }
    return PredicateFormat.order(value, other.value, PredicateFormat.Options())
      ?? (value == nil ? 0 : 1) - (other.value == nil ? 0 : 1)
  }
}

/// A method by which a sort descriptor compares texts.
public final class TextComparison: Hashable, Sendable {
  let compare: @Sendable (NSString, String) -> ComparisonResult

  init(_ compare: @escaping @Sendable (NSString, String) -> ComparisonResult) {
    self.compare = compare
  }

  /// Compares the identity of two methods.
  public static func == (a: TextComparison, b: TextComparison) -> Bool { a === b }

  /// Hashes the object's identity. No code iterates over these hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NSManagedObject {
  /// Provides a sort descriptor's value, and reveals the attribute's name and the comparison
  /// method.
  public subscript(order key: String, by comparison: TextComparison?) -> AttributeOrder {
    if state.isProbing { state.noteProbe(of: key) }
    state.sortComparison = comparison
    return AttributeOrder(
      value: state.isProbing ? nil : value(forKeyPath: key), comparison: comparison)
  }

  /// The value that an app-defined comparator receives, which is `NSNull` instead of nil.
  public subscript(compared key: String) -> Any {
    state.sortsByComparator = true
    if state.isProbing {
      state.noteProbe(of: key)
      return NSNull()
    }
    return (value(forKeyPath: key) ?? NSNull()) as Any
  }
}

extension RunState {
  /// Records that a probe was asked for a key.
  func noteProbe(of key: String) {
    sortKey = key
    probedKeys.append(key)
  }
}

extension NSSortDescriptor {
  /// Creates a sort descriptor for an attribute, or for the attribute at the end of a key path over
  /// to-one relationships.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSManagedObject[order: key ?? "", by: nil], ascending: ascending)
  }

  /// Creates a sort descriptor for a text attribute that is compared by a method. `compare:` sorts
  /// as without a method. Traps if the method does not compare texts. A list that is sorted by a
  /// method has neither limit nor offset.
  public convenience init(key: String?, ascending: Bool, selector: SimulatedSelector?) {
    if let selector, selector.compare == nil, selector.name != "compare:" {
      misuse("the selector of a sort descriptor does not compare strings")
    }
    self.init(
      keyPath:
        \NSManagedObject[
          order: key ?? "", by: (selector?.compare).map { TextComparison($0) }],
      ascending: ascending)
  }

  /// Creates a sort descriptor that sorts in memory by an app-defined comparator. No fetch request
  /// accepts it.
  public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self.init(
      keyPath: \NSManagedObject[compared: key ?? "self"], ascending: ascending,
      comparator: comparator)
  }

  /// The name or key path of the attribute.
  public var key: String? { attributeName }

  /// The comparison method, which is `compare:` by default. Nil for a comparator.
  public var selector: SimulatedSelector? {
    guard let comparison else {
      return RunState.current.sortsByComparator ? nil : SimulatedSelector("compare:")
    }
    return SimulatedSelector(comparing: { text in { comparison.compare(text, $0) } })
  }

  /// The text comparison of the selector, or nil without a selector.
  var comparison: TextComparison? {
    _ = attributeName
    return RunState.current.sortComparison
  }

  /// Creates a sort descriptor for the attribute that a property reads, including optional
  /// properties.
  @_disfavoredOverload
  public convenience init<Root: NSManagedObject, Value>(
    keyPath: KeyPath<Root, Value>, ascending: Bool
  ) {
    self.init(key: NSSortDescriptor.key(of: keyPath), ascending: ascending)
  }

  /// The name of the attribute. Traps if the descriptor reads no attribute.
  var attributeName: String { NSSortDescriptor.key(of: keyPath) }

  /// Returns the key that a property reads. It reads the property of a probe object, which records
  /// the key. Traps if the property reads no attribute.
  static func key(of keyPath: AnyKeyPath) -> String {
    _ = keys(of: keyPath)
    let state = RunState.current
    guard !state.sortKey.isEmpty else { misuse("a sort key reads no attribute of the model") }
    return state.sortKey
  }

  /// Returns all keys that a getter reads. A key path such as `\Note.sortTitle` names the getter.
  static func keys(of keyPath: AnyKeyPath) -> [String] {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else {
      misuse("a store can sort only by properties of managed objects")
    }
    return keys(readBy: root) { _ = $0[keyPath: keyPath] }
  }

  /// Returns all keys that `read` requests from an object of the class.
  static func keys(
    readBy type: NSManagedObject.Type, _ read: (NSManagedObject) -> Void
  ) -> [String] {
    let state = RunState.current
    let probe = type.init(entity: NSEntityDescription(), insertInto: nil)
    (state.sortKey, state.sortComparison, state.probedKeys) = ("", nil, [])
    state.sortsByComparator = false
    state.isProbing = true
    defer { state.isProbing = false }
    read(probe)
    return state.probedKeys
  }

  /// Returns a probe object for the destination of a to-one relationship, so that keys behind it
  /// are recorded, as in `\Note.author?.name`.
  ///
  /// Returns nil for other types. Also returns nil behind several relationships, because code may
  /// follow relationships endlessly.
  static func probe<Value>(
    for type: Value.Type, _ object: NSManagedObject, _ key: String
  ) -> Value? {
    guard object.probePath.count(where: { $0 == "." }) < 4,
      let objectClass = ManagedValue.objectClass(of: type)
    else { return nil }
    let probe = objectClass.init(entity: NSEntityDescription(), insertInto: nil)
    probe.probePath = object.probePath + key + "."
    return probe as? Value
  }
}

extension NSSortDescriptor {
  /// A Boolean value that indicates whether no store can sort by the descriptor, because it has a
  /// comparison method. Traps if it has a comparator.
  var isBeyondStores: Bool {
    let hasMethod = comparison != nil
    if RunState.current.sortsByComparator {
      misuse("a store cannot sort with a comparator: Core Data also raises an exception")
    }
    return hasMethod
  }

  /// A Boolean value that indicates whether no list of the engine can sort by the descriptor. This
  /// is the case if it has a comparison method, or if its key leads over a relationship.
  var isBeyondLists: Bool { isBeyondStores || attributeName.contains(".") }
}
