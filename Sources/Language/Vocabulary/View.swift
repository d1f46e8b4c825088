package import ObjectModel

/// The state that a context shows of one registered instance. A program cannot distinguish equal
/// views.
package struct InstanceView: Hashable, Sendable {
  package var id: ObjectID
  package var isFault: Bool
  package var isInserted: Bool
  package var isUpdated: Bool
  package var isDeleted: Bool
  /// The values of attributes and to-one relationships, by slot. Empty for a fault.
  package var values: [Value]
  package var collections: [[ObjectID]]

  /// Written out for speed, because views are compared after every step. Cheap fields come first,
  /// and elements are compared one by one because `!=` on arrays dispatches through a table.
  package static func == (a: Self, b: Self) -> Bool {
    guard a.id == b.id, a.isFault == b.isFault, a.isInserted == b.isInserted,
      a.isUpdated == b.isUpdated, a.isDeleted == b.isDeleted, a.values.count == b.values.count,
      a.collections.count == b.collections.count
    else { return false }
    for index in a.values.indices where a.values[index] != b.values[index] { return false }
    for index in a.collections.indices where !(a.collections[index] == b.collections[index]) {
      return false
    }
    return true
  }

  package init(
    id: ObjectID, isFault: Bool, isInserted: Bool, isUpdated: Bool, isDeleted: Bool,
    values: [Value], collections: [[ObjectID]]
  ) {
    self.id = id
    self.isFault = isFault
    self.isInserted = isInserted
    self.isUpdated = isUpdated
    self.isDeleted = isDeleted
    self.values = values
    self.collections = collections
  }
}

/// A row of a store.
package struct RowView: Hashable, Sendable {
  package var id: ObjectID
  package var version: Int
  package var values: [Value]
  package var collections: [[ObjectID]]

  package init(id: ObjectID, version: Int, values: [Value], collections: [[ObjectID]]) {
    self.id = id
    self.version = version
    self.values = values
    self.collections = collections
  }
}
