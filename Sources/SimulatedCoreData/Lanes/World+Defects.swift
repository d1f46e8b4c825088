package import ObjectModel
package import Vocabulary

/// States that no step leads to, to show that `brokenInvariants` notices them.
extension World {
  /// Breaks a rule in `context`, where `object` is realised, has a row and members in `collection`,
  /// and `fault` is a fault.
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
