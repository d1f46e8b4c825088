extension InvariantDefinition {
  static let unsavedChangesStayPrivate = InvariantDefinition(
    "unsaved changes are invisible to ancestors and siblings",
    anomalies: [
      Anomaly("dirty read") { _, _ in
        "it takes a bug of the framework: a load asks the levels above, which have what was saved to them"
      }
    ],
    severity: .losesData,
    advice: { _ in nil },
    wording: {
      "\($0.context) loaded \($0.first) as \($0.subject), which another context has not saved"
    })
}
