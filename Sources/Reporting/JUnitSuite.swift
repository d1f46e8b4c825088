import Timelines

/// A test suite as JUnit writes it in XML, and CI services read it.
package struct JUnitSuite {
  /// What became of a test case.
  package enum Result {
    case passed
    /// It was not as it should be; `text` has the details.
    case failed(String, text: String)
    /// It could not be looked at.
    case broken(String)
    case skipped(String)
  }

  package struct Case {
    let className: String
    let name: String
    let result: Result

    package init(_ name: String, in className: String, _ result: Result) {
      (self.className, self.name, self.result) = (className, name, result)
    }
  }

  private let cases: [Case]
  /// Further attributes of the suite, each with a blank before it.
  private let attributes: String

  package init(_ cases: [Case], attributes: String = "") {
    self.cases = cases
    self.attributes = attributes
  }

  /// The document, without a line break at its end.
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
        #"  <testsuite name="faultline" \#(counts)\#(attributes)>"#,
      ] + cases.map(element) + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n")
  }

  private func element(of test: Case) -> String {
    let start =
      #"    <testcase classname="\#(escaped(test.className))" name="\#(escaped(test.name))""#
    let inner: String
    switch test.result {
    case .passed: return start + "/>"
    case .failed(let message, let text):
      inner = "<failure message=\"\(escaped(message))\">\(escaped(text))</failure>"
    case .broken(let message): inner = "<error message=\"\(escaped(message))\"/>"
    case .skipped(let message): inner = "<skipped message=\"\(escaped(message))\"/>"
    }
    return start + ">\n      \(inner)\n    </testcase>"
  }
}
