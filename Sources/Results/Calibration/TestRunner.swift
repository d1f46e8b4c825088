import Foundation

/// Runs test classes, each in a separate process, so that a crash, a hang or leftover blocks of one
/// test do not affect other tests.
struct TestRunner {
  /// The environment variable that names the file to which the package's `ResultRecorder` appends.
  static let resultsVariable = "FAULTLINE_RESULTS"

  /// The path of the built tests.
  let bundle: String
  /// The folder for the output of processes.
  let folder: String
  /// The time limit of a test.
  var seconds: Double

  /// A line written by the recorder.
  private struct Line: Decodable {
    /// The text of a failure, or `nil` at the end of a test.
    var failure: String?
    /// True if the test passed, false if it failed, or `nil` on a line about a single failure.
    var passed: Bool?
    /// True if the failure is an exception that the test did not catch, or `nil` otherwise.
    var raised: Bool?
  }

  /// Runs the class `Module.Class` of a test.
  func run(_ test: TestList.Test, module: String) throws -> CalibrationReport.Test {
    let results = "\(folder)/results.jsonl"
    try Data().write(to: URL(fileURLWithPath: results))
    // Without a backtrace, a crash ends at once and leaves no other process behind.
    let process = try LimitedProcess(
      words(for: "\(module).\(test.name)"),
      environment: [TestRunner.resultsVariable: results, "SWIFT_BACKTRACE": "enable=no"],
      in: folder, seconds: seconds, output: "\(folder)/output.txt")
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: results)), as: UTF8.self)
    let lines = text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    return TestRunner.result(of: test, process, lines, seconds)
  }

  private func words(for test: String) -> [String] {
    #if os(macOS)
      ["xcrun", "xctest", "-XCTest", test, bundle]
    #else
      [bundle, test]
    #endif
  }

  /// Returns the result of a test.
  ///
  /// A test that ended before its process crashed keeps its result, because leftover blocks can
  /// cause such a crash.
  private static func result(
    of test: TestList.Test, _ process: LimitedProcess, _ lines: [Line], _ seconds: Double
  ) -> CalibrationReport.Test {
    let failures = lines.compactMap(\.failure)
    let ends = lines.compactMap(\.passed)
    if !ends.isEmpty {
      let failed: CalibrationReport.Outcome =
        lines.contains { $0.raised == true } ? .raised : .failed
      return CalibrationReport.Test(
        test, ends.contains(false) ? failed : .passed, failures: failures)
    }
    switch process.ending {
    case .timedOut:
      let text = "ended after \(Int(seconds)) seconds"
      return CalibrationReport.Test(test, .timedOut, failures: failures + [text])
    case .signal(let number):
      let text = ["ended by signal \(number)"] + process.lastLines(6)
      return CalibrationReport.Test(test, .crashed, failures: failures + text)
    case .status(0):
      return CalibrationReport.Test(
        test, .didNotRun, failures: ["no test ran"] + process.lastLines(3))
    case .status(let status):
      let text = ["ended with status \(status)"] + process.lastLines(6)
      return CalibrationReport.Test(test, .crashed, failures: failures + text)
    }
  }
}
