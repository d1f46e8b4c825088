package import Execution
package import Failures
package import Scenario

/// The contents of a page about one run, including facts from outside the run.
package struct RunReport {
  /// The cause of a violation, and its remedy.
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
  /// The kind of violation that the run is about, or nil for the most severe kind.
  package var subject: FailureKind?
  package var advice: [Advice] = []
  /// The command that shows the run again, or nil if no such command exists.
  package var command: String?
  /// Further facts, one paragraph each, such as how often the violation occurred.
  package var remarks: [String] = []
  /// The scheduling decisions, or nil if their alternatives were not explored.
  package internal(set) var decisions: RunDecisions?
  /// Planted bugs, and options that deviate from the scenario.
  package var options: [String] = []

  package init(_ timeline: Timeline, of scenario: Scenario) {
    self.timeline = timeline
    self.scenario = scenario
  }

  /// The index of the violation that the page opens with, or nil if no invariant was violated.
  package var main: Int? { timeline.mainFinding(about: subject) }

  /// Returns whether the page already contains a paragraph as a remark, a violation with its proof,
  /// or a remedy.
  func says(_ paragraph: String) -> Bool {
    remarks.contains(paragraph)
      || timeline.findings.contains {
        paragraph.hasPrefix("\($0.place): \($0.kind.name). ") && paragraph.contains($0.sentence)
      }
      || advice.contains { advice in
        advice.remedy.map { paragraph == "Remedy: \($0)." } ?? false
      }
  }

  /// Uses the prose of a kept example as remarks, except paragraphs that the page already contains.
  package mutating func knowProse() { remarks = scenario.paragraphs.filter { !says($0) } }

  /// Explores what else could have run, for a page.
  ///
  /// - Complexity: A run of the program for each alternative, up to a limit.
  package mutating func explore(_ program: Program, _ configuration: RunConfiguration) {
    decisions = RunDecisions(of: program, timeline, main: main, configuration)
  }

  func advice(on kind: FailureKind) -> Advice? { advice.first { $0.kind == kind } }
}

extension Scenario {
  /// The paragraphs of the prose, without headings. An empty line ends a paragraph.
  var paragraphs: [String] {
    prose.split(separator: "").map { $0.joined(separator: " ") }
      .filter { !Scenario.isRemarksHeading($0) }
  }

  /// Returns the first of `kinds` that a claim says the scenario shows, or nil if no claim does.
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
