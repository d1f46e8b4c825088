package import Failures
package import Scenario

/// What a page says of one run: the run itself, and what is known of it from elsewhere.
package struct RunReport {
  /// What a violation comes from, and what prevents it.
  package struct Advice {
    package var kind: FailureKind
    package var cause: String?
    package var remedy: String?

    package init(kind: FailureKind, cause: String?, remedy: String?) {
      self.kind = kind
      self.cause = cause
      self.remedy = remedy
    }
  }

  package var timeline: Timeline
  /// The program with its model, stack, system and prose.
  package var scenario: Scenario
  /// The kind of violation that the run is about; nil takes the most severe.
  package var subject: FailureKind?
  package var advice: [Advice] = []
  /// The command that shows the run again; nil if there is none.
  package var command: String?
  /// More that is known, a paragraph each: how often it was met, what of it matters.
  package var remarks: [String] = []
  /// Bugs that were planted, or options that deviate from the scenario.
  package var options: [String] = []

  package init(_ timeline: Timeline, of scenario: Scenario) {
    self.timeline = timeline
    self.scenario = scenario
  }

  /// Index of the violation that the page opens on; nil if no invariant was violated.
  package var main: Int? { timeline.mainFinding(about: subject) }

  /// Whether the page has a paragraph anyway: a violation with its proof, or the remedy.
  func says(_ paragraph: String) -> Bool {
    remarks.contains(paragraph)
      || timeline.findings.contains {
        paragraph.hasPrefix("\($0.place): \($0.kind.name). ") && paragraph.contains($0.sentence)
      }
      || advice.contains { advice in
        advice.remedy.map { paragraph == "Remedy: \($0)." } ?? false
      }
  }

  /// Takes what the prose of a kept example says besides its run for what is known of it.
  package mutating func knowProse() { remarks = scenario.paragraphs.filter { !says($0) } }

  func advice(on kind: FailureKind) -> Advice? { advice.first { $0.kind == kind } }
}

extension Scenario {
  /// Its prose without headings; an empty line ends a paragraph.
  var paragraphs: [String] {
    prose.split(separator: "").map { $0.joined(separator: " ") }
      .filter { $0 != Scenario.remarksHeading }
  }

  /// The violation that its claims are about, of those that a run of it showed: the first that a
  /// claim says it shows.
  package func subject(among kinds: [FailureKind]) -> FailureKind? {
    for claim in claims {
      switch claim.condition {
      case .shows(let kind) where kinds.contains(kind): return kind
      case .deadlock:
        if let kind = kinds.first(where: { $0.invariant == .WaitForGraphIsAcyclic }) { return kind }
      default: continue
      }
    }
    return nil
  }
}
