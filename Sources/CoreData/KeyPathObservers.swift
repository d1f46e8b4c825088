import Foundation
import LiveCode

/// What a key of the dictionary of a change is about.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key itself.
  public let rawValue: String
  /// From a key.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The number of an `NSKeyValueChange`.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The value after the change, or the members that were added.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before the change, or the members that were removed.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The places of members of an ordered relationship, as an `IndexSet`.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// True where the change is still to come.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// A class with a method that observers are called by: what a class that overrides `observeValue`
/// conforms to in a prepared source. Foundation has no such method on Linux.
public protocol SimulatedKeyValueObserver: AnyObject {
  /// Called after each change of what was registered for.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

extension SimulatedKeyValueObserver {
  /// What `super.observeValue(…)` of a class means whose superclass observes nothing: the change
  /// was not registered for. Traps.
  public func leaveUnobserved(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    misuse("a change of '\(keyPath ?? "")' was received and not handled by \(type(of: self))")
  }
}

/// What an observer was registered with.
struct KeyPathRegistration {
  weak var observer: (any SimulatedKeyValueObserver)?
  /// Of the observer, which is no more to be referred to weakly when its `deinit` removes it.
  let number: ObjectIdentifier
  weak var object: NSObject?
  let path: String
  /// The address that `addObserver` was given. It is compared, and nothing else.
  let context: Int
  let observation: any KeyValueObservation
}

extension NSManagedObject {
  /// Has `observeValue` of `observer` called after each change of what is at a key path: a
  /// property, or one behind to-one relationships. The observer is not kept alive.
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

  /// The key path itself, or what a computed property reads.
  private func keys(readAt path: String) -> [String] {
    guard !path.contains("."), entity.propertiesByName[path] == nil else {
      // Makes sure that there is such a property.
      _ = value(forKeyPath: path)
      return [path]
    }
    guard computedValue(forKey: path) != nil else {
      misuse("the entity \(entity.name ?? "") has no property '\(path)' to be observed")
    }
    return NSSortDescriptor.keys(readBy: type(of: self)) { _ = $0.computedValue(forKey: path) }
      + [path]
  }

  /// Ends what `addObserver` began. Traps if it did not.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String
  ) {
    state.unregister(observer, self, path, nil)
  }

  /// Likewise, for the one of this context.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    context: UnsafeMutableRawPointer?
  ) {
    state.unregister(observer, self, path, Int(bitPattern: context))
  }
}

extension NSManagedObjectContext {
  /// Has `observeValue` of `observer` called when `hasChanges` becomes true or false. It must not
  /// touch the context. Other keys of a context trap.
  public func addObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    guard path == "hasChanges" else { misuse("of a context, hasChanges alone can be observed") }
    let address = Int(bitPattern: context)
    let call: (NSManagedObjectContext, ObservedChange) -> Void = state.caller(
      of: observer, path, address)
    state.register(observer, self, path, address, ContextObservation(self, options, call))
  }

  /// Ends what `addObserver` began. Traps if it did not.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String
  ) {
    state.unregister(observer, self, path, nil)
  }

  /// Likewise, for the one of this context.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    context: UnsafeMutableRawPointer?
  ) {
    state.unregister(observer, self, path, Int(bitPattern: context))
  }
}

extension RunState {
  /// Calls the observer with what has changed.
  fileprivate func caller<Object: NSObject>(
    of observer: any SimulatedKeyValueObserver, _ path: String, _ address: Int
  ) -> (Object, ObservedChange) -> Void {
    { [weak observer] object, change in
      var told: [NSKeyValueChangeKey: Any] = [.kindKey: change.kind.rawValue]
      told[.newKey] = change.new
      told[.oldKey] = change.old
      told[.indexesKey] = change.indexes
      if change.isPrior { told[.notificationIsPriorKey] = true }
      unsafe observer?.observeValue(
        forKeyPath: path, of: object, change: told,
        context: UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  fileprivate func register(
    _ observer: any SimulatedKeyValueObserver, _ object: NSObject, _ path: String,
    _ address: Int, _ observation: any KeyValueObservation
  ) {
    // Another object may have the address of one that has gone.
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

  /// The last one of its kind goes; without a context, the last whatever its context.
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
      misuse("an observer of '\(path)' is removed that is not registered: \(type(of: observer))")
    }
    let observation = keyPathRegistrations.remove(at: place).observation
    keyValueObservations.removeAll { $0 === observation }
  }
}
