package import Campaigns
package import Execution
import Failures
import Invariants
package import Scenario
import Shrinking
package import Timelines
import Vocabulary

extension RunReport {
  /// A campaign's counterexample, shrunk and explained; `command` replays it.
  package init(_ failure: FailureReport, command: String?) {
    self.init(failure.timeline, of: failure.example)
    subject = failure.kind
    advice = [Advice(kind: failure.kind, cause: failure.causeText, remedy: failure.remedy)]
    self.command = command
    let known = failure.precedent.map { path in
      failure.standing == .known
        ? "A known failure: \(path) shows it." : "\(path) shows the same."
    }
    remarks =
      ["A failure of the group '\(failure.group.name)', \(failure.frequency).", known]
      .compactMap(\.self)
      + ([failure.certificate.sentence] + failure.explanation.text).map(sentence)
  }

  /// The run of a scenario, or of a program that was written as one. Looks for the cause of each
  /// kind of violation, which costs some ten runs.
  package init(
    _ timeline: Timeline, _ outcome: Outcome, of scenario: Scenario,
    _ configuration: RunConfiguration
  ) {
    self.init(timeline, of: scenario)
    subject = scenario.subject(among: outcome.failureKinds)
    let happenings = Happenings(in: outcome.program.steps, on: outcome.program.stack)
    advice = outcome.failureKinds.compactMap { kind in
      guard let invariant = kind.invariant,
        let signature = outcome.failures.first(where: { $0.kind == kind })
      else { return nil }
      let attribution = Attribution(configuration)
      let cause = attribution.cause(of: signature, in: outcome.program)
      let part = attribution.part(of: signature, cause, in: outcome.program)
      return Advice(
        kind: kind, cause: cause?.text(in: part),
        remedy: invariant.definition.remedy(for: cause, after: happenings))
    }
  }
}

/// As prose: with a capital letter and a full stop.
private func sentence(_ text: String) -> String {
  let start = text.prefix(1).uppercased() + text.dropFirst()
  return start.hasSuffix(".") || start.hasSuffix(":") ? start : start + "."
}
