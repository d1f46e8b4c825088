import ObjectModel
import Vocabulary

/// Merge policies: Core Data's, and the app's own, which adds something to what was in conflict.
extension TestWriter {
  /// `NSMergePolicy.overwrite`
  func policy(_ policy: MergePolicy) -> String {
    // The error policy resolves nothing that could be added to, and of what rollback resolves
    // nothing is saved.
    guard resolvesConflicts, policy != .error, policy != .rollback else {
      return "NSMergePolicy.\(policy)"
    }
    return "\(policyName)(merge: .\(policy)MergePolicyType)"
  }

  /// The class of the app's own policy, after the test case; empty if it has none.
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
      .empty, .line("/// Resolves conflicts as its superclass does, and changes what was in one."),
      .block(
        "final class \(policyName): NSMergePolicy {",
        [
          .block(
            "override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {",
            [
              // Not what is deleted, or is looked at because of detectConflicts.
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
