package import Calibration
import Foundation
package import InputFiles
import Prose
import Vocabulary

/// A report of a calibration package that ran on Apple's framework, kept as a file of the checkout.
package struct ObservedReport: Sendable {
  /// The folder of kept reports. It lets the page of facts be written from the checkout alone.
  package static let folder = "Fixtures/Observed"

  /// The path relative to the checkout.
  package let path: String
  package let report: CalibrationReport

  /// Returns all reports of a checkout, sorted by name.
  static func all(root: String, _ list: FactList) throws(InputError) -> [ObservedReport] {
    var reports: [ObservedReport] = []
    for name in names(root: root) {
      let path = "\(folder)/\(name)"
      let text = try TextFile.read(path: "\(root)/\(path)")
      reports.append(ObservedReport(path: path, report: try read(text, file: path, list)))
    }
    return reports
  }

  private static func names(root: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? [])
      .filter { $0.hasSuffix(".json") }.sorted()
  }

  /// Returns the path at which the checkout keeps a report, and whether it must be written there.
  ///
  /// The file is named after the tested system, with a number if another report has that name.
  package static func place(
    for text: String, _ report: CalibrationReport, root: String
  ) -> (path: String, isNew: Bool) {
    let names = names(root: root)
    if let twin = names.first(where: {
      (try? TextFile.read(path: "\(root)/\(folder)/\($0)")) == text
    }) {
      return ("\(folder)/\(twin)", false)
    }
    let system = report.system
    let words = "\(system.name)-\(system.version)-\(system.architecture)".lowercased()
    let stem = String(
      words.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
    var name = "\(stem).json"
    var number = 2
    while names.contains(name) {
      name = "\(stem)-\(number).json"
      number += 1
    }
    return ("\(folder)/\(name)", true)
  }

  /// Reads a report. Errors name the place in the file, such as `tests[3].outcome`.
  package static func read(
    _ text: String, file: String, _ list: FactList
  ) throws(InputError) -> CalibrationReport {
    let report: CalibrationReport
    do {
      report = try JSONDecoder().decode(CalibrationReport.self, from: Data(text.utf8))
    } catch {
      throw InputError(file: file, message: printable(message(about: error)))
    }
    if let problem = ReportCheck(report, list).problem {
      throw InputError(file: file, message: printable(problem))
    }
    return report
  }

  private static func message(about error: any Error) -> String {
    guard let error = error as? DecodingError else { return "not JSON: \(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath))'\(key.stringValue)' is missing; a report that "
        + "'./calibrate' wrote has it"
    case .valueNotFound(let type, let context):
      return "\(place(context.codingPath))null instead of \(name(of: type))"
    case .typeMismatch(let type, let context):
      return "\(place(context.codingPath))not \(name(of: type))"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "not JSON; give the report.json that './calibrate' wrote"
    case .dataCorrupted(let context):
      return "\(place(context.codingPath))\(choices(context.codingPath.last?.stringValue ?? ""))"
    @unknown default: return "not a report: \(error)"
    }
  }

  /// Returns the place of an error in the file, such as `tests[3].outcome: `.
  private static func place(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    let words = path.enumerated().map { index, key in
      key.intValue.map { "[\($0)]" } ?? (index == 0 ? "" : ".") + key.stringValue
    }
    return words.joined() + ": "
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Int.Type: "a number"
    case is Bool.Type: "true or false"
    default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
  }

  private static func choices(_ key: String) -> String {
    let words: [String] =
      switch key {
      case "outcome": CalibrationReport.Outcome.allCases.map(\.rawValue)
      case "verdict": CalibrationReport.Verdict.allCases.map(\.rawValue)
      case "observed": CalibrationReport.Observation.allCases.map(\.rawValue)
      case "framework": TestedSystem.Framework.allCases.map(\.rawValue)
      default: []
      }
    return words.isEmpty
      ? "a value that is not valid here"
      : "unknown; it is one of " + words.map { "'\($0)'" }.joined(separator: ", ")
  }
}
