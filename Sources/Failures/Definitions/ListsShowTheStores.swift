extension InvariantDefinition {
  static let listsShowTheStores = InvariantDefinition(
    "a list at rest shows what the stores have",
    anomalies: [Anomaly("stale list")],
    scope: .designs,
    // Lists are wrong by what they are told, not by what is saved.
    suspicion: Suspicion(includesMergePolicies: false, conclusion: .design),
    advice: { _, happenings in
      if happenings.contains(.batchRequest) {
        return "fetch the list anew after a batch request, which tells no list (FE-17)"
      }
      if happenings.contains(.save) { return "merge every save into the list's context" }
      return "let the event of an insertion or a deletion end before the list is fetched: "
        + "processPendingChanges, or the end of the block"
    },
    wording: { "\($0.detail ?? "a list") of \($0.context) is not what the stores have" })
}
