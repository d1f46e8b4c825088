import Foundation
import Testing

/// Components are named: the scheduler, a context, a lane. Texts are generated, and shrunk.
@Suite struct `The words of the sources` {
  static let banned = [
    "nobody", "somebody", "anybody", "everybody", "whoever", "made-up", "made up", "made small",
    "make small",
  ]

  @Test(arguments: banned) func `do without`(word: String) throws {
    let pattern = try Regex("\\b\(word)\\b").ignoresCase()
    for file in try SourceFile.all(below: "Sources") {
      for (index, line) in file.lines.enumerated() where line.firstMatch(of: pattern) != nil {
        Issue.record("\(file.path):\(index + 1) says '\(word)'")
      }
    }
  }
}
