extension AnyKeyPath {
  /// The key that the property of a managed object reads, such as `author.name`. A prepared source
  /// uses this property for `_kvcKeyPathString`.
  ///
  /// Key paths contain no names on Linux, so the property is read from a probe object without a
  /// context. The value is `nil` if no key is read, or if the root is not a managed object.
  public var simulatedKeyPathString: String? {
    guard let root = type(of: self).rootType as? NSManagedObject.Type else { return nil }
    let keys = NSSortDescriptor.keys(readBy: root) { _ = $0[keyPath: self] }
    return keys.isEmpty ? nil : RunState.current.sortKey
  }
}
