import Failures
import ObjectModel
import Vocabulary

/// A unit of work that was saved.
struct SavedUnit: Hashable {
  let context: ContextID
  /// The context that received the save, or `nil` for the stores.
  let parent: ContextID?
  let reads: [UnitOfWork.Read]
  var writes: [UnitOfWork.Write] = []
  /// The end of the unit's last entry in the journal.
  let end: Int

  init(context: ContextID, parent: ContextID?, reads: [UnitOfWork.Read], end: Int) {
    self.context = context
    self.parent = parent
    self.reads = reads
    self.end = end
  }

  /// Returns a read of a value that `other` replaced later, and the write that replaced it.
  func readBefore(
    writesOf other: SavedUnit
  ) -> (read: UnitOfWork.Read, write: UnitOfWork.Write)? {
    for write in other.writes {
      if let read = reads.first(where: {
        $0.object == write.object && $0.property == write.property && $0.seen == .value(write.old)
      }) {
        return (read, write)
      }
    }
    return nil
  }
}

/// If two units of work overlap and save to the same place, one must have seen the other's changes.
/// The literature calls the violation write skew (A5B). Each unit reads a value that the other is
/// about to change, and changes something else, so that no conflict stops either.
extension Violation {
  static func writeSkew(_ first: SavedUnit, _ second: SavedUnit, _ journal: Journal) -> Violation? {
    guard first.context != second.context, first.parent == second.parent,
      !first.writes.isEmpty, !second.writes.isEmpty,
      !second.writes.contains(where: { write in
        first.writes.contains { $0.object == write.object && $0.property == write.property }
      }),
      let firstRead = first.readBefore(writesOf: second),
      let secondRead = second.readBefore(writesOf: first),
      // Only this read and that save decide whether the units overlap. Other reads of the second
      // unit may come before or after the save.
      secondRead.read.since < first.end
    else { return nil }
    var violation = Violation(
      .SavesDoNotCross, in: second.context, object: firstRead.write.object,
      property: firstRead.write.property, values: [firstRead.write.old, firstRead.write.new])
    violation.site = first.parent == nil ? .store : .program
    violation.otherContext = first.context
    violation.proof = journal.lines([
      firstRead.read.position, secondRead.read.position, firstRead.write.position,
      secondRead.write.position,
    ])
    return violation
  }
}
