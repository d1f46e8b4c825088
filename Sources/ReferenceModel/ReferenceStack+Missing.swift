import ObjectModel
import Vocabulary

/// Objects that a read has not found, and that turn out to exist (ID-25, ID-31).
extension ReferenceStack {
  /// Before a commit: a read has deleted nothing that another context inserted or brought back.
  mutating func recoverMissed(in c: ContextID) {
    for x in pending(in: c) where self[c, x].isMissed && exists(x, above: c) {
      recover(x, in: c)
    }
  }

  /// A fault again, and as clean as one.
  mutating func recover(_ x: ObjectID, in c: ContextID) {
    needsCollection = true
    self[c, x].turnIntoFault()
    self[c, x].isDeleted = false
  }

  /// Whether `c` could have the object from above, if it went by no ID that has lost its meaning.
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
