public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What the accessors of a prepared class call: `@NSManaged var title: String?` reads
/// `managed("title")`. The values are those of key-value coding, as the property's type has them.
extension NSManagedObject {
  /// The value of a property. A number that is nil is 0 for a property that is not optional, a text
  /// empty, as Objective-C's are; anything else that is nil traps there.
  public func managed<Value>(_ key: String) -> Value {
    converted(value(forKey: key), key)
  }

  /// The value of an attribute that is an enumeration.
  public func managed<Value: RawRepresentable>(_ key: String) -> Value {
    let raw: Value.RawValue = converted(value(forKey: key), key)
    guard let value = Value(rawValue: raw) else {
      misuse("'\(key)' is \(raw), which is no \(Value.self)")
    }
    return value
  }

  /// Sets a property.
  public func setManaged<Value>(_ key: String, _ value: Value) {
    setValue(ManagedValue.plain(value), forKey: key)
  }

  /// Sets an attribute that is an enumeration.
  public func setManaged<Value: RawRepresentable>(_ key: String, _ value: Value) {
    setValue(ManagedValue.plain(value.rawValue), forKey: key)
  }

  /// The value, whatever a class makes of it.
  public func managedPrimitive<Value>(_ key: String) -> Value {
    converted(primitiveValue(forKey: key), key)
  }

  /// Sets an attribute without noting a change.
  public func setManagedPrimitive<Value>(_ key: String, _ value: Value) {
    setPrimitiveValue(ManagedValue.plain(value), forKey: key)
  }

  private func converted<Value>(_ any: Any?, _ key: String) -> Value {
    if state.isProbing, any == nil, let probe = NSSortDescriptor.probe(for: Value.self, self, key) {
      return probe
    }
    guard let value = ManagedValue.converted(any, to: Value.self) else {
      if state.isProbing, let value = ManagedValue.placeholder(of: Value.self) { return value }
      misuse(
        "'\(key)' of \(entity.name ?? "an object") is \(any.map { "\($0)" } ?? "nil"), "
          + "which is no \(Value.self)")
    }
    return value
  }

  // MARK: To-many relationships

  /// Adds an object, or each of a set.
  public func addManaged(_ key: String, _ value: Any) {
    for object in NSManagedObject.members(of: value) { change(key, object) { .add($0, $1, $2) } }
  }

  /// Removes an object, or each of a set.
  public func removeManaged(_ key: String, _ value: Any) {
    for object in NSManagedObject.members(of: value) { change(key, object) { .remove($0, $1, $2) } }
  }

  private func change(
    _ key: String, _ object: NSManagedObject,
    _ step: (ObjectName, PropertyID, HeldInstance) -> Step
  ) {
    let (id, _) = toMany(key)
    guard let context = owner else {
      misuse("'\(key)' of an object changes that is in no context")
    }
    noteChangeByHook()
    state.noteMembersWillChange(of: key, in: self)
    context.report(context.act(step(handle.name, id, object.handle)), about: self)
    state.tellKeyValueObservers()
  }

  /// Inserts an object into an ordered relationship, or the objects of an array at the places of an
  /// index set.
  public func insertManaged(_ key: String, _ value: Any, _ place: Any) {
    var objects = members(of: key)
    let new = NSManagedObject.members(of: value)
    for (object, index) in zip(new, ManagedValue.indexes(place)) {
      objects.insert(object, at: min(index, objects.count))
    }
    arrange(objects, key)
  }

  /// Removes what is at an index, or at those of a set.
  public func removeManaged(_ key: String, at place: Any) {
    var objects = members(of: key)
    for index in ManagedValue.indexes(place).reversed() { objects.remove(at: index) }
    arrange(objects, key)
  }

  /// Replaces what is at an index, or at those of a set.
  public func replaceManaged(_ key: String, _ place: Any, _ value: Any) {
    var objects = members(of: key)
    for (index, object) in zip(ManagedValue.indexes(place), NSManagedObject.members(of: value)) {
      objects[index] = object
    }
    arrange(objects, key)
  }

  /// Gives an ordered relationship these members; observers hear of the difference.
  private func arrange(_ objects: [NSManagedObject], _ key: String) {
    let (id, _) = toMany(key)
    guard let context = owner else {
      return setValue(NSOrderedSet(array: objects), forKey: key)
    }
    noteChangeByHook()
    state.noteMembersWillChange(of: key, in: self)
    context.report(
      context.act(.replace(handle.name, id, objects.map(\.handle))), about: self)
    state.tellKeyValueObservers()
  }

  private func members(of key: String) -> [NSManagedObject] {
    NSManagedObject.members(of: value(forKey: key))
  }

  /// A set that changes the relationship as it is changed.
  public func mutableSetValue(forKey key: String) -> NSMutableSet { ManagedSet(self, key) }

  /// Likewise, for a relationship behind keys that are joined by dots.
  public func mutableSetValue(forKeyPath path: String) -> NSMutableSet {
    let (owner, key) = end(of: path)
    return owner.mutableSetValue(forKey: key)
  }

  /// Likewise, for an ordered one.
  public func mutableOrderedSetValue(forKeyPath path: String) -> NSMutableOrderedSet {
    let (owner, key) = end(of: path)
    return owner.mutableOrderedSetValue(forKey: key)
  }

  private func end(of path: String) -> (NSManagedObject, String) {
    guard let dot = path.lastIndex(of: ".") else { return (self, path) }
    guard let owner = value(forKeyPath: String(path[..<dot])) as? NSManagedObject else {
      misuse("'\(path)' leads over nil, or over something other than an object")
    }
    return (owner, String(path[path.index(after: dot)...]))
  }

  /// An ordered set of the relationship's objects. Changes are written back by `setValue`.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    ManagedOrderedSet(self, key)
  }
}
