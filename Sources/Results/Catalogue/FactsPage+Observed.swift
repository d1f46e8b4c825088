import Calibration
import Prose
import Vocabulary

/// The results of calibration packages on Apple's framework.
extension FactsPage {
  /// The maximum length of a failure's text on the page.
  private static let failureLimit = 160

  var observedSection: [String] {
    [
      "## Observed", "",
      "Results of [calibration packages](../Sources/Faultline/Faultline.docc/CalibratingOnAMac.md) on Apple's",
      "framework. The column *observed* states whether a fact holds there. A fact *holds* if every test of a",
      "scenario that cites it passed. It *does not hold* if all of these tests failed, or if a test failed that",
      "cites no other fact. It is *in doubt* if only some failed. Otherwise the report does not decide it.",
      "Reports are kept in `\(ObservedReport.folder)`; `faultline facts --observed FILE` adds a report.",
      "",
    ]
      + table(
        [
          "report", "system", "Core Data", "Faultline", "date", "passed", "failed", "other",
          "holds",
          "does not hold", "in doubt", "not decided",
        ], reports.map(line)) + refutations + options
  }

  private var reports: [ObservedReport] { coverage.observed }

  private func line(_ observed: ObservedReport) -> String {
    let report = observed.report
    let tests = report.tests.filter { $0.option == nil }
    let passed = tests.count { $0.outcome == .passed }
    let failed = tests.count { $0.outcome == .failed }
    let name = observed.path.split(separator: "/").last ?? ""
    return row([
      "[\(name)](../\(observed.path))", report.system.text, report.system.frameworkVersion,
      report.faultline, report.date, "\(passed)", "\(failed)", "\(tests.count - passed - failed)",
      "\(report.count(.confirmed))", "\(report.count(.refuted))", "\(report.count(.inDoubt))",
      "\(report.count(.notDecided))",
    ])
  }

  /// The facts that do not hold or are in doubt in some report, with the tests that failed.
  private var refutations: [String] {
    var rows: [String] = []
    for fact in coverage.list.facts {
      for observed in reports {
        for test in observed.report.tests
        where test.outcome == .failed && test.facts.contains(fact.id.description) {
          let text = test.failures.first ?? ""
          let limit = FactsPage.failureLimit
          let failure = text.count > limit ? text.prefix(limit) + "…" : text[...]
          rows.append(
            row([
              fact.id.description, observed.report.system.text, escaped(printable(test.source)),
              escaped(printable(String(failure))),
            ]))
        }
      }
    }
    if rows.isEmpty { return [] }
    return ["", "The following tests refute facts or leave them in doubt:", ""]
      + table(["ID", "system", "scenario", "first failure"], rows)
  }

  /// The observed value of each quirk.
  private var options: [String] {
    let rows = Quirk.allCases.compactMap { quirk -> String? in
      let observations = reports.map { observation(of: quirk, $0) }
      guard observations.contains(where: { $0 != nil }) else { return nil }
      let current = Profile.current.quirks.contains(quirk) ? "on" : "off"
      let points = quirk.points.map(\.description).joined(separator: ", ")
      return row(
        ["`\(quirk.name)`", points, current]
          + observations.map { $0?.rawValue ?? "" })
    }
    if rows.isEmpty { return [] }
    return [
      "",
      "The quirks that Core Data shows, according to scenarios that ran with and without each quirk:",
      "",
    ]
      + table(
        ["quirk", "contested points", "profile `current`"] + reports.map(\.report.system.text), rows
      )
  }

  private func observation(
    of quirk: Quirk, _ observed: ObservedReport
  ) -> CalibrationReport.Observation? {
    observed.report.options.first { $0.name == quirk.name }?.observed
  }

  /// Returns the observations of a fact, such as `holds on macOS 15.1 (arm64)`, as one text.
  func observation(of fact: Fact) -> String {
    coverage.observations(of: fact.id).joined(separator: "; ")
  }
}

extension FactCoverage {
  /// Returns the result of each report for a fact, such as `holds on macOS 15.1 (arm64)`. For a
  /// contested point, the results include the observed values of its quirks.
  package func observations(of id: FactID) -> [String] {
    observed.flatMap { observed -> [String] in
      let report = observed.report
      var words: [String] = []
      switch report.facts.first(where: { $0.id == id.description })?.verdict {
      case .confirmed: words.append("holds on \(report.system.text)")
      case .refuted: words.append("does not hold on \(report.system.text)")
      case .inDoubt: words.append("in doubt on \(report.system.text)")
      case .notDecided, nil: break
      }
      for quirk in Quirk.allCases where quirk.points.contains(id) {
        let option = report.options.first { $0.name == quirk.name }
        guard let option, option.observed != .notDecided else { continue }
        words.append("\(quirk.name) \(option.observed.rawValue) on \(report.system.text)")
      }
      return words
    }
  }
}
