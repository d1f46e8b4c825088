import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The reason for which an object was restored to earlier values.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt
  /// Creates an option set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// An update was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

/// Changed values, relationship faults and key paths.
extension NSManagedObject {
  private var context: NSManagedObjectContext {
    guard let context = owner else {
      misuse("the changes of an object that belongs to no context are requested")
    }
    return context
  }

  private func values(_ step: (ObjectName) -> Step) -> [String: Any] {
    let context = context
    let events = context.act(step(handle.name))
    context.report(events, about: self)
    var values: [String: Any] = [:]
    for case .values(_, let contents) in events {
      for content in contents {
        let property = state.property(content.property, of: state.id(of: entity))
        let value =
          content.collection.map { context.members($0, property) }
          ?? context.plain(content.value, property)
        values[property.name] = value ?? NSNull()
      }
    }
    return values
  }

  /// Returns the new values of the properties that changed since the last fetch or save (CT-03).
  public func changedValues() -> [String: Any] { values { .changedValues($0) } }

  /// Returns the last fetched or saved values of properties. Returns the values of all properties
  /// if `keys` is `nil`.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    // An inserted object has no committed values.
    if isInserted { return [:] }
    let values = values { .committedValues($0) }
    guard let keys else { return values }
    return values.filter { keys.contains($0.key) }
  }

  /// Returns the old values of the properties that changed since the last change notification
  /// (CT-05).
  public func changedValuesForCurrentEvent() -> [String: Any] {
    values { .changedValuesForCurrentEvent($0) }
  }

  /// A Boolean value that indicates whether the value of a persistent property differs from the
  /// last save.
  public var hasPersistentChangedValues: Bool {
    context.act(.hasPersistentChangedValues(handle.name)).contains(.flag(true))
  }

  /// Returns a Boolean value that indicates whether a relationship is not loaded yet.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let id = run.model[state.id(of: entity)].property(named: key) else {
      misuse("the entity \(entity.name ?? "") has no relationship '\(key)'")
    }
    let context = context
    return run.read { $0.hasFault(handle.name, id, in: context.id) }
  }

  private var run: LiveRun { state.run }

  /// Returns the IDs of the objects of a relationship.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    NSManagedObject.members(of: value(forKey: key)).map(\.objectID)
  }

  // MARK: Several keys

  /// Returns the value at a key path. Behind a to-many relationship, returns the values of all
  /// members as a set, or the result of an operator.
  public func value(forKeyPath path: String) -> Any? {
    let keys = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard keys.count == 2 else { return value(forKey: path) }
    switch value(forKey: keys[0]) {
    case let set as Set<NSManagedObject>:
      return KeyValueOperator.value(
        of: NSManagedObject.members(of: set), keys[1], isOrdered: false)
    case let set as NSOrderedSet:
      return KeyValueOperator.value(of: NSManagedObject.members(of: set), keys[1], isOrdered: true)
    case let object as NSManagedObject: return object.value(forKeyPath: keys[1])
    case let values as [String: Any]: return values[keys[1]]
    case nil: return nil
    case let value?:
      misuse(
        "'\(keys[1])' of \(type(of: value)): key-value coding of plain objects is not simulated")
    }
  }

  /// Returns the value of a key that is not a property of the entity, such as `objectID`. Returns
  /// `nil` for other keys.
  func valueBesideProperties(forKey key: String) -> Any?? {
    guard entity.propertiesByName[key] == nil else { return nil }
    switch key {
    case "objectID": return .some(objectID)
    case "entity": return .some(entity)
    case "managedObjectContext": return .some(managedObjectContext)
    case "isInserted": return .some(isInserted)
    case "isUpdated": return .some(isUpdated)
    case "isDeleted": return .some(isDeleted)
    case "isFault": return .some(isFault)
    case "hasChanges": return .some(hasChanges)
    case "self": return .some(self)
    default: return nil
    }
  }

  /// The faulting state: 1 for a fault and 0 for an object whose values are loaded.
  public var faultingState: Int { isFault ? 1 : 0 }

  /// Sets the value at a key path.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    guard let dot = path.lastIndex(of: ".") else { return setValue(value, forKey: path) }
    let owner = self.value(forKeyPath: String(path[..<dot])) as? NSManagedObject
    owner?.setValue(value, forKey: String(path[path.index(after: dot)...]))
  }

  /// Returns the values of several properties. A missing value is `NSNull`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// Sets several properties, in the order of their names.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }
}

extension NSManagedObject {
  /// Sets a property that the entity declares and notifies its observers.
  func set(_ value: Any?, _ key: String, _ known: (PropertyID, Property)) {
    guard let context = owner else { return }
    isChangedByHook = true
    let (id, property) = known
    let name = handle.name
    let step: Step
    if let attribute = property.attribute {
      step = .set(name, id, state.value(of: value, attribute.type))
    } else if property.isToMany {
      step = .replace(name, id, NSManagedObject.members(of: value).map(\.handle))
    } else {
      step = .relate(name, id, (value as? NSManagedObject)?.handle)
    }
    state.noteChange(of: key, in: self)
    context.report(context.act(step), about: self)
    state.tellKeyValueObservers()
  }
}
