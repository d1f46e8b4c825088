import Testing
import Vocabulary

@Suite struct `An error code` {
  /// The codes of SV-A11 with which a step can fail here.
  @Test(arguments: [
    (ErrorCode.validationManagedObject, 1550), (.validationMultipleErrors, 1560),
    (.validationMissingMandatoryProperty, 1570), (.validationRelationshipLacksMinimumCount, 1580),
    (.validationRelationshipExceedsMaximumCount, 1590),
    (.validationRelationshipDeniedDelete, 1600), (.managedObjectReferentialIntegrity, 133_000),
    (.persistentStoreCrossStoreRelation, 133_010), (.managedObjectMerge, 133_020),
    (.managedObjectConstraintMerge, 133_021), (.persistentStoreSave, 134_030),
  ])
  func `an error code is the number that Apple gives it`(code: ErrorCode, number: Int) {
    #expect(code.rawValue == number)
  }
}
