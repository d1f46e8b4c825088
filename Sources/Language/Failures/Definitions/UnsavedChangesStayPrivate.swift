extension InvariantDefinition {
  static let unsavedChangesStayPrivate = InvariantDefinition(
    "unsaved changes are invisible to ancestors and siblings",
    anomalies: [
      Anomaly("dirty read") { _, _ in
        "it requires a bug in Core Data, because unsaved changes stay in their context"
      }
    ],
    severity: .losesData,
    advice: { _ in nil },
    wording: {
      "\($0.context) loaded \($0.first) as \($0.subject), which another context has not saved"
    })
}
