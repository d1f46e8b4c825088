/// A piece of Swift source, independent of its indentation.
indirect enum Statement: Hashable, Sendable {
  case line(String)
  case comment(String)
  case empty
  /// The line that ends with `{`, the enclosed statements, and the line that begins with `}`.
  case block(String, [Statement], end: String)

  static func block(_ opening: String, _ body: [Statement]) -> Statement {
    .block(opening, body, end: "}")
  }

  /// A Boolean value that indicates whether Swift infers that an enclosing closure throws. Swift
  /// does so for any `try`, even in the operand of an assertion, which catches the error.
  var mentionsTry: Bool {
    switch self {
    case .comment, .empty: false
    case .line(let text): Statement.mentionsTry(text)
    case .block(let opening, let body, _):
      Statement.mentionsTry(opening)
        || !opening.hasPrefix("do ") && !opening.isEscapingClosure
          && body.contains(where: \.mentionsTry)
    }
  }

  private static func mentionsTry(_ text: String) -> Bool {
    text.split { $0 == " " || $0 == "(" }.contains("try")
  }

  /// Returns the lines, indented by two spaces for each level.
  static func lines(_ statements: [Statement], level: Int = 0) -> [String] {
    let indentation = String(repeating: "  ", count: level)
    return statements.flatMap { statement -> [String] in
      switch statement {
      case .line(let text): LineWrapping.lines(text, indentation: indentation)
      case .comment(let text): [text.isEmpty ? indentation + "//" : indentation + "// " + text]
      case .empty: [""]
      case .block(let opening, let body, let end):
        LineWrapping.lines(opening, indentation: indentation) + lines(body, level: level + 1) + [
          indentation + end
        ]
      }
    }
  }
}

extension String {
  /// A Boolean value that indicates whether the line opens a closure that may not throw or that has
  /// caught its errors.
  fileprivate var isEscapingClosure: Bool {
    hasSuffix(" in") || hasSuffix(".perform {") || hasSuffix(".async {")
  }
}

extension [Statement] {
  /// The statements as the body of a closure that may not throw. An error fails the test.
  var caught: [Statement] {
    guard contains(where: \.mentionsTry) else { return self }
    return [
      .block("do {", self, end: "} catch {"), .line("  XCTFail(\"\\(error)\")"), .line("}"),
    ]
  }
}
