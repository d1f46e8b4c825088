import Calibration
import Prose
import Vocabulary

/// Checks the contents of a report that has the right form.
struct ReportCheck {
  private let report: CalibrationReport
  private let list: FactList

  init(_ report: CalibrationReport, _ list: FactList) { (self.report, self.list) = (report, list) }

  /// The first problem, with its place and its correction, or `nil` if the report is valid.
  var problem: String? {
    problemOfHead ?? problemOfTests ?? problemOfFacts ?? problemOfOptions
  }

  private var problemOfHead: String? {
    let system = report.system
    if report.format != CalibrationReport.currentFormat {
      return "format: \(report.format) is not known to this version of Faultline, which reads "
        + "\(CalibrationReport.currentFormat)"
    }
    if system.framework != .coreData {
      return
        "system.framework: 'simulation' shows nothing about Core Data; run the package on a Mac"
    }
    for (key, value) in [
      ("system.name", system.name), ("system.version", system.version),
      ("system.architecture", system.architecture), ("faultline", report.faultline),
    ] where !isWord(value) {
      return
        "\(key): \(quoted(value)) is not a valid name or version; letters, digits, '.', '_' and '-' are "
        + "allowed"
    }
    if !system.frameworkVersion.isEmpty, !isWord(system.frameworkVersion) {
      return "system.frameworkVersion: \(quoted(system.frameworkVersion)) is not a version"
    }
    guard report.date.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else {
      return "date: \(quoted(report.date)) is not a date such as 2026-01-31"
    }
    return nil
  }

  private var problemOfTests: String? {
    var names: Set<String> = []
    if report.tests.isEmpty { return "tests: empty; a report is about at least one test" }
    for (index, test) in report.tests.enumerated() {
      if !names.insert(test.name).inserted {
        return "tests[\(index)].name: \(quoted(test.name)) is given twice; keep one of the two"
      }
      if let id = test.facts.first(where: { !isKnown($0) }) {
        return "tests[\(index)].facts: " + unknown(id)
      }
      if let option = test.option, !Quirk.allCases.contains(where: { $0.name == option.name }) {
        return "tests[\(index)].option.name: \(quoted(option.name)) is not a quirk; "
          + suggestion(for: option.name, among: Quirk.allCases.map(\.name))
      }
    }
    return nil
  }

  /// The first verdict that does not follow from the tests.
  private var problemOfFacts: String? {
    if let index = report.facts.firstIndex(where: { !isKnown($0.id) }) {
      return "facts[\(index)].id: " + unknown(report.facts[index].id)
    }
    let ids = report.facts.map(\.id)
    if let index = ids.indices.first(where: { ids[..<$0].contains(ids[$0]) }) {
      return "facts[\(index)].id: \(ids[index]) is given twice; keep one of the two"
    }
    if let id = report.tests.flatMap(\.facts).first(where: { !ids.contains($0) }) {
      return "facts: \(id) is missing, but a test cites it"
    }
    for (index, (fact, right)) in zip(report.facts, recomputed.facts).enumerated()
    where fact != right {
      return
        "facts[\(index)].verdict: \(fact.id) is '\(fact.verdict.rawValue)', but by its tests it "
        + "is '\(right.verdict.rawValue)'"
    }
    return nil
  }

  private var problemOfOptions: String? {
    let right = recomputed.options
    for (index, option) in report.options.enumerated() {
      guard index < right.count, right[index].name == option.name else {
        return "options[\(index)].name: \(quoted(option.name)) is not the next option of the tests"
      }
      if option != right[index] {
        return
          "options[\(index)].observed: \(option.name) is '\(option.observed.rawValue)', but by "
          + "its tests it is '\(right[index].observed.rawValue)'"
      }
    }
    if report.options.count < right.count {
      return "options: \(right[report.options.count].name) is missing, but a test uses it"
    }
    return nil
  }

  private var recomputed: CalibrationReport {
    CalibrationReport(
      system: report.system, faultline: report.faultline, date: report.date,
      facts: report.facts.map(\.id), tests: report.tests)
  }

  private func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.count <= 40
      && text.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return Character(scalar).isASCII
          && (Character(scalar).isLetter || Character(scalar).isNumber
            || "._-".contains(Character(scalar)))
      }
  }

  private func isKnown(_ id: String) -> Bool { FactID(id).flatMap { list[$0] } != nil }

  private func unknown(_ id: String) -> String {
    "\(quoted(id)) is not a fact; \(FactCoverage.listPath) lists all facts"
  }
}
