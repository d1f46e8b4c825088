/// A piece of Swift source, which knows nothing of its indentation.
indirect enum Statement: Hashable, Sendable {
  case line(String)
  case comment(String)
  case empty
  /// The line that ends with `{`, what is inside, and the line that begins with `}`.
  case block(String, [Statement], end: String)

  static func block(_ opening: String, _ body: [Statement]) -> Statement {
    .block(opening, body, end: "}")
  }

  /// Whether Swift takes a closure with it for one that throws: where `try` stands in it, be it
  /// within the operand of an assertion, which catches what it throws.
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

  /// The lines, indented by two spaces for each level.
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
  /// Whether it begins a closure in which nothing may throw, or which has caught what does.
  fileprivate var isEscapingClosure: Bool {
    hasSuffix(" in") || hasSuffix(".perform {") || hasSuffix(".async {")
  }
}

extension [Statement] {
  /// These statements where nothing may throw: an error fails the test.
  var caught: [Statement] {
    guard contains(where: \.mentionsTry) else { return self }
    return [
      .block("do {", self, end: "} catch {"), .line("  XCTFail(\"\\(error)\")"), .line("}"),
    ]
  }
}
