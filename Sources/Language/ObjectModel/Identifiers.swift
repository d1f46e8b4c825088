/// The index of an entity in its `ObjectModel`, in declaration order.
@usableFromInline package struct EntityID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: EntityID, b: EntityID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: EntityID, b: EntityID) -> Bool { a.index == b.index }
}

/// The index of a property in its entity. Inherited properties come first, so a property has the
/// same index in every subentity.
@usableFromInline package struct PropertyID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: PropertyID, b: PropertyID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: PropertyID, b: PropertyID) -> Bool { a.index == b.index }
}

/// The index of a persistent store in declaration order.
@usableFromInline package struct StoreID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: StoreID, b: StoreID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: StoreID, b: StoreID) -> Bool { a.index == b.index }
}

/// Counterpart of `NSManagedObjectID`. Identifies a row, or an object that has no row yet.
///
/// Permanent IDs sort before temporary IDs, and IDs of each kind sort in order of creation.
///
/// An ID is packed into one word whose numeric order is the order of IDs, so that tables of IDs are
/// flat. From the highest bit, the word contains whether the ID is temporary, the number (40 bits),
/// the store (7) and the entity (16).
@usableFromInline package struct ObjectID: Hashable, Comparable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable static var temporaryBit: UInt64 { 1 << 63 }

  /// Returns the ID of a row of `entity` in `store`. Keys count all rows ever added to the store,
  /// from 1 (ID-29).
  package static func permanent(_ entity: EntityID, key: Int, in store: StoreID) -> ObjectID {
    ObjectID(bits: UInt64(key) << 23 | UInt64(store.index) << 16 | UInt64(entity.index))
  }

  /// Returns the ID of the `serial`-th object inserted in any context of the world, counted from 1.
  package static func temporary(_ entity: EntityID, serial: Int) -> ObjectID {
    ObjectID(bits: temporaryBit | UInt64(serial) << 23 | UInt64(entity.index))
  }

  private init(bits: UInt64) { self.bits = bits }

  @inlinable package var isTemporaryID: Bool { bits & ObjectID.temporaryBit != 0 }
  @inlinable package var entity: EntityID { EntityID(Int(bits & 0xFFFF)) }
  /// The key of a permanent ID, or the serial number of a temporary ID.
  @inlinable package var number: Int { Int(bits >> 23 & 0xFF_FFFF_FFFF) }
  /// The store of a permanent ID, or `nil` for a temporary ID.
  @inlinable package var store: StoreID? { isTemporaryID ? nil : StoreID(Int(bits >> 16 & 0x7F)) }

  /// The ID as it is fed into digests. It has its own bit layout, so that recorded digests stay
  /// valid.
  @inlinable package var word: UInt64 {
    bits & ObjectID.temporaryBit | UInt64(bits >> 16 & 0x7F) << 56 | UInt64(bits & 0xFFFF) << 40
      | UInt64(number)
  }

  @inlinable package static func == (a: ObjectID, b: ObjectID) -> Bool { a.bits == b.bits }
  @inlinable package static func < (a: ObjectID, b: ObjectID) -> Bool { a.bits < b.bits }
}
