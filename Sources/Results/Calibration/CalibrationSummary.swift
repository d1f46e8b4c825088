/// A summary of a report in a few lines.
package struct CalibrationSummary {
  private let report: CalibrationReport

  package init(_ report: CalibrationReport) { self.report = report }

  package var text: String {
    var lines = [heading]
    let tests = report.tests.filter { $0.option == nil }
    let outcomes = CalibrationReport.Outcome.allCases.compactMap { outcome -> String? in
      let count = tests.count { $0.outcome == outcome }
      return count > 0 || outcome == .passed ? "\(count) \(outcome.rawValue)" : nil
    }
    lines.append("tests: " + outcomes.joined(separator: ", "))
    let verdicts = CalibrationReport.Verdict.allCases.map { "\(report.count($0)) \($0.rawValue)" }
    lines.append("facts: " + verdicts.joined(separator: ", "))
    if !report.options.isEmpty { lines.append("options:") }
    lines += report.options.map { "  \($0.name)  \($0.observed.rawValue)" }
    return lines.joined(separator: "\n")
  }

  private var heading: String {
    let framework =
      switch report.system.framework {
      case .coreData: "Core Data \(report.system.frameworkVersion)"
      case .simulation: "the simulation, not Core Data"
      }
    return "\(report.system.text), \(framework), Faultline \(report.faultline)"
  }
}
