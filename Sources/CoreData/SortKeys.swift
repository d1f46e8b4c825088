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
    (state.sortKey, state.sortComparison) = (key, comparison)
    state.probedKeys.append(key)
    return AttributeOrder(
      value: state.isProbing ? nil : value(forKeyPath: key), comparison: comparison)
  }
}

extension NSSortDescriptor {
  /// Sorts by the attribute of this name, or the one at the end of a key path over to-one
  /// relationships.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSManagedObject[order: key ?? "", by: nil], ascending: ascending)
  }

  /// Sorts by the attribute of this name: a text, as a method compares it. Such a request may have
  /// neither limit nor offset.
  public convenience init(key: String?, ascending: Bool, selector: SimulatedSelector?) {
    if let selector, selector.compare == nil {
      misuse("a sort descriptor's selector compares no texts")
    }
    self.init(
      keyPath:
        \NSManagedObject[
          order: key ?? "", by: (selector?.compare).map { TextComparison($0) }],
      ascending: ascending)
  }

  /// The name of the attribute, or the key path, that is sorted by.
  public var key: String? { attributeName }

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
    let state = RunState.current
    let probe = root.init(entity: NSEntityDescription(), insertInto: nil)
    (state.sortKey, state.sortComparison, state.probedKeys) = ("", nil, [])
    state.isProbing = true
    defer { state.isProbing = false }
    _ = probe[keyPath: keyPath]
    return state.probedKeys
  }
}

extension NSSortDescriptor {
  /// Whether no store sorts by it here: it has a method.
  var isBeyondStores: Bool { comparison != nil }

  /// Whether no list of the engine sorts by it: likewise, or its key leads over a relationship.
  var isBeyondLists: Bool { isBeyondStores || attributeName.contains(".") }
}

extension NSManagedObjectContext {
  /// The objects in the order of descriptors of which some are beyond stores.
  func sorted(
    _ ids: [ObjectID], by descriptors: [NSSortDescriptor],
    beyond isBeyond: (NSSortDescriptor) -> Bool
  ) -> [ObjectID] {
    guard descriptors.contains(where: isBeyond) else { return ids }
    let comparisons = descriptors.map(\.comparison)
    let paths = descriptors.map { $0.attributeName.split(separator: ".").map(String.init) }
    let shown = run.look { world in
      Dictionary(world.view(of: id).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let rows = ids.map { id in paths.map { value(at: $0[...], of: id, shown) } }
    let positions = rows.indices.sorted { a, b in
      for (index, descriptor) in descriptors.enumerated() {
        let (first, second) = (rows[a][index], rows[b][index])
        let order: Int
        if let comparison = comparisons[index], let first = first as? String,
          let second = second as? String
        {
          order = comparison.compare(first as NSString, second).rawValue
        } else {
          // What is nil comes first.
          let nilFirst = (first == nil ? 0 : 1) - (second == nil ? 0 : 1)
          order = Format.order(first, second, Format.Options()) ?? nilFirst
        }
        if order != 0 { return (order < 0) == descriptor.ascending }
      }
      return a < b
    }
    return positions.map { ids[$0] }
  }

  /// The value at the end of a path over to-one relationships. Of a fault, what the store has:
  /// nothing is fired.
  private func value(
    at path: ArraySlice<String>, of id: ObjectID, _ shown: [ObjectID: InstanceView]
  ) -> Any? {
    let view = shown[id].flatMap { $0.isFault ? nil : $0.values }
    let values = view ?? run.look { $0.storedValues(of: id) } ?? []
    let entity = run.model[id.entity]
    guard let key = path.first, let property = entity.property(named: key).map({ entity[$0] })
    else { misuse("\(entity.name) has no property '\(path.first ?? "")' to sort by") }
    if property.isToMany { misuse("a sort over the to-many relationship '\(key)'") }
    guard property.slot < values.count else { return nil }
    let value = values[property.slot]
    if path.count == 1 { return plain(value, property) }
    return value.objectID.flatMap { self.value(at: path.dropFirst(), of: $0, shown) }
  }
}
