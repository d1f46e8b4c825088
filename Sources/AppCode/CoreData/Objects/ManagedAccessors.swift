public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The accessors of `@NSManaged` properties in prepared classes. For example, the getter of
/// `@NSManaged var title: String?` calls `managed("title")`. Values are read by key-value coding
/// and converted to the type of the property.
extension NSManagedObject {
  /// Returns the value of a property. For a property that is not optional, `nil` becomes 0 or an
  /// empty string, as in Objective-C. Traps if any other such property is `nil`.
  public func managed<Value>(_ key: String) -> Value {
    converted(value(forKey: key), key)
  }

  /// Returns the value of an attribute whose type is an enumeration.
  public func managed<Value: RawRepresentable>(_ key: String) -> Value {
    let raw: Value.RawValue = converted(value(forKey: key), key)
    guard let value = Value(rawValue: raw) else {
      misuse("'\(key)' is \(raw), which is not a value of \(Value.self)")
    }
    return value
  }

  /// Sets a property.
  public func setManaged<Value>(_ key: String, _ value: Value) {
    setValue(ManagedValue.plain(value), forKey: key)
  }

  /// Sets an attribute whose type is an enumeration.
  public func setManaged<Value: RawRepresentable>(_ key: String, _ value: Value) {
    setValue(ManagedValue.plain(value.rawValue), forKey: key)
  }

  /// Returns the primitive value of a property, without calling accessors that the class overrides.
  public func managedPrimitive<Value>(_ key: String) -> Value {
    converted(primitiveValue(forKey: key), key)
  }

  /// Sets the primitive value of an attribute without recording a change.
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
          + "which is not a value of \(Value.self)")
    }
    return value
  }

  // MARK: To-many relationships

  /// Adds an object, or all objects of a collection, to a to-many relationship.
  public func addManaged(_ key: String, _ value: Any) {
    for object in NSManagedObject.members(of: value) { change(key, object) { .add($0, $1, $2) } }
  }

  /// Removes an object, or all objects of a collection, from a to-many relationship.
  public func removeManaged(_ key: String, _ value: Any) {
    for object in NSManagedObject.members(of: value) { change(key, object) { .remove($0, $1, $2) } }
  }

  private func change(
    _ key: String, _ object: NSManagedObject,
    _ step: (ObjectName, PropertyID, HeldInstance) -> Step
  ) {
    let (id, _) = toMany(key)
    guard let context = owner else {
      misuse("'\(key)' is changed on an object that belongs to no context")
    }
    noteChangeByHook()
    state.noteMembersWillChange(of: key, in: self)
    context.report(context.act(step(handle.name, id, object.handle)), about: self)
    state.tellKeyValueObservers()
  }

  /// Inserts an object into an ordered relationship at an index, or the objects of an array at the
  /// indexes of an index set.
  public func insertManaged(_ key: String, _ value: Any, _ place: Any) {
    var objects = members(of: key)
    let new = NSManagedObject.members(of: value)
    for (object, index) in zip(new, ManagedValue.indexes(place)) {
      objects.insert(object, at: min(index, objects.count))
    }
    arrange(objects, key)
  }

  /// Removes the objects at an index, or at the indexes of an index set, from an ordered
  /// relationship.
  public func removeManaged(_ key: String, at place: Any) {
    var objects = members(of: key)
    for index in ManagedValue.indexes(place).reversed() { objects.remove(at: index) }
    arrange(objects, key)
  }

  /// Replaces the objects at an index, or at the indexes of an index set, of an ordered
  /// relationship.
  public func replaceManaged(_ key: String, _ place: Any, _ value: Any) {
    var objects = members(of: key)
    for (index, object) in zip(ManagedValue.indexes(place), NSManagedObject.members(of: value)) {
      objects[index] = object
    }
    arrange(objects, key)
  }

  /// Replaces the members of an ordered relationship. Observers receive the difference.
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

  /// Returns a set that changes the relationship when the set is changed.
  public func mutableSetValue(forKey key: String) -> NSMutableSet { ManagedSet(self, key) }

  /// Returns a set that changes the relationship at a key path when the set is changed.
  public func mutableSetValue(forKeyPath path: String) -> NSMutableSet {
    let (owner, key) = end(of: path)
    return owner.mutableSetValue(forKey: key)
  }

  /// Returns an ordered set that changes the relationship at a key path when the set is changed.
  public func mutableOrderedSetValue(forKeyPath path: String) -> NSMutableOrderedSet {
    let (owner, key) = end(of: path)
    return owner.mutableOrderedSetValue(forKey: key)
  }

  private func end(of path: String) -> (NSManagedObject, String) {
    guard let dot = path.lastIndex(of: ".") else { return (self, path) }
    guard let owner = value(forKeyPath: String(path[..<dot])) as? NSManagedObject else {
      misuse("the key path '\(path)' leads through nil, or through a value that is not an object")
    }
    return (owner, String(path[path.index(after: dot)...]))
  }

  /// Returns an ordered set that changes the relationship when the set is changed.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    ManagedOrderedSet(self, key)
  }
}
