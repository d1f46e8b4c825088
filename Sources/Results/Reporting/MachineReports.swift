import Failures
package import Campaigns
import Execution
package import Foundation
import InputFiles
import Invariants
import Scenario
import Shrinking
import SimulatedCoreData
import Timelines
import Vocabulary

/// A campaign for other programs, as JSON, JUnit XML, SARIF, Markdown, or annotations for GitHub
/// Actions.
package struct MachineReport {
  let report: CampaignReport
  let replay: (FailureReport) -> String
  /// A function that returns the file and line of a failure, if the failure is in a file.
  let place: (FailureReport) -> SourcePlace?
  /// A function that returns the file and line of a context's declaration, if the declaration is in
  /// a file.
  let contextPlace: (String) -> SourcePlace?
  /// The duration, or nil if no single process knows it.
  let duration: Duration?

  /// The start of a campaign, its duration in seconds, and the seconds that its programs took.
  package struct Duration {
    let start: Date
    let seconds: Double
    let ofRuns: Double

    package init(start: Date, seconds: Double, ofRuns: Double) {
      (self.start, self.seconds, self.ofRuns) = (start, seconds, ofRuns)
    }
  }

  package init(
    _ report: CampaignReport, replay: @escaping (FailureReport) -> String,
    place: @escaping (FailureReport) -> SourcePlace? = { _ in nil },
    contextPlace: @escaping (String) -> SourcePlace? = { _ in nil },
    duration: Duration? = nil
  ) {
    self.report = report
    self.replay = replay
    self.place = place
    self.contextPlace = contextPlace
    self.duration = duration
  }

  /// Returns a JSON object with sorted keys, such as `runs`, `steps`, `digest`, `disagreements` and
  /// `violations`.
  package func json() -> String {
    var object: [String: Any] = [
      "runs": report.runs, "requestedRuns": report.settings.runs, "steps": report.steps,
      "wastedSteps": report.wastedSteps,
      "digest": hex(report.digest), "seed": "0x" + String(report.settings.seed, radix: 16),
      "profile": report.settings.profile.rawValue, "passed": report.passes,
      "disagreements": report.disagreements.map(object(of:)),
      "violations": report.violations.map(object(of:)),
      "misuses": report.misuses.map(object(of:)),
    ]
    object["models"] = models
    object["stepCounts"] = Dictionary(
      uniqueKeysWithValues: report.stepCounts.map { ($0.verb, $0.count) })
    object["shortcomings"] = report.shortcomings.map(\.sentence)
    object["saves"] = [
      "done": report.saves.done, "refused": report.saves.refused, "failed": report.saves.failed,
      "storingPrograms": report.saves.storingRuns,
    ]
    if !report.entryCounts.isEmpty {
      object["entryPointCalls"] = Dictionary(
        uniqueKeysWithValues: report.entryCounts.map { ($0.name, $0.count) })
    }
    if !report.promiseCounts.isEmpty {
      object["promiseTests"] = Dictionary(
        report.promiseCounts.map { ($0.text, $0.count) }, uniquingKeysWith: max)
    }
    object["marks"] = Dictionary(
      uniqueKeysWithValues: Mark.allCases.map { ($0.name, report.coverage[$0]) })
    object["states"] = [
      "count": report.stateCount, "lastNewRun": report.lastNewState,
    ]
    object["lastNewMarkRun"] = report.lastNewMark
    object["unexamined"] = report.unexaminedCounts.map { kind, count -> [String: Any] in
      ["kind": kind.name, "groups": count]
    }
    if let folder = report.failures { object["failures"] = self.object(of: folder) }
    object["strategy"] = report.settings.strategy.name
    if let exhaustion = report.exhaustion {
      object["exhaustedPrograms"] = exhaustion.completeCount
      object["exhaustedSchedules"] = exhaustion.scheduleCount
    }
    let options: JSONSerialization.WritingOptions = [
      .sortedKeys, .prettyPrinted, .withoutEscapingSlashes,
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
      preconditionFailure("a report is made of numbers, texts and lists")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func object(of folder: RegressionCorpus) -> [String: Any] {
    let replayed = folder.kept.map { failure -> [String: Any] in
      var object: [String: Any] = [
        "file": failure.path, "kind": failure.kind.name, "fails": failure.isFailing,
      ]
      object["cause"] = failure.cause?.text
      switch failure.status {
      case .fails(let standing, let precedent):
        object["knownFailure"] = standing == .known ? precedent : nil
        object["sameAs"] = precedent
      case .passes(let target): object["movedTo"] = target
      case .isRuledOut(let target):
        object["isRuledOut"] = true
        object["movedTo"] = target
      case .isAboutAnotherStack: object["isAboutAnotherStack"] = true
      case .isLeftOut: object["isLeftOut"] = true
      }
      return object
    }
    return [
      "folder": folder.path, "replayed": replayed, "written": folder.written,
      "leftOut": folder.leftOutCount,
      "problems": folder.problems.map(\.description),
    ]
  }

  private func object(of failure: FailureReport) -> [String: Any] {
    var object: [String: Any] = [
      "invariant": failure.invariant?.rawValue ?? failure.kind.name, "kind": failure.kind.name,
      "count": failure.count, "firstRun": failure.firstRun, "seed": failure.seed.text,
      "model": failure.model, "swarm": failure.wholeSwarm, "steps": failure.stepCount,
      "scenario": ScenarioText.print(failure.example), "replay": replay(failure),
      "certified": failure.certificate.isComplete, "certificate": failure.certificate.sentence,
    ]
    object["cause"] = failure.cause?.text
    object["subject"] = failure.subject?.text
    object["part"] = failure.part?.text
    object["group"] = failure.group.name
    object["severity"] = failure.invariant?.severity.name
    object["standing"] = failure.standing.name
    object["knownFailure"] = failure.standing == .known ? failure.precedent : nil
    object["sameAs"] = failure.precedent
    object["file"] = failure.file
    object["details"] = failure.details
    object["explanation"] = failure.explanation?.wholeText
    object["metWhileShrinking"] = failure.metWhileShrinking?.name
    return object
  }

  /// Returns workflow commands. A new failure is an error, and a known or allowed failure is a
  /// notice.
  package func github() -> String {
    var lines: [String] = []
    for failure in report.disagreements + report.violations {
      let level = failure.isNew ? "error" : failure.isReported ? "warning" : "notice"
      let file =
        place(failure).map { " file=\(Annotation.property($0.path)),line=\($0.line)," } ?? " "
      let cause = failure.causeText.map { ", caused by \($0)" } ?? ""
      let proof = failure.details.map { "\n\($0)" } ?? ""
      lines.append(
        "::\(level)\(file)title=\(Annotation.property(failure.kind.name))::"
          + Annotation.data(
            "\(failure.share)\(cause)\(proof)\n\(replay(failure))")
      )
    }
    for kept in report.failures?.kept ?? [] where [.new, .warning].contains(kept.standing) {
      let level = kept.isNew ? "error" : "warning"
      let line = SourcePlace(ofScenario: kept.path).line
      lines.append(
        "::\(level) file=\(Annotation.property(kept.path)),line=\(line),title=\(Annotation.property(kept.kind.name))::"
          + Annotation.data("a kept failure still fails: \(kept.title)"))
    }
    for problem in report.failures?.problems.flatMap(\.all) ?? [] {
      let line = problem.line.map { ",line=\($0)" } ?? ""
      lines.append(
        "::error file=\(Annotation.property(problem.file))\(line)::\(Annotation.data(problem.message))"
      )
    }
    for (title, sentence) in report.shortcomings {
      lines.append("::error title=\(title)::\(Annotation.data(sentence))")
    }
    lines.append("\(report.runs) programs, \(report.steps) steps, digest \(hex(report.digest))")
    return lines.joined(separator: "\n")
  }
}

extension FailureReport {
  /// The frequency of the failure, such as `3 of 600 programs`.
  var share: String { metWhileShrinking == nil ? "\(count) of \(runs) programs" : frequency }
}

/// A workflow command of GitHub Actions that marks a line of a file.
package enum Annotation {
  package static func error(file: String, line: Int, _ message: String) -> String {
    "::error file=\(property(file)),line=\(line)::\(data(message))"
  }

  static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
