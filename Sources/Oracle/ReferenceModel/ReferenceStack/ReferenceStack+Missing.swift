import ObjectModel
import Vocabulary

/// Recovers objects that exist although a read has not found them (ID-25, ID-31).
extension ReferenceStack {
  /// Recovers inaccessible objects before a commit. A read does not delete an object that another
  /// context inserted or restored. §recover
  mutating func recoverMissed(in c: ContextID) {
    for x in pending(in: c) where self[c, x].isMissed && exists(x, above: c) {
      recover(x, in: c)
    }
  }

  /// Makes an inaccessible instance a clean fault again. §forget-inaccessibility
  mutating func recover(_ x: ObjectID, in c: ContextID) {
    needsCollection = true
    self[c, x].turnIntoFault()
    self[c, x].isDeleted = false
  }

  /// Decides whether the object exists above `c`, under any ID, even a leftover temporary ID.
  /// §exists-above
  private func exists(_ x: ObjectID, above c: ContextID) -> Bool {
    guard let parent = contexts[c.index].parent else {
      return storedRow(row(x), under: contexts[c.index].coordinator) != nil
    }
    if let y = lookup(x, in: parent) {
      let copy = self[parent, y]
      if copy.isRemoved && !copy.isMissed { return false }
      if copy.isInserted || !copy.isFault && !copy.isMissed { return true }
    }
    return exists(x, above: parent)
  }
}
