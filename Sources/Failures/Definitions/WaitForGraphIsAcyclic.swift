extension InvariantDefinition {
  static let waitForGraphIsAcyclic = InvariantDefinition(
    "the wait-for graph has no cycle",
    anomalies: [
      Anomaly("deadlock") { shape, _ in shape.hasOneQueue ? "there is one queue" : nil },
      Anomaly("deadlock by the stack", at: .stack) { shape, _ in
        shape.hasOneQueue ? "there is one queue" : nil
      },
    ],
    // Any step less changes which lane comes first, and so does any quirk by which a fetch asks the
    // store or does not: neither is why two lanes wait for each other.
    suspicion: Suspicion(
      includesQuirks: false, includesMergePolicies: false, includesBypasses: false,
      conclusion: .design),
    advice: { cause, _ in
      cause == .automaticMerge
        ? "let no context merge automatically whose parent's queue may be waiting for it: merge in a perform of its "
          + "own (CC-07)"
        : "wait in one direction only: perform or async towards a queue that may be waiting, performAndWait or "
          + "sync towards none, and no sync towards the queue that the code runs on (CC-07)"
    })
}
