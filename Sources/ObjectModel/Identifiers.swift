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
/// Packed into one word, so that tables of IDs are flat, in the order in which IDs sort: from the
/// highest bit on whether it is temporary, its number (40 bits), the store (7) and the entity (16).
@usableFromInline package struct ObjectID: Hashable, Comparable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable static var temporaryBit: UInt64 { 1 << 63 }

  /// A row of `entity` in `store`. Keys count all rows that the store ever got, from 1 (ID-29).
  package static func permanent(_ entity: EntityID, key: Int, in store: StoreID) -> ObjectID {
    ObjectID(bits: UInt64(key) << 23 | UInt64(store.index) << 16 | UInt64(entity.index))
  }

  /// The `serial`-th object inserted anywhere in this world; serials start at 1.
  package static func temporary(_ entity: EntityID, serial: Int) -> ObjectID {
    ObjectID(bits: temporaryBit | UInt64(serial) << 23 | UInt64(entity.index))
  }

  private init(bits: UInt64) { self.bits = bits }

  @inlinable package var isTemporaryID: Bool { bits & ObjectID.temporaryBit != 0 }
  @inlinable package var entity: EntityID { EntityID(Int(bits & 0xFFFF)) }
  /// The key of a permanent ID or the serial of a temporary one.
  @inlinable package var number: Int { Int(bits >> 23 & 0xFF_FFFF_FFFF) }
  /// The store of a permanent ID; nil for a temporary one.
  @inlinable package var store: StoreID? { isTemporaryID ? nil : StoreID(Int(bits >> 16 & 0x7F)) }

  /// What a digest is fed: the same parts in the order in which digests have always had them.
  @inlinable package var word: UInt64 {
    bits & ObjectID.temporaryBit | UInt64(bits >> 16 & 0x7F) << 56 | UInt64(bits & 0xFFFF) << 40
      | UInt64(number)
  }

  @inlinable package static func == (a: ObjectID, b: ObjectID) -> Bool { a.bits == b.bits }
  @inlinable package static func < (a: ObjectID, b: ObjectID) -> Bool { a.bits < b.bits }
}
