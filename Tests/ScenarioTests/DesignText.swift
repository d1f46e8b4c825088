import Scenario
import Testing

/// Texts of designs in tests.
enum DesignText {
  /// Stacks as designs, with these lines from line 4 on.
  static func design(_ lines: String) -> String {
    "stack  test\norigin  inferred\n\n\(lines)\n"
  }

  static func parse(_ lines: String) throws(TextError) -> StackDesign {
    try StackDesignText.parse(design(lines)) { Examples.noFile($0) }
  }

  static func expectError(_ lines: String, _ line: Int, _ message: String) {
    do {
      _ = try parse(lines)
      Issue.record("no error, where there should be: \(message)")
    } catch {
      #expect(error.line == line && error.message == message, "\(error.line): \(error.message)")
    }
  }
}
