import Foundation
import LiveCode

/// A key of the dictionary that describes a change to an observer.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The name of the key.
  public let rawValue: String
  /// Creates a key with a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The key for the kind of change, the raw value of an `NSKeyValueChange`.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The key for the value after the change, or the added members.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The key for the value before the change, or the removed members.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The key for the indexes of changed members of an ordered relationship, an `IndexSet`.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// The key whose value is true if the observer is called before the change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// An observer with a method that is called after changes. In a prepared source, classes that
/// override `observeValue` conform to this protocol, because Foundation has no such method on
/// Linux.
public protocol SimulatedKeyValueObserver: AnyObject {
  /// Called after each change of an observed key path.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

extension SimulatedKeyValueObserver {
  /// Traps, because the observer received a change that it did not register for. A prepared source
  /// calls this method for `super.observeValue(…)` if the superclass observes nothing.
  public func leaveUnobserved(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    misuse("a change of '\(keyPath ?? "")' was received and not handled by \(type(of: self))")
  }
}

/// A registration of an observer for a key path.
struct KeyPathRegistration {
  weak var observer: (any SimulatedKeyValueObserver)?
  /// The identity of the observer. The weak reference is `nil` when the observer removes itself in
  /// its `deinit`.
  let number: ObjectIdentifier
  weak var object: NSObject?
  let path: String
  /// The address that was passed to `addObserver`. The address is only compared, never
  /// dereferenced.
  let context: Int
  let observation: any KeyValueObservation
}

extension NSManagedObject {
  /// Registers an observer, whose `observeValue` method is called after each change of the value at
  /// a key path.
  ///
  /// The key path names a property, or a property of an object that to-one relationships lead to.
  /// The observer is not kept alive.
  public func addObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    let address = Int(bitPattern: context)
    let observation = PropertyObservation(
      self, keys: keys(readAt: path), options,
      value: { ($0.value(forKeyPath: path) ?? NSNull()) as Any },
      state.caller(of: observer, path, address))
    observation.begin()
    state.register(observer, self, path, address, observation)
  }

  /// Returns the key path itself, or the keys that a computed property reads.
  private func keys(readAt path: String) -> [String] {
    guard !path.contains("."), entity.propertiesByName[path] == nil else {
      // Check that the key path exists.
      _ = value(forKeyPath: path)
      return [path]
    }
    guard computedValue(forKey: path) != nil else {
      misuse("the entity \(entity.name ?? "") has no property '\(path)' to observe")
    }
    return NSSortDescriptor.keys(readBy: type(of: self)) { _ = $0.computedValue(forKey: path) }
      + [path]
  }

  /// Removes the observer that was registered last for the key path. Traps if there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String
  ) {
    state.unregister(observer, self, path, nil)
  }

  /// Removes the observer that was registered last for the key path with this context. Traps if
  /// there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    context: UnsafeMutableRawPointer?
  ) {
    state.unregister(observer, self, path, Int(bitPattern: context))
  }
}

extension NSManagedObjectContext {
  /// Registers an observer, whose `observeValue` method is called when `hasChanges` changes. The
  /// observer must not touch the context. Traps for other keys.
  public func addObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    guard path == "hasChanges" else {
      misuse("only the property hasChanges of a context can be observed")
    }
    let address = Int(bitPattern: context)
    let call: (NSManagedObjectContext, ObservedChange) -> Void = state.caller(
      of: observer, path, address)
    state.register(observer, self, path, address, ContextObservation(self, options, call))
  }

  /// Removes the observer that was registered last for the key path. Traps if there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String
  ) {
    state.unregister(observer, self, path, nil)
  }

  /// Removes the observer that was registered last for the key path with this context. Traps if
  /// there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    context: UnsafeMutableRawPointer?
  ) {
    state.unregister(observer, self, path, Int(bitPattern: context))
  }
}

extension RunState {
  /// Returns a closure that calls the observer with the details of a change.
  fileprivate func caller<Object: NSObject>(
    of observer: any SimulatedKeyValueObserver, _ path: String, _ address: Int
  ) -> (Object, ObservedChange) -> Void {
    { [weak observer] object, change in
      var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: change.kind.rawValue]
      dictionary[.newKey] = change.new
      dictionary[.oldKey] = change.old
      dictionary[.indexesKey] = change.indexes
      if change.isPrior { dictionary[.notificationIsPriorKey] = true }
      unsafe observer?.observeValue(
        forKeyPath: path, of: object, change: dictionary,
        context: UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  fileprivate func register(
    _ observer: any SimulatedKeyValueObserver, _ object: NSObject, _ path: String,
    _ address: Int, _ observation: any KeyValueObservation
  ) {
    // A new object may have the address of a deallocated observer.
    for registration in keyPathRegistrations where registration.observer == nil {
      keyValueObservations.removeAll { $0 === registration.observation }
    }
    keyPathRegistrations.removeAll { $0.observer == nil }
    keyPathRegistrations.append(
      KeyPathRegistration(
        observer: observer, number: ObjectIdentifier(observer), object: object, path: path,
        context: address, observation: observation))
    keyValueObservations.append(observation)
  }

  /// Removes the last matching registration. If `address` is `nil`, the context does not matter.
  fileprivate func unregister(
    _ observer: any SimulatedKeyValueObserver, _ object: NSObject, _ path: String,
    _ address: Int?
  ) {
    guard
      let place = keyPathRegistrations.lastIndex(where: {
        $0.number == ObjectIdentifier(observer) && $0.object === object && $0.path == path
          && (address == nil || $0.context == address)
      })
    else {
      misuse("an observer of '\(path)' that is not registered is removed: \(type(of: observer))")
    }
    let observation = keyPathRegistrations.remove(at: place).observation
    keyValueObservations.removeAll { $0 === observation }
  }
}
