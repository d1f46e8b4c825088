import ObjectModel
import Vocabulary

/// Merge policies, including an app-defined policy that also changes the objects in conflict.
extension TestWriter {
  /// Returns a merge policy, such as `NSMergePolicy.overwrite`.
  func policy(_ policy: MergePolicy) -> String {
    // The error policy resolves no conflict, and rollback leaves no changes to save.
    guard resolvesConflicts, policy != .error, policy != .rollback else {
      return "NSMergePolicy.\(policy)"
    }
    return "\(policyName)(merge: .\(policy)MergePolicyType)"
  }

  /// The app-defined merge policy class, which follows the test case. Empty if the app defines
  /// none.
  var policyClass: [Statement] {
    if !resolvesConflicts { return [] }
    var changes: [Statement] = []
    for (index, entity) in model.entities.enumerated() {
      let actions = entity.hookActions.filter { $0.hook == .resolveConflicts }
      if actions.isEmpty { continue }
      let body = actions.flatMap { statements(for: $0, of: EntityID(index), on: "object.") }
      changes.append(.block("if object.entity.name == \"\(entity.name)\" {", body))
    }
    let loop = Statement.block(
      "for object in updated where !object.isDeleted {", changes)
    return [
      .empty,
      .line("/// Resolves conflicts as its superclass does, then changes the objects in conflict."),
      .block(
        "final class \(policyName): NSMergePolicy {",
        [
          .block(
            "override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {",
            [
              // Excludes deleted objects, and objects checked only because of `detectConflicts`.
              .line("let updated = list.map(\\.sourceObject).filter(\\.isUpdated)"),
              .line("try super.resolve(optimisticLockingConflicts: list)"), loop,
            ])
        ]),
    ]
  }

  private var resolvesConflicts: Bool {
    model.entities.contains { $0.hookActions.contains { $0.hook == .resolveConflicts } }
  }

  private var policyName: String { typePrefix + "Policy" }
}
