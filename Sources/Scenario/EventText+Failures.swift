import ObjectModel
import Vocabulary

extension EventText {
  /// A failure as a sentence: Apple's name and code, if it has one, and what is wrong with what.
  func text(_ failure: Failure) -> String {
    switch FailureName(failure) {
    case .error(let code): "\(code.name) \(code.rawValue): \(reason(failure))"
    case let name: "\(name.text): \(reason(failure))"
    }
  }

  private func reason(_ failure: Failure) -> String {
    switch failure {
    case .validation(let issues): issues.map(text).joined(separator: "; ")
    case .mergeConflicts(let conflicts): conflicts.map(text).joined(separator: "; ")
    case .missingObject(let object): "no row for \(name(object))"
    case .crossStore(let object, let property):
      "\(path(object, property)) leads into another store"
    case .inaccessible(let object): "Core Data could not fulfill a fault for \(name(object))"
    case .differentContexts:
      "illegal attempt to establish a relationship between objects in different contexts"
    case .noContext: "the object belongs to no context any more"
    }
  }

  private func text(_ issue: Failure.Issue) -> String {
    let complaint =
      switch issue.code {
      case .validationMissingMandatoryProperty: "is required"
      case .validationRelationshipLacksMinimumCount: "has too few objects"
      case .validationRelationshipExceedsMaximumCount: "has too many objects"
      case .validationRelationshipDeniedDelete: "denies the deletion"
      case .validationNumberTooLarge: "is too large"
      case .validationNumberTooSmall: "is too small"
      case .validationDateTooLate: "is too late"
      case .validationDateTooSoon: "is too soon"
      case .validationStringTooLong: "is too long"
      case .validationStringTooShort: "is too short"
      case .validationMultipleErrors, .managedObjectReferentialIntegrity,
        .persistentStoreCrossStoreRelation, .managedObjectMerge:
        "is not valid"
      }
    return "\(path(issue.object, issue.property)) \(complaint)"
  }

  /// A row has a version, what a parent context holds has none.
  private func text(_ conflict: Failure.Conflict) -> String {
    let object = name(conflict.object)
    if conflict.oldVersion == 0 && conflict.newVersion == 0 {
      return "\(object) is not in the parent as it was loaded from there"
    }
    let there = conflict.newVersion == 0 ? "no such row" : "version \(conflict.newVersion)"
    return "\(object) was loaded as version \(conflict.oldVersion), the store has \(there)"
  }
}
