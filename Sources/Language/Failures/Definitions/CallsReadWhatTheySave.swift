extension InvariantDefinition {
  static let callsReadWhatTheySave = InvariantDefinition(
    "no call of an entry point reads data before a save of it that the call has enqueued",
    anomalies: [
      Anomaly("stale read before a save") { shape, _ in
        shape.readsEarly ? nil : "no entry point reads after it has enqueued a save"
      }
    ],
    severity: .isStale,
    scope: .designs,
    suspects: Suspects([.knownParts, .order], conclusion: .design),
    advice: { _ in
      "read at the end of the block that saves, or enqueue the read from there. A block does not wait for blocks "
        + "that were enqueued on other queues before it (CC-01)"
    },
    wording: { terms in
      "\(terms.context) read before \(terms.otherContext ?? "") had saved the \(terms.detail ?? "change") of "
        + "\(terms.subject); the same call had enqueued this save earlier"
    })
}
