extension InvariantDefinition {
  static let copiesAtRestAreCurrent = InvariantDefinition(
    "at rest, what a context shows of an object is what the store has",
    anomalies: [
      Anomaly("stale copy") { shape, _ in
        shape.everyContextFollows ? "every context merges what others save" : nil
      },
      Anomaly("stale copy in a following context", at: .stack, takesOwnSteps: false) { shape, _ in
        shape.hasFollowers ? nil : "no context merges what others save"
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
      if failure.cause?.isPolicy == true {
        return
          "refresh the object after a save that the policy may settle, or keep the error policy: "
          + "the policy drops a change, and the context goes on showing it"
      }
      let merge =
        "merge each save into every context that goes on using its objects, and refresh there what "
        + "the save inserts: a realised object keeps its values until it is refreshed or merged "
        + "(SV-25, FL-07)"
      let reset =
        "reset after a rollback, which takes back merged deletions and keeps values (NT-15, FL-10)"
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
