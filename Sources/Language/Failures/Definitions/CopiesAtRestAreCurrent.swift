extension InvariantDefinition {
  static let copiesAtRestAreCurrent = InvariantDefinition(
    "at rest, every context shows the stored values of its objects",
    anomalies: [
      Anomaly("stale copy") { shape, _ in
        shape.everyContextFollows ? "every context merges the saves of other contexts" : nil
      },
      Anomaly("stale copy in a following context", at: .stack, takesOwnSteps: false) { shape, _ in
        shape.hasFollowers ? nil : "no context merges the saves of other contexts"
      },
    ],
    severity: .isStale,
    scope: .designs,
    // A context is judged by the merges that the stack makes into it, so no part of the stack is
    // the cause.
    suspects: Suspects(
      [.quirks, .bypasses, .outdatedCopies, .ownPolicies, .missingMerges, .order],
      programs: [.oneContext, .rollbacks], conclusion: .design),
    advice: { failure in
      if failure.cause?.isPolicy == true { return CopyAdvice.policy }
      if failure.priorEvents.contains(.batchRequest) { return CopyAdvice.batchRequest }
      let merge =
        "merge each save into every context that still uses its objects, and refresh inserted objects "
        + "there, because a realized object keeps its values until it is refreshed or merged "
        + "(SV-25, FL-07)"
      let reset =
        "reset after a rollback, because a rollback reverts merged deletions and keeps old values "
        + "(NT-15, FL-10)"
      if !failure.priorEvents.contains(.rollback) { return merge }
      if !failure.priorEvents.contains(.save) { return reset }
      // In a following context, a rollback took back merged changes.
      return failure.site == .stack ? "\(reset); and \(merge)" : "\(merge); and \(reset)"
    },
    wording: { terms in
      terms.values.isEmpty
        ? "\(terms.context) still shows \(terms.subject), whose row is gone"
        : "\(terms.context) still shows \(terms.subject) as \(terms.last); the store has \(terms.first)"
    })
}

/// Advice about copies that show other values than the stores.
enum CopyAdvice {
  static let policy =
    "refresh the object after a save whose conflict the policy may settle, or keep the error policy. "
    + "The policy discards a change, but the context still shows the discarded value"
  static let batchRequest =
    "merge the result of each batch request into the context with mergeChanges(fromRemoteContextSave:into:), or "
    + "refresh its objects. A batch request notifies no context (FE-17)"
}
