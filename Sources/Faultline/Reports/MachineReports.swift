import Foundation
import Scenario
import SimulatedCoreData
import Vocabulary

/// A campaign for other programs: JSON, JUnit XML, and annotations for GitHub Actions.
package struct MachineReport {
  private let report: CampaignReport
  private let replay: (FailureReport) -> String

  package init(_ report: CampaignReport, replay: @escaping (FailureReport) -> String) {
    self.report = report
    self.replay = replay
  }

  /// One object with sorted keys: `runs`, `steps`, `digest`, `disagreements`, `violations` and
  /// what else the campaign knows.
  package func json() -> String {
    var object: [String: Any] = [
      "runs": report.runs, "requestedRuns": report.settings.runs, "steps": report.steps,
      "wastedSteps": report.wastedSteps,
      "digest": hex(report.digest), "seed": "0x" + String(report.settings.seed, radix: 16),
      "profile": report.settings.profile.rawValue, "passed": report.passes,
      "disagreements": report.disagreements.map(object(of:)),
      "violations": report.violations.map(object(of:)),
    ]
    object["stepCounts"] = Dictionary(
      uniqueKeysWithValues: report.stepCounts.map { ($0.verb, $0.count) })
    object["marks"] = Dictionary(
      uniqueKeysWithValues: Mark.allCases.map { ($0.name, report.coverage[$0]) })
    let options: JSONSerialization.WritingOptions = [
      .sortedKeys, .prettyPrinted, .withoutEscapingSlashes,
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
      preconditionFailure("a report is made of numbers, texts and lists")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func object(of failure: FailureReport) -> [String: Any] {
    var object: [String: Any] = [
      "invariant": failure.invariant?.rawValue ?? failure.kind, "kind": failure.kind,
      "count": failure.count, "seed": "0x" + String(failure.seed, radix: 16),
      "model": failure.model, "steps": failure.stepCount,
      "scenario": ScenarioText.print(failure.example), "replay": replay(failure),
    ]
    object["cause"] = failure.cause?.text
    object["documentedBy"] = failure.documentedBy
    object["details"] = failure.details
    object["explanation"] = failure.explanation.text
    object["metWhileShrinking"] = failure.metWhileShrinking
    return object
  }

  /// A test suite: one test case for the agreement, and one for each kind of violation.
  package func junit() -> String {
    let unexpected = report.violations.filter { $0.documentedBy == nil }
    let failures = report.disagreements + unexpected
    let count = 1 + report.violations.count + max(0, report.disagreements.count - 1)
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites>",
      #"  <testsuite name="faultline" tests="\#(count)" failures="\#(failures.count)" errors="0" skipped="0">"#,
    ]
    if report.disagreements.isEmpty {
      lines.append(testCase("engine and reference agree", nil))
    }
    for failure in report.disagreements { lines.append(testCase(failure.kind, failure)) }
    for failure in report.violations {
      lines.append(testCase(failure.kind, failure.documentedBy == nil ? failure : nil))
    }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n")
  }

  private func testCase(_ name: String, _ failure: FailureReport?) -> String {
    let start = #"    <testcase classname="faultline" name="\#(escaped(name))""#
    guard let failure else { return start + "/>" }
    let proof = failure.details.map { $0 + "\n\n" } ?? ""
    let text = proof + ScenarioText.print(failure.example) + "\n" + replay(failure)
    let message = failure.cause.map { "\(failure.kind): \($0.text)" } ?? failure.kind
    return start + ">\n      <failure message=\"\(escaped(message))\">\(escaped(text))</failure>\n"
      + "    </testcase>"
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  /// Workflow commands: an error for what is new, a notice for what is documented.
  package func github() -> String {
    var lines: [String] = []
    for failure in report.disagreements + report.violations {
      let level = failure.documentedBy == nil ? "error" : "notice"
      let file = failure.documentedBy.map { " file=\(property($0))," } ?? " "
      let cause = failure.cause.map { ", caused by \($0.text)" } ?? ""
      let proof = failure.details.map { "\n\($0)" } ?? ""
      lines.append(
        "::\(level)\(file)title=\(property(failure.kind))::"
          + data("\(failure.count) of \(failure.runs) programs\(cause)\(proof)\n\(replay(failure))")
      )
    }
    lines.append("\(report.runs) programs, \(report.steps) steps, digest \(hex(report.digest))")
    return lines.joined(separator: "\n")
  }

  private func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
