package import Foundation
import Timelines

/// A test suite in JUnit's XML format, which CI services read.
package struct JUnitSuite {
  /// The result of a test case.
  package enum Result {
    case passed
    /// The test case failed. `text` has the details.
    case failed(String, text: String)
    /// The test case could not be examined.
    case broken(String)
    /// The test case does not count. `text` has the details, and is empty without details.
    case skipped(String, text: String)
  }

  package struct Case {
    let className: String
    let name: String
    let result: Result
    /// The duration in seconds, or nil if it is not known.
    let seconds: Double?

    package init(
      _ name: String, in className: String, _ result: Result, seconds: Double? = nil
    ) {
      (self.className, self.name, self.result) = (className, name, result)
      self.seconds = seconds
    }
  }

  private let cases: [Case]
  /// The start and the duration, or nil if they are not known.
  private let duration: (start: Date, seconds: Double)?

  /// Creates a suite. A repeated name gets a number, because CI services merge cases of one name.
  package init(_ cases: [Case], duration: (start: Date, seconds: Double)? = nil) {
    var counts: [String: Int] = [:]
    self.cases = cases.map { test in
      counts[test.name, default: 0] += 1
      guard let count = counts[test.name], count > 1 else { return test }
      return Case("\(test.name) (\(count))", in: test.className, test.result, seconds: test.seconds)
    }
    self.duration = duration
  }

  /// Returns the document, without a line break at its end.
  package func xml() -> String {
    var (failed, broken, skipped) = (0, 0, 0)
    for each in cases {
      switch each.result {
      case .passed: break
      case .failed: failed += 1
      case .broken: broken += 1
      case .skipped: skipped += 1
      }
    }
    let counts =
      #"tests="\#(cases.count)" failures="\#(failed)" errors="\#(broken)" skipped="\#(skipped)""#
    return
      ([
        #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>",
        #"  <testsuite name="faultline" \#(counts)\#(times)>"#,
      ] + cases.map(element) + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n")
  }

  /// The attributes for the start in UTC and the duration, such as
  /// ` time="12.345" timestamp="2026-01-31T12:00:00"`.
  private var times: String {
    guard let duration else { return "" }
    let start = ISO8601DateFormatter().string(from: duration.start).dropLast()
    return time(duration.seconds) + " timestamp=\"\(start)\""
  }

  private func time(_ seconds: Double?) -> String {
    guard let seconds else { return "" }
    let milliseconds = Int((seconds * 1_000).rounded())
    let fraction = String(String(1_000 + milliseconds % 1_000).dropFirst())
    return " time=\"\(milliseconds / 1_000).\(fraction)\""
  }

  private func element(of test: Case) -> String {
    let start =
      #"    <testcase classname="\#(escaped(test.className))" name="\#(escaped(test.name))""#
      + time(test.seconds)
    let inner: String
    switch test.result {
    case .passed: return start + "/>"
    case .failed(let message, let text):
      inner =
        "<failure type=\"failure\" message=\"\(escaped(message))\">\(escaped(text))</failure>"
    // Parsers replace line breaks in attributes by spaces.
    case .broken(let message):
      let first = message.prefix { !$0.isNewline }
      inner =
        "<error type=\"error\" message=\"\(escaped(String(first)))\">\(escaped(message))</error>"
    case .skipped(let message, let text):
      inner =
        "<skipped message=\"\(escaped(message))\""
        + (text.isEmpty ? "/>" : ">\(escaped(text))</skipped>")
    }
    return start + ">\n      \(inner)\n    </testcase>"
  }
}
