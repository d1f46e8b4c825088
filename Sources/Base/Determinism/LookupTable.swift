/// A dictionary that cannot be iterated, so that its order cannot affect a run.
///
/// Lookup, insertion and removal cost O(1). To visit the contents, keep the keys elsewhere in a
/// meaningful order.
///
/// Inlinable, so that other modules specialise it for their keys.
@usableFromInline package struct LookupTable<Key: Hashable, Element> {
  @usableFromInline var storage: [Key: Element] = [:]

  @inlinable package init() {}

  @inlinable package var count: Int { storage.count }
  @inlinable package var isEmpty: Bool { storage.isEmpty }

  @inlinable package subscript(key: Key) -> Element? {
    get { storage[key] }
    set { storage[key] = newValue }
  }

  @inlinable package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }
}

extension LookupTable: Equatable where Element: Equatable {}
extension LookupTable: Hashable where Element: Hashable {}
extension LookupTable: Sendable where Key: Sendable, Element: Sendable {}
