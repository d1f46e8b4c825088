extension InvariantDefinition {
  static let mainQueueKeepsWithinItsBudget = InvariantDefinition(
    "no block holds the main queue for longer than its budget",
    anomalies: [
      Anomaly("main queue blocked") { shape, _ in
        if !shape.hasMainQueue { return "no context is on the main queue" }
        return shape.hasMainQueueBudget ? nil : "the main queue has no budget"
      }
    ],
    severity: .delays,
    scope: .designs,
    // The run knows which part took the time. Other parts are not tried, because omitting a part
    // may reorder the steps so that the main queue need not wait.
    suspects: Suspects(.knownParts, conclusion: .program),
    advice: { failure in
      failure.cause == .program
        ? "do long work on another queue, and return to the main queue with the result"
        : .keepWorkOffTheMainQueue
    })
}
