import Foundation
import Vocabulary

/// What a save does about conflicts if the app has a policy of its own.
extension NSManagedObjectContext {
  /// Whether a policy of the app has resolved conflicts. Throws what it has against the save.
  func isResolved(_ failure: Failure) throws -> Bool {
    guard let policy = mergePolicy as? NSMergePolicy, policy.isOfApp else { return false }
    switch failure {
    case .mergeConflicts(let conflicts):
      try policy.resolve(mergeConflicts: conflicts.map { NSMergeConflict($0, in: self) })
      return true
    case .constraintConflicts(let conflicts):
      try policy.resolve(mergeConflicts: conflicts.map { NSConstraintConflict($0, in: self) })
      return true
    default: return false
    }
  }
}

extension [Event] {
  var failure: Failure? {
    for case .failed(let failure) in self { return failure }
    return nil
  }
}
