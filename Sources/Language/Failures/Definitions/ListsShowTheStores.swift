extension InvariantDefinition {
  static let listsShowTheStores = InvariantDefinition(
    "at rest, every list shows the contents of the stores",
    anomalies: [
      Anomaly("stale list") { shape, _ in
        shape.everyContextFollows ? "every context merges the saves of other contexts" : nil
      },
      Anomaly("stale list in a following context", at: .stack, takesOwnSteps: false) { shape, _ in
        shape.hasFollowers ? nil : "no context merges the saves of other contexts"
      },
    ],
    severity: .isStale,
    scope: .designs,
    // Lists become wrong by the notifications that they receive or miss, not by saves. A list is
    // judged by the merges that the stack makes into its context, so no part of the stack is the
    // cause.
    suspects: Suspects(
      [.quirks, .bypasses, .outdatedCopies, .ownPolicies, .missingMerges, .order],
      programs: [.oneContext, .rollbacks], conclusion: .design),
    advice: { failure in
      if failure.priorEvents.contains(.batchRequest) {
        return "fetch the list again after a batch request, which notifies no list (FE-17)"
      }
      if failure.cause?.isPolicy == true {
        return
          "fetch the list again after a save whose conflict the policy may settle, or keep the error policy. "
          + "A list is not notified of duplicates that the policy deletes (MP-26)"
      }
      if failure.priorEvents.contains(.save) {
        return
          "merge every save into the list's context. A merge ignores updates of objects that are "
          + "faults there or are not registered. Access the updated objects before the merge, or fetch "
          + "the list again after it (NT-17, NT-18)"
      }
      return "call processPendingChanges after an insertion or a deletion, or let its block end, "
        + "before the list is fetched"
    },
    wording: { "\($0.detail ?? "a list") of \($0.context) does not match the stores" })
}
