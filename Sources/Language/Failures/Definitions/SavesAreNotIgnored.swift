import Vocabulary

extension InvariantDefinition {
  static let savesAreNotIgnored = InvariantDefinition(
    "a value that was set and saved reaches the parent context or the store",
    anomalies: [
      Anomaly("silently ignored save", mainSuspect: .quirk(.childSaveIgnoresEqualValues)) {
        shape, _ in shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("silently ignored save in the store", at: .store) { shape, _ in
        shape.lackOfWriters
          ?? shape.lack(
            of: [.rollback, .mergeByPropertyStoreTrump],
            "no root context has a policy that discards conflicting changes")
      },
    ],
    severity: .losesData,
    suspects: Suspects(.usual.union(.quirksWithPolicies)),
    advice: { _ in
      "check the object after the save, or keep the error policy, which reports the conflict"
    },
    wording: {
      $0.values.count > 1
        ? "\($0.context) saved \($0.first) as \($0.subject), but after the save the value is \($0.last)"
        : "\($0.context) saved \($0.first) as \($0.subject), but after the save the value no longer exists"
    })
}
