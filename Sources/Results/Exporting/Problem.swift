import Failures
import Invariants
import Scenario
import Timelines
import Vocabulary

/// A violation that the exported test demonstrates, with the step at which it occurs and its proof.
struct Problem {
  /// A description of an action in the run, as a sentence without a full stop.
  struct Remark {
    let performance: Int
    /// The number of the step in the prose.
    let step: Int
    let text: String
  }

  let violation: Violation
  /// The name of the violation, such as `Lost update`.
  let name: String
  /// A description of the violation, such as
  /// `sync saved "second" over "first", which it had never seen, as n.title.`
  let sentence: String
  /// The index of the action that showed the violation, or nil if it was found at the end.
  let performance: Int?
  /// The reads, writes and saves that prove the violation.
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
  /// Returns the violations that the scenario claims to show, at most one of each kind. If it
  /// claims none, returns the violations that stop an app or lose data.
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
  /// A Boolean value that indicates whether a violation changes the answer of its step, to an error
  /// or to another value.
  var isShownByAnswer: Bool {
    switch severity {
    case .refuses, .isStale: true
    case .losesData: self == .SavesAreNotIgnored
    case .stops, .confuses, .delays: false
    }
  }

  /// A Boolean value that indicates whether a violation makes a row missing.
  var isShownByMissingRow: Bool {
    self == .AcknowledgedSavesOutliveAKill || self == .SavedChangesAreInTheStore
      || self == .SavesReachAStore
  }

  /// A Boolean value that indicates whether a violation saves one value over another.
  var isShownByWhatWasSaved: Bool {
    self == .SavedUpdatesAreNotLost || self == .MergedUpdatesAreNotLost
  }
}
