import Vocabulary

extension InvariantDefinition {
  static let savesAreNotIgnored = InvariantDefinition(
    "what was set and saved arrives one level up",
    anomalies: [
      Anomaly("silently ignored save", mainSuspect: .quirk(.childSaveIgnoresEqualValues)) {
        shape, _ in shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("silently ignored save in the store", at: .store) { shape, _ in
        shape.lackOfWriters
          ?? shape.lack(
            of: [.rollback, .mergeByPropertyStoreTrump],
            "no root's policy gives up what is in conflict")
      },
    ],
    severity: .losesData,
    suspects: Suspects(.usual.union(.quirksWithPolicies)),
    advice: { _ in
      "look after the save what became of the object, or keep the error policy, which says so"
    },
    wording: {
      $0.values.count > 1
        ? "\($0.context) saved \($0.first) as \($0.subject), and \($0.last) is what there is"
        : "\($0.context) saved \($0.first) as \($0.subject), which is not there any more"
    })
}
