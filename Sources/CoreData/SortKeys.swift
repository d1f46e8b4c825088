public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What a sort by an attribute compares in memory; stores sort by themselves.
public struct AttributeOrder: Comparable {
  let value: Any?
  let comparison: TextComparison?

  /// As stores sort: nil first.
  public static func < (a: AttributeOrder, b: AttributeOrder) -> Bool { a.order(with: b) < 0 }

  /// Whether neither comes first.
  public static func == (a: AttributeOrder, b: AttributeOrder) -> Bool { a.order(with: b) == 0 }

  private func order(with other: AttributeOrder) -> Int {
    if let comparison, let text = value as? String, let second = other.value as? String {
      return comparison.compare(text as NSString, second).rawValue
    }
    return Format.order(value, other.value, Format.Options())
      ?? (value == nil ? 0 : 1) - (other.value == nil ? 0 : 1)
  }
}

/// A method by which a sort descriptor compares texts.
public final class TextComparison: Hashable, Sendable {
  let compare: @Sendable (NSString, String) -> ComparisonResult

  init(_ compare: @escaping @Sendable (NSString, String) -> ComparisonResult) {
    self.compare = compare
  }

  /// One object, one method.
  public static func == (a: TextComparison, b: TextComparison) -> Bool { a === b }

  /// By the object. Never iterated.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NSManagedObject {
  /// Leads a sort descriptor to the name of its attribute, and to its method.
  public subscript(order key: String, by comparison: TextComparison?) -> AttributeOrder {
    if state.isProbing { state.noteProbe(of: key) }
    state.sortComparison = comparison
    return AttributeOrder(
      value: state.isProbing ? nil : value(forKeyPath: key), comparison: comparison)
  }

  /// What a comparator of the app's is given; `NSNull` for nil.
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
  /// An object that is asked for its keys alone was asked for this one.
  func noteProbe(of key: String) {
    sortKey = key
    probedKeys.append(key)
  }
}

extension NSSortDescriptor {
  /// Sorts by the attribute of this name, or the one at the end of a key path over to-one
  /// relationships.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSManagedObject[order: key ?? "", by: nil], ascending: ascending)
  }

  /// Sorts by the attribute of this name: a text, as a method compares it; by `compare:`, as
  /// without a method. A list that is sorted by a method has neither limit nor offset.
  public convenience init(key: String?, ascending: Bool, selector: SimulatedSelector?) {
    if let selector, selector.compare == nil, selector.name != "compare:" {
      misuse("a sort descriptor's selector compares no texts")
    }
    self.init(
      keyPath:
        \NSManagedObject[
          order: key ?? "", by: (selector?.compare).map { TextComparison($0) }],
      ascending: ascending)
  }

  /// Sorts objects in memory by what `comparator` makes of their values. No request may have it.
  public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self.init(
      keyPath: \NSManagedObject[compared: key ?? "self"], ascending: ascending,
      comparator: comparator)
  }

  /// The name of the attribute, or the key path, that is sorted by.
  public var key: String? { attributeName }

  /// The method that compares: `compare:` unless it has another; nil with a comparator.
  public var selector: SimulatedSelector? {
    guard let comparison else {
      return RunState.current.sortsByComparator ? nil : SimulatedSelector("compare:")
    }
    return SimulatedSelector(comparing: { text in { comparison.compare(text, $0) } })
  }

  /// The method of its selector; nil without one.
  var comparison: TextComparison? {
    _ = attributeName
    return RunState.current.sortComparison
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
  static func key(of keyPath: AnyKeyPath) -> String {
    _ = keys(of: keyPath)
    let state = RunState.current
    guard !state.sortKey.isEmpty else { misuse("a property that reads no attribute is asked for") }
    return state.sortKey
  }

  /// All keys that a property reads.
  static func keys(of keyPath: AnyKeyPath) -> [String] {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else {
      misuse("a store sorts by properties of managed objects only")
    }
    return keys(readBy: root) { _ = $0[keyPath: keyPath] }
  }

  /// All keys that `read` asks an object of the class for.
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

  /// An object that stands for what a to-one relationship of a probe leads to, so that what is
  /// asked of it is known, too: `\Note.author?.name`. Nil for other types, and far away, where
  /// code may follow relationships without end.
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
  /// Whether no store sorts by it here: it has a method. Traps if it has a comparator.
  var isBeyondStores: Bool {
    let hasMethod = comparison != nil
    if RunState.current.sortsByComparator {
      misuse("stores sort by no comparator: Core Data raises, too")
    }
    return hasMethod
  }

  /// Whether no list of the engine sorts by it: likewise, or its key leads over a relationship.
  var isBeyondLists: Bool { isBeyondStores || attributeName.contains(".") }
}
