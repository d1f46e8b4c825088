import Failures
import Campaigns
import Foundation
import Timelines
import Vocabulary

extension MachineReport {
  /// Returns the campaign in the Static Analysis Results Interchange Format 2.1.0. Each kind of
  /// failure is a rule, and each failure is a result with the lines of its proof as a flow. Known
  /// and allowed failures are suppressed notes. All other failures are errors.
  package func sarif() -> String {
    let failures = report.disagreements + report.violations
    var kinds: [FailureKind] = []
    for failure in failures where !kinds.contains(failure.kind) { kinds.append(failure.kind) }
    let rules = kinds.map { kind in rule(failures.filter { $0.kind == kind }) }
    let driver: [String: Any] = ["name": "Faultline", "rules": rules]
    var run: [String: Any] = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "results": failures.map { result($0, rule: kinds.firstIndex(of: $0.kind) ?? 0) },
      "properties": [
        "runs": report.runs, "steps": report.steps, "digest": hex(report.digest),
        "seed": "0x" + String(report.settings.seed, radix: 16),
        "profile": report.settings.profile.rawValue,
      ],
    ]
    let notifications = report.shortcomings.map { _, sentence -> [String: Any] in
      ["level": "error", "message": ["text": sentence]]
    }
    if !notifications.isEmpty {
      run["invocations"] = [
        ["executionSuccessful": true, "toolExecutionNotifications": notifications]
      ]
    }
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

  /// Returns the identifier of a failure, such as `lost-update-in-the-store` for
  /// `lost update in the store`.
  private func identifier(_ failure: FailureReport) -> String {
    failure.kind.name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  /// Returns the rule for failures of one kind. They may have different causes, and therefore
  /// different remedies.
  private func rule(_ failures: [FailureReport]) -> [String: Any] {
    var rule: [String: Any] = [
      "id": identifier(failures[0]), "name": failures[0].kind.name,
      "shortDescription": [
        "text": failures[0].invariant?.sentence ?? "engine and reference model agree"
      ],
    ]
    var remedies: [String] = []
    for case let remedy? in failures.map(\.remedy) where !remedies.contains(remedy) {
      remedies.append(remedy)
    }
    if !remedies.isEmpty { rule["help"] = ["text": remedies.joined(separator: "\n\n")] }
    return rule
  }

  private func result(_ failure: FailureReport, rule: Int) -> [String: Any] {
    // Viewers group results by the first line, which is the same in each campaign that finds the
    // failure.
    let cause = failure.causeText.map { ", caused by \($0)" } ?? ""
    let proof = failure.details.map { "\n\($0)" } ?? ""
    let message =
      "\(failure.kind.name)\(cause)\n\(failure.share)\(proof)\n\(replay(failure))"
    var result: [String: Any] = [
      "ruleId": identifier(failure), "ruleIndex": rule,
      "level": failure.isNew ? "error" : failure.isReported ? "warning" : "note",
      "message": ["text": message], "occurrenceCount": max(1, failure.count),
      "partialFingerprints": [
        "failure/v1": identifier(failure) + "/" + (failure.cause?.text ?? "")
      ],
    ]
    let place = place(failure).flatMap(physicalLocation)
    if let place { result["locations"] = [["physicalLocation": place]] }
    let steps = flow(of: failure, at: place)
    if !steps.isEmpty { result["codeFlows"] = [["threadFlows": [["locations": steps]]]] }
    if !failure.isReported { result["suppressions"] = [suppression(of: failure)] }
    return result
  }

  private func physicalLocation(_ place: SourcePlace) -> [String: Any]? {
    place.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { path in
      ["artifactLocation": ["uri": path], "region": ["startLine": place.line]]
    }
  }

  /// Returns the lines of the proof, in order of time. Each line points to the declaration of its
  /// context.
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
        : "the options of the campaign leave this failure out",
    ]
  }
}
