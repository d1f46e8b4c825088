import Failures
import Invariants
import Scenario
import Timelines
import Vocabulary

/// A violation that the exported test is about: what happens, at which step, and what proves it.
struct Problem {
  /// What happened in an action of the run, as a sentence without a full stop.
  struct Remark {
    let performance: Int
    /// The step as the prose counts it.
    let step: Int
    let text: String
  }

  let violation: Violation
  /// `Lost update`
  let name: String
  /// `sync saved "second" over "first", which it had never seen, as n.title.`
  let sentence: String
  /// The action that showed it; nil if it was found in the end.
  let performance: Int?
  /// The reads, writes and saves that prove it.
  let proof: [Remark]

  init(_ violation: Violation, in scenario: Scenario, _ rehearsal: Rehearsal) {
    self.violation = violation
    name = capitalized(violation.kind.name)
    let finding = violation.finding(in: rehearsal.program)
    sentence = ExportedProse.plain(finding.sentence)
    performance =
      violation.isFoundAtEnd ? nil : rehearsal.performance(ofStep: violation.stepNumber)
    proof = finding.proof.compactMap { line in
      rehearsal.performance(ofStep: line.step).map {
        Remark(performance: $0, step: line.step, text: ExportedProse.plain(line.text))
      }
    }
  }
}

extension Rehearsal {
  /// What the scenario claims to show; of one that claims nothing of the kind, what stops an app or
  /// loses data. Of each kind the first.
  func problems(of scenario: Scenario) -> [Problem] {
    let claimed = scenario.claims.compactMap { claim -> FailureKind? in
      if case .shows(let kind) = claim.condition { kind } else { nil }
    }
    var problems: [Problem] = []
    for violation in violations
    where !problems.contains(where: { $0.violation.kind == violation.kind }) {
      let isMeant =
        claimed.isEmpty
        ? violation.invariant.severity <= .losesData : claimed.contains(violation.kind)
      if isMeant { problems.append(Problem(violation, in: scenario, self)) }
    }
    return problems
  }
}

extension Invariant {
  /// Whether what the step answers at which it is violated would be another if it held: an error,
  /// or another value.
  var isShownByAnswer: Bool {
    switch severity {
    case .refuses, .isStale: true
    case .losesData: self == .SavesAreNotIgnored
    case .stops, .confuses, .delays: false
    }
  }

  /// Whether a row would be there if it held.
  var isShownByMissingRow: Bool {
    self == .AcknowledgedSavesOutliveAKill || self == .SavedChangesAreInTheStore
      || self == .SavesReachAStore
  }

  /// Whether it is about a value that was saved over another.
  var isShownByWhatWasSaved: Bool {
    self == .SavedUpdatesAreNotLost || self == .MergedUpdatesAreNotLost
  }
}
