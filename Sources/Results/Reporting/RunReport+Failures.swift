package import Campaigns
import Diagnosis
package import Execution
import Failures
import Invariants
package import Scenario
import ScenarioChecking
import Shrinking
package import Timelines
import Vocabulary

extension RunReport {
  /// Creates a report of a campaign's shrunk and explained counterexample. `command` replays it.
  package init(_ failure: FailureReport, command: String?) {
    self.init(failure.timeline, of: failure.kept(as: failure.fileName))
    subject = failure.kind
    advice = [Advice(kind: failure.kind, cause: failure.causeText, remedy: failure.remedy)]
    self.command = command
    knowProse()
  }

  /// Explores what else could have run in a counterexample. A report does not tell which invariants
  /// its campaign checked, so this method tries each level until the run is the reported run.
  package mutating func exploreExample() {
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    for level in [CheckLevel.design, .proof, .scenario, .code] {
      configuration.checkLevel = level
      explore(Program(scenario), configuration)
      if decisions?.areUnknown == false { return }
    }
  }

  /// Creates a report of the run of a scenario.
  ///
  /// - Complexity: Some ten runs for each kind of violation, to determine its cause.
  package init(
    _ timeline: Timeline, _ outcome: Outcome, of scenario: Scenario,
    _ configuration: RunConfiguration
  ) {
    self.init(timeline, of: scenario)
    subject = scenario.subject(among: outcome.failureKinds)
    let priorEvents = PriorEvents(in: outcome.program.steps, on: outcome.program.stack)
    advice = outcome.failureKinds.compactMap { kind in
      guard let invariant = kind.invariant, let site = kind.site,
        let signature = outcome.failures.first(where: { $0.kind == kind })
      else { return nil }
      // The program's stack is judged as the design, so its parts are named as in a campaign.
      var judging = configuration
      judging.stack = outcome.program.stack
      let experiment = Experiment(of: signature, in: outcome.program, judging)
      let cause = experiment.cause
      let part = experiment.part(for: cause)
      let violation = outcome.violations.first { $0.kind == kind }
      let accesses = experiment.accesses(for: cause, in: part, violation)
      return Advice(
        kind: kind, cause: accesses?.text ?? cause?.text(in: part, waits: violation?.waits ?? []),
        remedy: invariant.definition.remedy(
          for: cause, at: site, after: priorEvents, of: violation?.subject))
    }
  }
}
