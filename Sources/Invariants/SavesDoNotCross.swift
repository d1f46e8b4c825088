import Failures
import ObjectModel
import Vocabulary

/// A unit of work that went through.
struct SavedUnit: Hashable {
  let context: ContextID
  /// Where it was saved to; nil for the stores.
  let parent: ContextID?
  let reads: [UnitOfWork.Read]
  var writes: [UnitOfWork.Write] = []
  /// The end of its last entry in the journal.
  let end: Int

  init(context: ContextID, parent: ContextID?, reads: [UnitOfWork.Read], end: Int) {
    self.context = context
    self.parent = parent
    self.reads = reads
    self.end = end
  }

  /// The last read of something that `other` then replaced, as it was before that; and the write.
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

/// Of two units of work that overlapped and were saved to the same place, one has seen what the
/// other did. The literature calls the violation write skew (A5B): each looked at what the other
/// was about to change and changed something else, so that no conflict stopped either.
extension Violation {
  static func writeSkew(_ first: SavedUnit, _ second: SavedUnit, _ journal: Journal) -> Violation? {
    guard first.context != second.context, first.parent == second.parent,
      !first.writes.isEmpty, !second.writes.isEmpty,
      !second.writes.contains(where: { write in
        first.writes.contains { $0.object == write.object && $0.property == write.property }
      }),
      let firstRead = first.readBefore(writesOf: second),
      let secondRead = second.readBefore(writesOf: first),
      // Only this read and that save tell whether the units overlap: what else the second has read
      // can come before or after the save as it likes.
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
