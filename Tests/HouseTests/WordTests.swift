import Foundation
import Testing

/// Comments name components: the scheduler, a context, a lane. Texts are generated, and shrunk.
@Suite struct `The words of sources and tests` {
  static let banned = [
    "nobody", "somebody", "anybody", "everybody", "whoever", "he", "his", "him", "made[- ]up",
    "ma(?:de|ke) small",
  ]

  /// These two files contain the words in order to look for them.
  private static let exceptions = [
    "Tests/HouseTests/WordTests.swift", "Tests/ToolTests/PrintedWordsTests.swift",
  ]

  @Test func `sources and tests name the component that acts`() throws {
    try expectNone(of: "\\b(?:\(Self.banned.joined(separator: "|")))\\b", .caseInsensitive)
  }

  /// A sentence with such a beginning has a component as its subject, but does not name it.
  @Test func `no comment begins with who`() throws {
    try expectNone(of: "// (?:Who|Whose|Whom)\\b")
  }

  private func expectNone(of pattern: String, _ options: NSRegularExpression.Options = []) throws {
    let expression = try NSRegularExpression(pattern: pattern, options: options)
    let files = try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests")
    for file in files where !Self.exceptions.contains(file.path) {
      for (index, line) in file.lines.enumerated() {
        let text = String(line)
        let range = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: range) else { continue }
        let found = Range(match.range, in: text).map { String(text[$0]) } ?? ""
        Issue.record("\(file.path):\(index + 1) says '\(found)'")
      }
    }
  }
}
