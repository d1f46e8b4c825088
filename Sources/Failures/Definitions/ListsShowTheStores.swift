extension InvariantDefinition {
  static let listsShowTheStores = InvariantDefinition(
    "a list at rest shows what the stores have",
    anomalies: [Anomaly("stale list")],
    scope: .designs,
    // Lists are wrong by what they are told, not by what is saved.
    suspicion: Suspicion(includesMergePolicies: false, conclusion: .design),
    advice: { _ in
      "merge every save into the list's context, fetch the list anew after batch requests (FE-17), and let "
        + "the event of an insertion end before the list is fetched"
    },
    wording: { "\($0.detail ?? "a list") of \($0.context) is not what the stores have" })
}
