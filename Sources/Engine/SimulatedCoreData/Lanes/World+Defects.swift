package import ObjectModel
package import Vocabulary

/// States that no step produces, planted to show that `brokenInvariants` detects them.
extension World {
  /// Breaks a rule in `context`. There, `object` must be realised, with a row and with members in
  /// `collection`, and `fault` must be a fault.
  package mutating func plant(
    _ defect: ObjectGraph.Defect, in context: ContextID, object: ObjectID, collection: PropertyID,
    fault: ObjectID
  ) {
    if defect == .unfinishedBlocksAreFinished {
      queues.finishedCount = queues.enqueuedCount + 1
    } else {
      graph.plant(defect, in: context, object: object, collection: collection, fault: fault)
    }
  }
}
