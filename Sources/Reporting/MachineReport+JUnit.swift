import Campaigns
import Failures
import Foundation
import Invariants
import Scenario

extension MachineReport {
  /// A test suite: a test case for the agreement, and one for each kind of violation, met or not.
  /// What is known or left out is skipped, which says why.
  package func junit() -> String {
    var cases =
      report.disagreements.isEmpty
      ? [JUnitSuite.Case("engine and reference model agree", in: "faultline", .passed)]
      : report.disagreements.map(testCase)
    cases += report.violations.map(testCase)
    let violated = Set((report.violations + report.misuses).map(\.kind.name))
    cases += FailureKind.violations.filter { kind in
      !violated.contains(kind.name)
        && (kind.invariant?.judgesDesign != true || report.settings.checkLevel == .design)
    }.map { JUnitSuite.Case($0.name, in: "faultline", .passed) }
    cases += (report.failures?.onlyKept ?? []).map(testCase)
    return JUnitSuite(cases, attributes: times).xml()
  }

  /// ` time="12.345" timestamp="2026-01-31T12:00:00"`; the zone is UTC.
  private var times: String {
    guard let duration else { return "" }
    let milliseconds = Int((duration.seconds * 1_000).rounded())
    let fraction = String(String(1_000 + milliseconds % 1_000).dropFirst())
    let start = ISO8601DateFormatter().string(from: duration.start).dropLast()
    return " time=\"\(milliseconds / 1_000).\(fraction)\" timestamp=\"\(start)\""
  }

  private func testCase(_ failure: FailureReport) -> JUnitSuite.Case {
    let result: JUnitSuite.Result
    if failure.isNew {
      let proof = failure.details.map { $0 + "\n\n" } ?? ""
      let text = proof + ScenarioText.print(failure.example) + "\n" + replay(failure)
      let message = failure.causeText.map { "\(failure.kind): \($0)" } ?? failure.kind.name
      result = .failed(message, text: text)
    } else {
      result = skipped(failure.standing, failure.precedent)
    }
    return JUnitSuite.Case(failure.kind.name, in: "faultline", result)
  }

  private func testCase(_ kept: RegressionCase) -> JUnitSuite.Case {
    let result: JUnitSuite.Result =
      kept.isNew
      ? .failed(kept.title, text: ScenarioText.print(kept.scenario))
      : skipped(kept.standing, kept.precedent)
    return JUnitSuite.Case(kept.path, in: "faultline", result)
  }

  private func skipped(_ standing: Standing, _ precedent: String?) -> JUnitSuite.Result {
    .skipped(
      standing == .known ? "known failure, shown by \(precedent ?? "a scenario")" : standing.name)
  }
}
