import ObjectModel
import Vocabulary

/// Counterpart of `NSPersistentStore`.
struct Store: Hashable, Sendable {
  var rows = IDTable<Row>()
  /// The temporary ID that became key 1, 2, …; nil where a batch request made the row.
  var temporaryIDs: [ObjectID?] = []
  /// The first key that it gave out itself: those below are of the stores that were destroyed in
  /// its place.
  var firstKey = 1
  /// The one entry of its metadata that programs set (SV-27).
  var metadata = 0
  /// Which of the writes to come it refuses: 1 is the next.
  var refusedWrite: Int? = nil
}

/// Counterpart of `NSPersistentStoreCoordinator`.
struct Coordinator: Hashable, Sendable {
  /// Those that are attached now, in the order in which they were added.
  var stores: [StoreID]
  /// By store: what the next save of a root writes to its metadata.
  var pendingMetadata: [Int?]
}

/// A DidSave, or what a batch request did: what contexts merge, by number.
struct Announcement: Hashable, Sendable {
  var sets: ChangeSets
  /// Above the context that saved or executed the request.
  var root: ContextID
  /// Something was written to stores: the save of a root, or a batch request.
  var isOfStores: Bool
}

/// The beginning of an object, by the serial of its temporary ID.
struct Birth: Hashable, Sendable {
  var context: Int
  var name: Int?
  var permanentID: ObjectID? = nil
  /// Where it is to be saved (PS-02).
  var assignedStore: StoreID? = nil
}
