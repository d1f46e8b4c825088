import Campaigns
import Execution
import Foundation
import Reporting
import Scenario
import ScenarioChecking
import Shrinking
import Timelines
import Vocabulary

/// A failure of code without the code, as a scenario file for `faultline replay` and a page for
/// stepping through the run.
package struct CodeScenario: Sendable {
  /// The text of the scenario file.
  package let text: String
  /// A sentence about whether a shorter scenario is possible.
  package let certificate: String
  private let name: String
  private let run: RunReport

  /// Creates the scenario, or returns nil if the scenario does not show the failure. A scenario
  /// cannot show effects that only code has.
  init?(_ report: FailureReport, cause: String?, quirks: QuirkSet) {
    text = ScenarioText.print(report.example.claimingWhatHolds(quirks: quirks))
    guard text.contains("\n  shows  \(report.kind)\n") else { return nil }
    certificate = report.certificate.sentence
    name = report.example.name
    var run = RunReport(report, command: nil)
    run.advice = [RunReport.Advice(kind: report.kind, cause: cause, remedy: report.remedy)]
    self.run = run
  }

  /// The names of the scenario file and the page file.
  package var fileNames: (scenario: String, page: String) { fileNames(named: name) }

  private func fileNames(named name: String) -> (scenario: String, page: String) {
    ("\(name).scenario", "\(name).html")
  }

  /// The page for stepping through the run.
  ///
  /// - Complexity: Some milliseconds.
  package var page: String { page(named: name) }

  private func page(named name: String) -> String {
    var run = run
    run.command = "faultline replay \(fileNames(named: name).scenario)"
    run.exploreExample()
    return TimelinePage(run, title: name.replacing("-", with: " ")).html
  }

  /// Writes the scenario and its page into a folder, and returns their paths. The files are named
  /// after the failure, with a number if another failure has the name. Does not write a scenario
  /// again that the folder already has.
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
      // A page without its scenario belongs to another failure.
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

  /// Writes the file if it does not exist, and returns whether it now has this text. Never changes
  /// an existing file.
  private func write(_ text: String, to file: URL) throws -> Bool {
    do {
      try Data(text.utf8).write(to: file, options: .withoutOverwriting)
      return true
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      return try String(contentsOf: file, encoding: .utf8) == text
    }
  }
}
