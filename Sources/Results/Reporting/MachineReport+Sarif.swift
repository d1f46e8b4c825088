import Failures
import Campaigns
import Foundation
import InputFiles
import Prose
import Scenario
import Timelines
import Vocabulary

extension MachineReport {
  /// Returns the campaign in the Static Analysis Results Interchange Format 2.1.0. Each kind of
  /// failure is a rule. Each failure is a result, with the lines of its proof as a flow, and so is
  /// each kept failure that the campaign did not find again. Known and allowed failures are
  /// suppressed notes. All other failures are errors or warnings.
  package func sarif() -> String {
    let failures = report.disagreements + report.violations
    let kept = report.failures?.onlyKept ?? []
    var kinds: [FailureKind] = []
    for kind in failures.map(\.kind) + kept.map(\.kind) where !kinds.contains(kind) {
      kinds.append(kind)
    }
    let rules = kinds.map { kind in rule(of: kind, failures.filter { $0.kind == kind }) }
    let driver: [String: Any] = [
      "name": "Faultline", "version": faultlineVersion, "rules": rules,
    ]
    func ruleIndex(_ kind: FailureKind) -> Int { kinds.firstIndex(of: kind) ?? 0 }
    let results =
      failures.map { result($0, rule: ruleIndex($0.kind)) }
      + kept.map { result($0, rule: ruleIndex($0.kind)) }
    let run: [String: Any] = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": results,
      "invocations": [invocation],
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

  /// Errors in files of kept failures, and reasons why finding nothing means little.
  private var invocation: [String: Any] {
    let isError = report.failures?.errors.isEmpty == false
    let problems = report.failures?.problems.flatMap(\.all) ?? []
    let notes = problems.map { problem -> [String: Any] in
      let place = SourcePlace(path: problem.file, line: problem.line ?? 1)
      return [
        "level": isError ? "error" : "warning", "message": message(problem.message),
        "locations": [["physicalLocation": physicalLocation(place)]],
      ]
    }
    let remarks = report.shortcomings.map { _, sentence -> [String: Any] in
      ["level": "error", "message": message(sentence)]
    }
    var invocation: [String: Any] = ["executionSuccessful": !isError]
    if !notes.isEmpty { invocation["toolConfigurationNotifications"] = notes }
    if !remarks.isEmpty { invocation["toolExecutionNotifications"] = remarks }
    return invocation
  }

  /// Returns a plain text message. Braces would be placeholders (SARIF 3.11.5).
  private func message(_ text: String) -> [String: Any] {
    ["text": text.replacing("{", with: "{{").replacing("}", with: "}}")]
  }

  /// Returns the identifier of a kind, such as `lost-update-in-the-store` for
  /// `lost update in the store`.
  private func identifier(_ kind: FailureKind) -> String {
    kind.name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  /// Returns the rule for failures of one kind. They may have different causes, and therefore
  /// different remedies.
  private func rule(of kind: FailureKind, _ failures: [FailureReport]) -> [String: Any] {
    let sentence = kind.invariant?.sentence ?? "engine and reference model agree"
    var remedies: [String] = []
    for case let remedy? in failures.map(\.remedy) where !remedies.contains(remedy) {
      remedies.append(remedy)
    }
    let help = remedies.isEmpty ? sentence : remedies.joined(separator: "\n\n")
    return [
      "id": identifier(kind), "name": kind.name, "shortDescription": message(sentence),
      "fullDescription": message("\(kind.name): \(sentence)"), "help": message(help),
    ]
  }

  private func result(_ failure: FailureReport, rule: Int) -> [String: Any] {
    // Viewers group results by the first line, which is the same in each campaign that finds the
    // failure.
    let cause = failure.causeText.map { ", caused by \($0)" } ?? ""
    let proof = failure.details.map { "\n\($0)" } ?? ""
    let text =
      "\(failure.kind.name)\(cause)\n\(failure.share)\(proof)\n\(replay(failure))"
    let known = identifier(failure.kind)
    // GitHub refuses results without a place. The name is that of the file that `--output` writes.
    let place = physicalLocation(
      place(failure) ?? SourcePlace(path: "\(failure.example.name).scenario", line: 1))
    var result: [String: Any] = [
      "ruleId": known, "ruleIndex": rule,
      "level": level(failure.standing),
      "message": message(text), "occurrenceCount": max(1, failure.count),
      "partialFingerprints": [
        "failure/v1": known + "/" + (failure.cause?.text ?? "")
          + (failure.subject.map { "/" + $0.text } ?? "")
      ],
      "locations": [["physicalLocation": place]],
    ]
    let steps = flow(of: failure, at: place)
    if !steps.isEmpty { result["codeFlows"] = [["threadFlows": [["locations": steps]]]] }
    if let suppression = suppression(failure.standing, failure.precedent) {
      result["suppressions"] = [suppression]
    }
    return result
  }

  private func result(_ kept: RegressionCase, rule: Int) -> [String: Any] {
    let known = identifier(kept.kind)
    var result: [String: Any] = [
      "ruleId": known, "ruleIndex": rule, "level": level(kept.standing),
      "message": message("a kept failure still fails: \(kept.title)"),
      "partialFingerprints": ["failure/v1": known + "/" + (kept.cause?.text ?? "")],
      "locations": [["physicalLocation": physicalLocation(SourcePlace(ofScenario: kept.path))]],
    ]
    if let suppression = suppression(kept.standing, kept.precedent) {
      result["suppressions"] = [suppression]
    }
    return result
  }

  private func level(_ standing: Standing) -> String {
    switch standing {
    case .new: "error"
    case .warning: "warning"
    case .known, .allowed: "note"
    }
  }

  private func physicalLocation(_ place: SourcePlace) -> [String: Any] {
    let path = place.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    let artifact =
      path.hasPrefix("/") ? ["uri": "file://" + path] : ["uri": path, "uriBaseId": "%SRCROOT%"]
    return ["artifactLocation": artifact, "region": ["startLine": place.line]]
  }

  /// Returns the lines of the proof, in order of time. Each line points to the declaration of its
  /// context.
  private func flow(of failure: FailureReport, at place: [String: Any]) -> [[String: Any]] {
    (failure.finding?.proof ?? []).enumerated().map { index, line in
      let step = line.step == 0 ? "" : "step \(line.step): "
      let context = line.moment.flatMap { failure.timeline.moments[$0].context }
      let declared = context.flatMap { contextPlace(failure.timeline.places[$0.index]) }
      let location: [String: Any] = [
        "message": message(step + line.text),
        "physicalLocation": declared.map(physicalLocation) ?? place,
      ]
      return ["location": location, "executionOrder": index + 1]
    }
  }

  private func suppression(_ standing: Standing, _ precedent: String?) -> [String: Any]? {
    let justification: String
    switch standing {
    case .new, .warning: return nil
    case .known: justification = "known failure, shown by \(precedent ?? "a scenario")"
    case .allowed: justification = "the options of the campaign leave this failure out"
    }
    return ["kind": "external", "status": "accepted", "justification": justification]
  }
}
