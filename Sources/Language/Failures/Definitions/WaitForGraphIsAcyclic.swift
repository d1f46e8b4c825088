extension InvariantDefinition {
  static let waitForGraphIsAcyclic = InvariantDefinition(
    "the wait-for graph has no cycle",
    anomalies: [
      Anomaly("deadlock") { shape, _ in shape.hasOneQueue ? "there is only one queue" : nil },
      Anomaly("deadlock by the stack", at: .stack) { shape, _ in
        shape.hasOneQueue ? "there is only one queue" : nil
      },
    ],
    severity: .stops,
    // Omitting any step changes which lane comes first, and so does a quirk that decides whether a
    // fetch asks the store. Neither is the reason that two lanes wait for each other.
    suspects: Suspects(.parts.union(.order), conclusion: .design),
    advice: { failure in
      if failure.priorEvents.contains(.groupWait), failure.cause != .automaticMerge {
        return
          "leave the group on every path that has entered it, and do not wait for it on a queue that is needed "
          + "to leave it. Call notify instead of wait, because notify holds no queue"
      }
      return failure.cause == .automaticMerge
        ? "turn automatic merging off in a context whose parent's queue may wait for that context, and merge in a "
          + "separate perform (CC-07)"
        : "replace performAndWait or sync with perform or async in one step of the cycle. Queues may wait in only "
          + "one direction, and no code may call sync for the queue that it runs on (CC-07)"
    })
}
