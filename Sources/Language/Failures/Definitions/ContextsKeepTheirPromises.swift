extension InvariantDefinition {
  static let contextsKeepTheirPromises = InvariantDefinition(
    "a context keeps its promises",
    anomalies: [
      Anomaly("broken promise of a context") { shape, _ in
        shape.hasContextPromises ? nil : "the stack declares no promise about a context"
      }
    ],
    // A broken promise fails a campaign, even if no data is lost.
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(
      [.quirks, .bypasses, .outdatedCopies, .ownPolicies, .missingMerges, .parts, .order],
      programs: [.oneContext, .rollbacks], conclusion: .design),
    advice: { failure in
      if failure.subject?.statement == .announcesOnce {
        return
          "let exactly one part bring each save to the context: automaticallyMergesChangesFromParent, an observer "
          + "or a refresh. Each of them announces its objects"
      }
      if failure.cause?.isPolicy == true { return CopyAdvice.policy }
      if failure.priorEvents.contains(.batchRequest) { return CopyAdvice.batchRequest }
      return
        "merge each save into the context, and refresh the objects that it inserted itself. A realized object "
        + "keeps its values until it is refreshed or merged (SV-25, FL-07)"
    },
    wording: { terms in
      let detail = terms.detail ?? terms.sentence
      return terms.subject.isEmpty ? detail : "\(detail) \(terms.subject)"
    })
}
