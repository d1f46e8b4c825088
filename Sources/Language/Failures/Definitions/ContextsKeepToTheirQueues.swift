extension InvariantDefinition {
  static let contextsKeepToTheirQueues = InvariantDefinition(
    "a context is used only on its queue",
    anomalies: [
      Anomaly("wrong-queue access"),
      Anomaly("wrong-queue access by the stack", at: .stack) { shape, _ in
        shape.goesPastQueues ? nil : "no observer or entry point bypasses a queue"
      },
    ],
    severity: .stops,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .program),
    advice: { _ in "use the context only inside its perform or performAndWait (CC-12)" },
    wording: { terms in
      "\(terms.context) was used by \(terms.step.map { "'\($0)'" } ?? "a block") \(terms.detail ?? "")"
    })
}
