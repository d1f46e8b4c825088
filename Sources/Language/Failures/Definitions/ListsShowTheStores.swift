extension InvariantDefinition {
  static let listsShowTheStores = InvariantDefinition(
    "a list at rest shows what the stores have",
    anomalies: [
      Anomaly("stale list") { shape, _ in
        shape.everyContextFollows ? "every context merges what others save" : nil
      },
      Anomaly("stale list in a following context", at: .stack, takesOwnSteps: false) { shape, _ in
        shape.hasFollowers ? nil : "no context merges what others save"
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
        return "fetch the list anew after a batch request, which tells no list (FE-17)"
      }
      if failure.cause?.isPolicy == true {
        return
          "fetch the list anew after a save that the policy may settle, or keep the error policy: "
          + "a list does not hear of duplicates that the policy leaves out (MP-26)"
      }
      if failure.priorEvents.contains(.save) {
        return "merge every save into the list's context; a merge passes over what is a fault "
          + "there or not registered: touch the updated objects before it, or fetch the list anew after "
          + "it (NT-17, NT-18)"
      }
      return "let the event of an insertion or a deletion end before the list is fetched: "
        + "processPendingChanges, or the end of the block"
    },
    wording: { "\($0.detail ?? "a list") of \($0.context) is not what the stores have" })
}
