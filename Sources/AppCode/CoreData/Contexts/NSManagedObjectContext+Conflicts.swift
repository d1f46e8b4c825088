import Foundation
import Vocabulary

/// Conflicts that an app-defined merge policy resolves.
extension NSManagedObjectContext {
  /// Returns a Boolean value that indicates whether an app-defined merge policy resolved the
  /// conflicts. Throws the error of the policy if it rejects the save.
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
