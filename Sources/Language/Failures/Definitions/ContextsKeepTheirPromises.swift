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
      switch failure.cause {
      case .automaticMerge, .observer:
        "let exactly one part bring each save to the context: automaticallyMergesChangesFromParent, an observer "
          + "or a refresh. Each of them announces its objects"
      case .mergePolicy, .mergePolicies:
        "refresh the object after a save whose conflict the policy may settle, or keep the error policy. The "
          + "policy discards a change, but the context still shows the discarded value"
      default:
        "merge each save into the context, and refresh the objects that it inserted itself. A realized object "
          + "keeps its values until it is refreshed or merged (SV-25, FL-07)"
      }
    },
    wording: { terms in
      let detail = terms.detail ?? terms.sentence
      return terms.subject.isEmpty ? detail : "\(detail) \(terms.subject)"
    })
}
