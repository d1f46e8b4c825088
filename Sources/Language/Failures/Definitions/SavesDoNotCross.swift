extension InvariantDefinition {
  static let savesDoNotCross = InvariantDefinition(
    "of two overlapping units of work, at least one has seen the changes of the other",
    anomalies: [
      Anomaly("write skew") { shape, _ in
        shape.hasSiblings ? nil : "no two contexts save to the same parent"
      },
      Anomaly("write skew in the store", at: .store) { shape, _ in
        shape.hasSeveralRoots ? nil : "no two contexts save to the stores"
      },
    ],
    severity: .losesData,
    scope: .designs,
    // The parts that move a value are no cause. A policy settles a conflict of one row, and changes
    // of two rows do not conflict.
    suspects: Suspects([.policies, .bypasses], conclusion: .design, namedPart: .none),
    advice: { failure in
      if failure.cause?.isPolicy == true {
        return "keep the error policy where a decision depends on other properties of the row, and "
          + "decide again when the save reports a conflict. Alternatively, decide in one context that "
          + "saves alone"
      }
      // A merge between the saves would hide the conflict of an object that is only touched.
      return "decide in one context that saves alone"
    },
    wording: {
      "\($0.otherContext ?? "") and \($0.context) each changed data that the other had read"
    })
}
