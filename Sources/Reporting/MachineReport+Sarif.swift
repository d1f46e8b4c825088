import Failures
import Campaigns
import Foundation
import Invariants
import Vocabulary

extension MachineReport {
  /// In the Static Analysis Results Interchange Format 2.1.0: a rule for each kind of failure, a
  /// result for each that was met; what is known or left out is a note, all else an error.
  package func sarif() -> String {
    let failures = report.disagreements + report.violations
    let driver: [String: Any] = [
      "name": "Faultline", "rules": failures.map(rule),
    ]
    let run: [String: Any] = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "results": failures.enumerated().map { result($1, number: $0) },
      "properties": [
        "runs": report.runs, "steps": report.steps, "digest": hex(report.digest),
        "seed": "0x" + String(report.settings.seed, radix: 16),
        "profile": report.settings.profile.rawValue,
      ],
    ]
    let object: [String: Any] = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [run],
    ]
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    else { preconditionFailure("a report is made of numbers, texts and lists") }
    return String(decoding: data, as: UTF8.self)
  }

  /// `lost update in the store` → `lost-update-in-the-store`
  private func identifier(_ failure: FailureReport) -> String {
    failure.kind.name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  private func rule(_ failure: FailureReport) -> [String: Any] {
    var rule: [String: Any] = [
      "id": identifier(failure), "name": failure.kind.name,
      "shortDescription": [
        "text": failure.invariant?.sentence ?? "engine and reference model agree"
      ],
    ]
    if let remedy = failure.remedy { rule["help"] = ["text": remedy] }
    return rule
  }

  private func result(_ failure: FailureReport, number: Int) -> [String: Any] {
    let cause = failure.causeText.map { ", caused by \($0)" } ?? ""
    let proof = failure.details.map { "\n\($0)" } ?? ""
    let message =
      "\(failure.share)\(cause)\(proof)\n\(replay(failure))"
    var result: [String: Any] = [
      "ruleId": identifier(failure), "ruleIndex": number,
      "level": failure.isNew ? "error" : "note",
      "message": ["text": message], "occurrenceCount": max(1, failure.count),
      "partialFingerprints": [
        "failure/v1": identifier(failure) + "/" + (failure.cause?.text ?? "")
      ],
    ]
    if let place = place(failure),
      let path = place.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    {
      result["locations"] = [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": path], "region": ["startLine": place.line],
          ]
        ]
      ]
    }
    return result
  }
}
