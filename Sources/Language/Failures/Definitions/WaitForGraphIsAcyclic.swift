extension InvariantDefinition {
  static let waitForGraphIsAcyclic = InvariantDefinition(
    "the wait-for graph has no cycle",
    anomalies: [
      Anomaly("deadlock") { shape, _ in shape.hasOneQueue ? "there is one queue" : nil },
      Anomaly("deadlock by the stack", at: .stack) { shape, _ in
        shape.hasOneQueue ? "there is one queue" : nil
      },
    ],
    severity: .stops,
    // Omitting any step changes which lane comes first, and so does a quirk that decides whether a
    // fetch asks the store. Neither is the reason that two lanes wait for each other.
    suspects: Suspects(.parts.union(.order), conclusion: .design),
    advice: { failure in
      if failure.priorEvents.contains(.groupWait), failure.cause != .automaticMerge {
        return
          "leave the group on every path that has entered it, and wait for it on no queue that is needed to "
          + "leave it; notify instead of wait holds no queue"
      }
      return failure.cause == .automaticMerge
        ? "let no context merge automatically whose parent's queue may be waiting for it: merge in a perform of its "
          + "own (CC-07)"
        : "replace performAndWait or sync by perform or async in one step of the cycle: queues may wait in one "
          + "direction only, and no code may call sync for the queue that it runs on (CC-07)"
    })
}
