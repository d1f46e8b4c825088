extension AnyKeyPath {
  /// The name that `_kvcKeyPathString` has in a prepared source: the key that the property of a
  /// managed object reads, as `author.name`. `nil` if it reads none, or is another type's.
  ///
  /// On Linux no key path knows names, so an object without a context is asked for the property.
  public var simulatedKeyPathString: String? {
    guard let root = type(of: self).rootType as? NSManagedObject.Type else { return nil }
    let keys = NSSortDescriptor.keys(readBy: root) { _ = $0[keyPath: self] }
    return keys.isEmpty ? nil : RunState.current.sortKey
  }
}
