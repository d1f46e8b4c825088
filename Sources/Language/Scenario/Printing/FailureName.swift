package import Vocabulary

/// The name of a failure: Apple's error code, or a custom word for an exception.
package enum FailureName: Hashable, Sendable {
  case error(ErrorCode)
  case inaccessible
  case differentContexts
  case noContext
  case noStore
  case unreachableStore
  case alreadySaved
  case unsupportedRequest
  case willSaveLoop
  case wrongQueue

  package static let all =
    [
      FailureName.error(.managedObjectReferentialIntegrity),
      .error(.persistentStoreCrossStoreRelation), .error(.managedObjectMerge),
      .error(.managedObjectConstraintMerge), .error(.persistentStoreSave),
      .error(.validationManagedObject),
      .error(.validationMultipleErrors), .error(.validationMissingMandatoryProperty),
      .error(.validationRelationshipLacksMinimumCount),
      .error(.validationRelationshipExceedsMaximumCount),
      .error(.validationRelationshipDeniedDelete), .error(.validationNumberTooLarge),
      .error(.validationNumberTooSmall), .error(.validationDateTooLate),
      .error(.validationDateTooSoon), .error(.validationStringTooLong),
      .error(.validationStringTooShort), .inaccessible, .differentContexts, .noContext,
      .noStore, .unreachableStore, .alreadySaved, .unsupportedRequest, .willSaveLoop, .wrongQueue,
    ]

  /// Creates the name of the failure that the caller of the failed method sees.
  package init(_ failure: Failure) {
    self =
      switch failure {
      case .validation(let issues):
        .error(issues.count == 1 ? issues[0].code : .validationMultipleErrors)
      case .mergeConflicts: .error(.managedObjectMerge)
      case .missingObject: .error(.managedObjectReferentialIntegrity)
      case .crossStore: .error(.persistentStoreCrossStoreRelation)
      case .inaccessible: .inaccessible
      case .differentContexts: .differentContexts
      case .noContext: .noContext
      case .constraintConflicts: .error(.managedObjectConstraintMerge)
      case .refusedWrite: .error(.persistentStoreSave)
      case .noStore: .noStore
      case .unreachableStore: .unreachableStore
      case .alreadySaved: .alreadySaved
      case .unsupportedRequest: .unsupportedRequest
      case .willSaveLoop: .willSaveLoop
      case .wrongQueue: .wrongQueue
      }
  }

  /// Returns a Boolean value that indicates whether this is the name of `failure`, or of an issue
  /// that `failure` combines with others.
  package func names(_ failure: Failure) -> Bool {
    if case .validation(let issues) = failure, case .error(let code) = self,
      issues.contains(where: { $0.code == code })
    {
      return true
    }
    return self == FailureName(failure)
  }

  package var text: String {
    switch self {
    case .error(let code): code.name
    case .inaccessible: "inaccessible"
    case .differentContexts: "differentContexts"
    case .noContext: "noContext"
    case .noStore: "noStore"
    case .unreachableStore: "unreachableStore"
    case .alreadySaved: "alreadySaved"
    case .unsupportedRequest: "unsupportedRequest"
    case .willSaveLoop: "willSaveLoop"
    case .wrongQueue: "wrongQueue"
    }
  }
}
