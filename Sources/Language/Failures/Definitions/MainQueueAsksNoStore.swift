extension InvariantDefinition {
  static let mainQueueAsksNoStore = InvariantDefinition(
    "no block accesses a store while it holds the main queue",
    anomalies: [
      Anomaly("store access on the main queue") { shape, _ in
        if !shape.hasMainQueue { return "no context is on the main queue" }
        return shape.requestsTakeTime ? nil : "the stack declares no time for requests"
      }
    ],
    severity: .delays,
    scope: .designs,
    suspects: Suspects(.parts, programs: [.noPart], conclusion: .design),
    advice: { _ in .keepWorkOffTheMainQueue },
    wording: { "\($0.detail ?? "a block") accessed a store while it held the main queue" })
}
