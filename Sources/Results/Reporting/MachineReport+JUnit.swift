import Campaigns
import Failures
import InputFiles
import Invariants
import Scenario

extension MachineReport {
  /// Returns a test suite with a test case for the agreement of engine and reference model, and one
  /// for each kind of violation. Kept examples that cannot be read are errors. Warnings and known
  /// or allowed failures are skipped, with a reason, the violation and its details.
  ///
  /// The first case has the time of the runs. A failure has the time for shrinking and explaining
  /// it, and a kept example has the time of its replay. Invariants that hold take no time of their
  /// own, because they are checked while programs run.
  package func junit() -> String {
    let agreement = "engine and reference model agree"
    var cases =
      report.disagreements.isEmpty
      ? [JUnitSuite.Case(agreement, in: "faultline", .passed, seconds: duration?.ofRuns)]
      : report.disagreements.map(testCase)
    cases += report.violations.map(testCase)
    cases += report.unexaminedCounts.map { kind, count in
      let groups = "\(count) group\(count == 1 ? "" : "s") of runs"
      return JUnitSuite.Case(
        kind.name, in: "faultline", .failed("not examined, because the time was up", text: groups),
        seconds: nil)
    }
    if let sentence = report.exerciseSentence {
      cases.append(
        JUnitSuite.Case(
          "programs save", in: "faultline", .failed(sentence, text: ""), seconds: nil))
    }
    let violated = Set(
      (report.violations + report.misuses).map(\.kind.name) + report.unexamined.map(\.name))
    cases += FailureKind.violations.filter { kind in
      !violated.contains(kind.name)
        && (kind.invariant?.judgesDesign != true || report.settings.checkLevel == .design)
    }.map {
      JUnitSuite.Case($0.name, in: "faultline", .passed, seconds: duration.map { _ in 0 })
    }
    cases += (report.failures?.onlyKept ?? []).map(testCase)
    cases += (report.failures?.errors ?? []).map {
      JUnitSuite.Case($0.file, in: "faultline", .broken($0.description), seconds: 0)
    }
    return JUnitSuite(cases, duration: duration.map { ($0.start, $0.seconds) }).xml()
  }

  private func testCase(_ failure: FailureReport) -> JUnitSuite.Case {
    let proof = failure.details.map { $0 + "\n\n" } ?? ""
    let text = proof + ScenarioText.print(failure.example) + "\n" + replay(failure)
    let cause = failure.causeText.map { "\(failure.kind): \($0)" } ?? failure.kind.name
    let finding = failure.sentence.map { "\(failure.kind): \($0)" } ?? cause
    let result: JUnitSuite.Result =
      failure.isNew
      ? .failed(cause, text: text)
      : .skipped(reason(failure.standing, failure.precedent) + ": " + finding, text: text)
    return JUnitSuite.Case(
      failure.kind.name, in: "faultline", result, seconds: failure.seconds)
  }

  private func testCase(_ kept: RegressionCase) -> JUnitSuite.Case {
    let text = ScenarioText.print(kept.scenario)
    let result: JUnitSuite.Result =
      kept.isNew
      ? .failed(kept.title, text: text)
      : .skipped(reason(kept.standing, kept.precedent) + ": " + kept.title, text: text)
    return JUnitSuite.Case(kept.path, in: "faultline", result, seconds: kept.seconds)
  }

  /// Returns the reason why a failure does not count, such as "warning".
  private func reason(_ standing: Standing, _ precedent: String?) -> String {
    standing == .known ? "known failure, shown by \(precedent ?? "a scenario")" : standing.name
  }
}
