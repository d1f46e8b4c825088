/// A dictionary that cannot be walked, so that its order can decide nothing.
///
/// Look-up, insertion and removal cost O(1). To visit the contents, keep the keys elsewhere in an
/// order that means something.
///
/// Inlinable, so that other modules have it specialised for their keys.
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
