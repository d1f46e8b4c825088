import Failures
import Campaigns
import Foundation
import Timelines
import Vocabulary

extension MachineReport {
  /// In the Static Analysis Results Interchange Format 2.1.0: a rule for each kind of failure, a
  /// result for each that was met, with the lines of its proof as a flow. What is known or left out
  /// is a note and suppressed, all else an error.
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
    // The first line is the same in each campaign that finds it: results are grouped by it.
    let cause = failure.causeText.map { ", caused by \($0)" } ?? ""
    let proof = failure.details.map { "\n\($0)" } ?? ""
    let message =
      "\(failure.kind.name)\(cause)\n\(failure.share)\(proof)\n\(replay(failure))"
    var result: [String: Any] = [
      "ruleId": identifier(failure), "ruleIndex": number,
      "level": failure.isNew ? "error" : "note",
      "message": ["text": message], "occurrenceCount": max(1, failure.count),
      "partialFingerprints": [
        "failure/v1": identifier(failure) + "/" + (failure.cause?.text ?? "")
      ],
    ]
    let place = place(failure).flatMap(physicalLocation)
    if let place { result["locations"] = [["physicalLocation": place]] }
    let steps = flow(of: failure, at: place)
    if !steps.isEmpty { result["codeFlows"] = [["threadFlows": [["locations": steps]]]] }
    if !failure.isNew { result["suppressions"] = [suppression(of: failure)] }
    return result
  }

  private func physicalLocation(_ place: SourcePlace) -> [String: Any]? {
    place.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { path in
      ["artifactLocation": ["uri": path], "region": ["startLine": place.line]]
    }
  }

  /// The lines that prove it, in the order in which they happened, each where the context is
  /// declared that it is about.
  private func flow(of failure: FailureReport, at place: [String: Any]?) -> [[String: Any]] {
    (failure.finding?.proof ?? []).enumerated().map { index, line in
      let step = line.step == 0 ? "" : "step \(line.step): "
      var location: [String: Any] = ["message": ["text": step + line.text]]
      let context = line.moment.flatMap { failure.timeline.moments[$0].context }
      let declared = context.flatMap { contextPlace(failure.timeline.places[$0.index]) }
      location["physicalLocation"] = declared.flatMap(physicalLocation) ?? place
      return ["location": location, "executionOrder": index + 1]
    }
  }

  private func suppression(of failure: FailureReport) -> [String: Any] {
    [
      "kind": "external", "status": "accepted",
      "justification": failure.standing == .known
        ? "known failure, shown by \(failure.precedent ?? "a scenario")"
        : "the options of the campaign leave it out",
    ]
  }
}
