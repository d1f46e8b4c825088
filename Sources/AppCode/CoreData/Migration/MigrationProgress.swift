/// An observer of the progress of a migration.
final class MigrationProgressObserver {
  let call: (Float) -> Void
  /// The identity of the observer that was passed to `addObserver`, and the context address. Both
  /// are only compared.
  var registration: (observer: ObjectIdentifier, context: Int)?

  init(_ call: @escaping (Float) -> Void) { self.call = call }
}

extension NSMigrationManager {
  /// Calls `changeHandler` when `migrationProgress` changes. Traps for other key paths.
  public func observe<Value>(
    _ keyPath: KeyPath<NSMigrationManager, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard keyPath as AnyKeyPath == \NSMigrationManager.migrationProgress else {
      misuse("only the property migrationProgress of a migration manager can be observed")
    }
    func tell(_ old: Float?, by manager: NSMigrationManager) {
      let change = ObservedChange(
        new: options.contains(.new) ? manager.migrationProgress : nil,
        old: options.contains(.old) ? old : nil)
      changeHandler(manager, NSKeyValueObservedChange(change) { $0 as? Value })
    }
    let observer = MigrationProgressObserver { [weak self] old in
      if let self { tell(old, by: self) }
    }
    progressObservers.append(observer)
    if options.contains(.initial) { tell(nil, by: self) }
    return NSKeyValueObservation { [weak self] in
      self?.progressObservers.removeAll { $0 === observer }
    }
  }

  /// Registers an observer, whose `observeValue` method is called when `migrationProgress` changes.
  /// Traps for other keys.
  public func addObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    guard path == "migrationProgress" else {
      misuse("only the property migrationProgress of a migration manager can be observed")
    }
    let address = Int(bitPattern: context)
    func tell(
      _ old: Float?, by manager: NSMigrationManager, _ observer: (any SimulatedKeyValueObserver)?
    ) {
      var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
      if options.contains(.new) { dictionary[.newKey] = manager.migrationProgress }
      if options.contains(.old) { dictionary[.oldKey] = old }
      unsafe observer?.observeValue(
        forKeyPath: path, of: manager, change: dictionary,
        context: UnsafeMutableRawPointer(bitPattern: address))
    }
    let entry = MigrationProgressObserver { [weak self, weak observer] old in
      if let self { tell(old, by: self, observer) }
    }
    entry.registration = (ObjectIdentifier(observer), address)
    progressObservers.append(entry)
    if options.contains(.initial) { tell(nil, by: self, observer) }
  }

  /// Removes the observer that was registered last. Traps if there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String
  ) {
    remove(observer, path) { _ in true }
  }

  /// Removes the observer that was registered last with this context. Traps if there is none.
  public func removeObserver(
    _ observer: any SimulatedKeyValueObserver, forKeyPath path: String,
    context: UnsafeMutableRawPointer?
  ) {
    let address = Int(bitPattern: context)
    remove(observer, path) { $0 == address }
  }

  private func remove(
    _ observer: any SimulatedKeyValueObserver, _ path: String, where isMeant: (Int) -> Bool
  ) {
    let place = progressObservers.lastIndex { entry in
      guard let registration = entry.registration else { return false }
      return registration.observer == ObjectIdentifier(observer) && isMeant(registration.context)
    }
    guard let place, path == "migrationProgress" else {
      misuse("an observer of '\(path)' that is not registered is removed: \(type(of: observer))")
    }
    progressObservers.remove(at: place)
  }
}
