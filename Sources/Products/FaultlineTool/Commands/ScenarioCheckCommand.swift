import Catalogue
import Foundation
import InputFiles
import Prose
import Reporting
import Scenario
import ScenarioChecking
import Vocabulary

/// The command `faultline scenario check`.
struct ScenarioCheckCommand {
  private enum Format: String, CaseIterable { case human, github, junit }

  /// The problems of a scenario, with its path and the duration of the check. A valid scenario has
  /// no problems.
  private typealias Finding = (path: String, problems: [ScenarioCheck.Problem], seconds: Double)

  private let format: Format
  private let isVerbose: Bool
  private let operands: [String]
  private let excluded: [Quirk]
  private let bugs: PlantedBugSet

  init(
    _ arguments: Arguments, named operands: [String], without excluded: [Quirk],
    _ bugs: [PlantedBug]
  ) throws {
    format = try arguments.choice("format", Format.self) ?? .human
    isVerbose = arguments.has("verbose")
    if isVerbose, format != .human {
      throw UsageError(
        message: "'--verbose' applies only to the human format; leave out '--verbose' or '--format'"
      )
    }
    self.operands = operands
    self.excluded = excluded
    self.bugs = PlantedBugSet(bugs)
  }

  /// Checks the scenarios, and returns the exit code.
  ///
  /// - Parameter errors: The errors of files that could not be read.
  func run(_ scenarios: [(path: String, scenario: Scenario)], _ errors: [InputError]) throws
    -> Int32
  {
    let facts = try Checkout.path(FactCoverage.listPath).map { try FactList(path: $0) }
    if format == .github {
      for error in errors.flatMap(\.all) {
        Swift.print(Annotation.error(file: error.file, line: error.line ?? 1, error.message))
      }
    }
    if scenarios.isEmpty, format == .human { return 2 }
    var findings: [Finding] = []
    let start = ContinuousClock.now
    for (path, scenario) in scenarios {
      let startOfCheck = ContinuousClock.now
      var quirks = scenario.quirkSet
      for quirk in excluded { quirks.remove(quirk) }
      let check = ScenarioCheck(scenario, quirks: quirks, bugs: bugs)
      var problems = scenario.isUnrecorded ? unrecorded(check.problems, path) : check.problems
      if excluded.isEmpty, bugs == PlantedBugSet() {
        problems += try remarks(about: scenario, path, facts)
      }
      print(problems, of: path)
      // Omit the summary for the scenarios of a folder, which may be many.
      if operands.contains(path), format == .human, let summary = check.explorationSummary {
        Swift.print("\(path): \(summary); 'faultline explore' shows each outcome")
      }
      if isVerbose {
        let result = problems.isEmpty ? "passed" : "failed"
        Swift.print("\(path): \(result) in \(time(since: startOfCheck))")
      }
      findings.append((path, problems, Progress.seconds(since: startOfCheck)))
    }
    if format == .junit {
      Swift.print(junit(findings, errors, seconds: Progress.seconds(since: start)))
    } else {
      printCounts(findings, unclaimed: scenarios.count { $0.scenario.claims.isEmpty })
      if isVerbose { Swift.print("in \(time(since: start))") }
    }
    return findings.allSatisfy(\.problems.isEmpty) ? 0 : 1
  }

  /// Returns the time since `start`, such as `1,234 ms`.
  private func time(since start: ContinuousClock.Instant) -> String {
    "\(grouped(Int(Progress.seconds(since: start) * 1_000))) ms"
  }

  /// Replaces the problems about missing lines of a transcript by a single problem.
  private func unrecorded(
    _ problems: [ScenarioCheck.Problem], _ path: String
  ) -> [ScenarioCheck.Problem] {
    let others = problems.filter { !$0.isOfTranscript }
    if others.count == problems.count { return problems }
    let message = "not recorded yet; run '\(CommandLine.arguments[0]) scenario record \(path)'"
    return others + [ScenarioCheck.Problem(line: nil, message: message)]
  }

  /// Returns problems in the scenario's header, such as needless quirks.
  private func remarks(
    about scenario: Scenario, _ path: String, _ facts: FactList?
  ) throws -> [ScenarioCheck.Problem] {
    let needless = scenario.needlessQuirks.map {
      ScenarioCheck.Problem(
        line: nil, message: "quirk '\($0.name)' has no effect on this scenario; leave it out")
    }
    return try misnamed(scenario, path) + needless
      + (facts?.unknownIDs(inEvidenceOf: TextFile.read(path: path)) ?? [])
  }

  /// Returns a problem if the name of a scenario differs from the name of its file.
  private func misnamed(
    _ scenario: Scenario, _ path: String
  ) throws -> [ScenarioCheck.Problem] {
    let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    if file == scenario.name { return [] }
    let lines = try TextFile.read(path: path).split(
      separator: "\n", omittingEmptySubsequences: false)
    return [
      ScenarioCheck.Problem(
        line: lines.firstIndex { $0.hasPrefix("scenario ") }.map { $0 + 1 },
        message: "the scenario is named '\(scenario.name)' but its file '\(file)'; write "
          + "'scenario  \(file)', or rename the file")
    ]
  }

  // MARK: Output

  private func print(_ problems: [ScenarioCheck.Problem], of path: String) {
    for problem in problems {
      switch format {
      case .human: Swift.print(text(problem, of: path))
      case .github:
        Swift.print(Annotation.error(file: path, line: problem.line ?? 1, problem.message))
      case .junit: break
      }
    }
  }

  private func text(_ problem: ScenarioCheck.Problem, of path: String) -> String {
    "\(path)\(problem.line.map { ":\($0)" } ?? ""): \(problem.message)"
  }

  private func printCounts(_ findings: [Finding], unclaimed: Int) {
    let failed = findings.count { !$0.problems.isEmpty }
    let hint =
      unclaimed == 0
      ? "" : "; \(unclaimed) without claims, checked only against the recorded transcript"
    let style = Style.ofOutput
    let end = "\(failed) failed"
    Swift.print(
      style.good("\(findings.count - failed) passed") + ", "
        + (failed > 0 ? style.bad(end) : end) + hint)
  }

  /// Returns a test case for each file. Files that could not be read are errors.
  private func junit(
    _ findings: [Finding], _ errors: [InputError], seconds: Double
  ) -> String {
    let checked = findings.map { finding in
      JUnitSuite.Case(
        finding.path, in: "faultline.scenarios",
        finding.problems.first.map { first in
          .failed(
            first.message,
            text: finding.problems.map { text($0, of: finding.path) }.joined(separator: "\n"))
        } ?? .passed, seconds: finding.seconds)
    }
    let unread = errors.map {
      JUnitSuite.Case(
        $0.file, in: "faultline.scenarios", .broken($0.description), seconds: 0)
    }
    let start = Date(timeIntervalSinceNow: -seconds)
    return JUnitSuite(checked + unread, duration: (start, seconds)).xml()
  }
}
