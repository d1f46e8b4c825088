import Foundation
import Loading
import XCTest

/// Appends each failure and the end of each test, as they come, to the file that the environment
/// variable `FAULTLINE_RESULTS` names. A process that crashes later does not take them with it.
final class ResultRecorder: NSObject, XCTestObservation {
  private let file: FileHandle

  init?(path: String) {
    guard let file = FileHandle(forWritingAtPath: path) else { return nil }
    file.seekToEndOfFile()
    self.file = file
  }

  #if canImport(Darwin)
    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
      let location = issue.sourceCodeContext.location
      write(
        failure: issue.compactDescription, location?.fileURL.path, location?.lineNumber,
        isException: issue.type == .uncaughtException)
    }
  #else
    func testCase(
      _ testCase: XCTestCase, didFailWithDescription description: String, inFile path: String?,
      atLine line: Int
    ) {
      write(failure: description, path, line)
    }
  #endif

  func testCaseDidFinish(_ testCase: XCTestCase) {
    write(["passed": testCase.testRun?.hasSucceeded ?? false])
  }

  private func write(
    failure text: String, _ path: String?, _ line: Int?, isException: Bool = false
  ) {
    let name = path?.split(separator: "/").last.map(String.init) ?? "no file"
    var entry: [String: Any] = ["failure": "\(name):\(line ?? 0): \(text)"]
    if isException { entry["raised"] = true }
    write(entry)
  }

  private func write(_ line: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: line) else { return }
    file.write(data + Data("\n".utf8))
  }
}

/// Called by the initializer of module `Loading`.
@_cdecl("faultline_record_results")
func recordResults() {
  guard let path = ProcessInfo.processInfo.environment["FAULTLINE_RESULTS"],
    let recorder = ResultRecorder(path: path)
  else { return }
  XCTestObservationCenter.shared.addTestObserver(recorder)
}
