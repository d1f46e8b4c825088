/// The number of an entity in its `ObjectModel`, in the order of declaration.
@usableFromInline package struct EntityID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: EntityID, b: EntityID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: EntityID, b: EntityID) -> Bool { a.index == b.index }
}

/// The number of a property in its entity, inherited ones first: a property has the same number in
/// every subentity.
@usableFromInline package struct PropertyID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: PropertyID, b: PropertyID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: PropertyID, b: PropertyID) -> Bool { a.index == b.index }
}

/// A persistent store, numbered in the order in which the stack declares it.
@usableFromInline package struct StoreID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: StoreID, b: StoreID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: StoreID, b: StoreID) -> Bool { a.index == b.index }
}

/// Counterpart of `NSManagedObjectID`: names a row, or an object that has none yet.
///
/// Permanent IDs sort before temporary ones, and each kind in the order in which it was given out.
/// Packed into one word, so that tables of IDs are flat.
@usableFromInline package struct ObjectID: Hashable, Comparable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable static var temporaryBit: UInt64 { 1 << 63 }

  /// A row of `entity` in `store`. Keys count all rows that the store ever got, from 1 (ID-29).
  package static func permanent(_ entity: EntityID, key: Int, in store: StoreID) -> ObjectID {
    ObjectID(bits: UInt64(entity.index) << 40 | UInt64(store.index) << 56 | UInt64(key))
  }

  /// The `serial`-th object inserted anywhere in this world; serials start at 1.
  package static func temporary(_ entity: EntityID, serial: Int) -> ObjectID {
    ObjectID(bits: temporaryBit | UInt64(entity.index) << 40 | UInt64(serial))
  }

  private init(bits: UInt64) { self.bits = bits }

  @inlinable package var isTemporaryID: Bool { bits & ObjectID.temporaryBit != 0 }
  @inlinable package var entity: EntityID { EntityID(Int(bits >> 40 & 0xFFFF)) }
  /// The key of a permanent ID or the serial of a temporary one.
  @inlinable package var number: Int { Int(bits & 0xFF_FFFF_FFFF) }
  /// The store of a permanent ID; nil for a temporary one.
  @inlinable package var store: StoreID? { isTemporaryID ? nil : StoreID(Int(bits >> 56 & 0x7F)) }

  /// What a digest is fed.
  package var word: UInt64 { bits }

  @inlinable package static func == (a: ObjectID, b: ObjectID) -> Bool { a.bits == b.bits }

  @inlinable package static func < (a: ObjectID, b: ObjectID) -> Bool {
    // Within a kind: by number first, so that IDs sort in the order in which they were given out.
    if a.isTemporaryID != b.isTemporaryID { return b.isTemporaryID }
    if a.number != b.number { return a.number < b.number }
    return a.bits < b.bits
  }
}
