import ObjectModel
import Vocabulary

/// The counterpart of `NSPersistentStore`.
struct Store: Hashable, Sendable {
  var rows = IDTable<Row>()
  /// The temporary IDs that became key 1, 2, and so on. An entry is nil if a batch request created
  /// the row.
  var temporaryIDs: [ObjectID?] = []
  /// The first key of this store. Lower keys belong to stores that were destroyed in its place.
  /// §destroy-store.4
  var firstKey = 1
  /// The only metadata entry that programs set (SV-27).
  var metadata = 0
  /// The number of the later write that the store refuses. 1 is the next write. §refuse-write.2
  var refusedWrite: Int? = nil
}

/// The counterpart of `NSPersistentStoreCoordinator`.
struct Coordinator: Hashable, Sendable {
  /// The attached stores, in the order in which they were added.
  var stores: [StoreID]
  /// Pending metadata, indexed by store, which the next save of a root writes.
  var pendingMetadata: [Int?]
}

/// A DidSave or the result of a batch request, which contexts merge by its number.
struct Announcement: Hashable, Sendable {
  var sets: ChangeSets
  /// The root of the context that saved or executed the request.
  var root: ContextID
  /// A Boolean value that indicates whether stores were written, as by a root's save or a batch
  /// request.
  var isOfStores: Bool
}

/// The insertion of an object.
struct Birth: Hashable, Sendable {
  var context: Int
  var name: Int?
  var permanentID: ObjectID? = nil
  /// The store to which the object was assigned (PS-02). §assign.4
  var assignedStore: StoreID? = nil
}
