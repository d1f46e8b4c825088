import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Why an object has the values of before.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// It was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy has resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

/// What has changed, what is loaded, and what is valid.
extension NSManagedObject {
  private var context: NSManagedObjectContext {
    guard let context = owner else {
      misuse("an object is asked for its changes that is in no context")
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

  /// The changed properties and what they are, since the last save (CT-03).
  public func changedValues() -> [String: Any] { values { .changedValues($0) } }

  /// What the properties were when they were last fetched or saved; all of them for nil.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    // Of what was never saved there is nothing.
    if isInserted { return [:] }
    let values = values { .committedValues($0) }
    guard let keys else { return values }
    return values.filter { keys.contains($0.key) }
  }

  /// What has changed since the last ObjectsDidChange, and what it was (CT-05).
  public func changedValuesForCurrentEvent() -> [String: Any] {
    values { .changedValuesForCurrentEvent($0) }
  }

  /// Whether a property that is stored has another value than at the last save.
  public var hasPersistentChangedValues: Bool {
    context.act(.hasPersistentChangedValues(handle.name)).contains(.flag(true))
  }

  /// Whether a relationship is still to be loaded.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let id = run.model[state.id(of: entity)].property(named: key) else {
      misuse("the entity \(entity.name ?? "") has no relationship '\(key)'")
    }
    let context = context
    return run.read { $0.hasFault(handle.name, id, in: context.id) }
  }

  private var run: LiveRun { state.run }

  /// The IDs of the objects of a relationship.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    NSManagedObject.members(of: value(forKey: key)).map(\.objectID)
  }

  // MARK: Several keys

  /// The value behind keys that are joined by dots: of an object that a relationship leads to, or
  /// of all of them as a set.
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

  /// What key-value coding has of an object besides the properties of its entity.
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

  /// 0 of an object whose values are there; else it is a fault.
  public var faultingState: Int { isFault ? 1 : 0 }

  /// Sets the value behind keys that are joined by dots.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    guard let dot = path.lastIndex(of: ".") else { return setValue(value, forKey: path) }
    let owner = self.value(forKeyPath: String(path[..<dot])) as? NSManagedObject
    owner?.setValue(value, forKey: String(path[path.index(after: dot)...]))
  }

  /// The values of several properties; `NSNull` for nil.
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
  /// Sets a declared property, and tells its observers.
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
