import Campaigns
import Execution
import Foundation
import Reporting
import Scenario
import ScenarioChecking
import Shrinking
import Timelines
import Vocabulary

/// A failure of code without the code: a scenario file, which `faultline replay` runs, and a page
/// that steps through it.
package struct CodeScenario: Sendable {
  /// The scenario file.
  package let text: String
  /// Whether a shorter one is possible.
  package let certificate: String
  private let name: String
  private let run: RunReport

  /// Nil if the scenario does not show the failure: what only code can do would pass unseen.
  init?(_ report: FailureReport, cause: String?, quirks: QuirkSet) {
    text = ScenarioText.print(report.example.claimingWhatHolds(quirks: quirks))
    guard text.contains("\n  shows  \(report.kind)\n") else { return nil }
    certificate = report.certificate.sentence
    name = report.example.name
    var run = RunReport(report, command: nil)
    run.advice = [RunReport.Advice(kind: report.kind, cause: cause, remedy: report.remedy)]
    self.run = run
  }

  /// The names of the two files.
  package var fileNames: (scenario: String, page: String) { fileNames(named: name) }

  private func fileNames(named name: String) -> (scenario: String, page: String) {
    ("\(name).scenario", "\(name).html")
  }

  /// The page. Costs some milliseconds.
  package var page: String { page(named: name) }

  private func page(named name: String) -> String {
    var run = run
    run.command = "faultline replay \(fileNames(named: name).scenario)"
    return TimelinePage(run, title: name.replacing("-", with: " ")).html
  }

  /// Writes both into a folder, named after the failure: with a number if another has the name, and
  /// not once more if it is there. Answers the paths.
  package func save(in path: String) throws -> [String] {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var number = 1
    while true {
      let numbered = number == 1 ? name : "\(name)-\(number)"
      let text = text.replacing("scenario  \(name)\n", with: "scenario  \(numbered)\n")
      let files = fileNames(named: numbered)
      let (scenario, page) = (
        folder.appendingPathComponent(files.scenario), folder.appendingPathComponent(files.page)
      )
      // A page without its scenario is another's.
      let isTaken =
        FileManager.default.fileExists(atPath: page.path)
        && !FileManager.default.fileExists(atPath: scenario.path)
      if try !isTaken && write(text, to: scenario) {
        try Data(self.page(named: numbered).utf8).write(to: page, options: .atomic)
        return [files.scenario, files.page].map { "\(path)/\($0)" }
      }
      number += 1
    }
  }

  /// Whether the file has this text now. What else there may be is left alone.
  private func write(_ text: String, to file: URL) throws -> Bool {
    do {
      try Data(text.utf8).write(to: file, options: .withoutOverwriting)
      return true
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      return try String(contentsOf: file, encoding: .utf8) == text
    }
  }
}
