import Foundation
import Testing

/// `Sources/CONTRIBUTING.md`, whose paths, code and commands readers follow.
@Suite struct `The page for contributors` {
  private static let path = "Sources/CONTRIBUTING.md"

  /// A fenced block with the text between it and the block before.
  private struct Block {
    var language: String
    var text = ""
    var introduction: String
  }

  private static func page() throws -> String { try SourceFile.text(path) }

  private static func lines() throws -> [Substring] {
    try page().split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var introduction = ""
    var isInside = false
    for line in try lines() {
      if line.hasPrefix("```") {
        isInside.toggle()
        if isInside {
          blocks.append(Block(language: String(line.dropFirst(3)), introduction: introduction))
          introduction = ""
        }
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      } else {
        introduction += line + "\n"
      }
    }
    return blocks
  }

  /// The paths in a text that begin with a folder of the checkout.
  private static func paths(in text: String) -> [String] {
    text.matches(of: /`?((?:Sources|Tests|Scenarios|Fixtures|\.ci)\/[^` \n:|]*)/).map {
      String($0.1)
    }
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: SourceFile.root + "/" + path)
  }

  @Test func `the page for contributors is short`() throws {
    #expect(try Self.page().utf8.count <= 9_200)
    var isInside = false
    let prose = try Self.lines().map { line -> Substring in
      if line.hasPrefix("```") { isInside.toggle() }
      return isInside || line.hasPrefix("```") || line.hasPrefix("|") ? "" : line
    }
    // Paragraphs are wrapped, and sentences are read from one line.
    let paragraphs = prose.split(separator: "").map { $0.joined(separator: " ")[...] }
    for sentence in Specification(paragraphs).sentences where sentence.words.count > 25 {
      Issue.record("a sentence of \(sentence.words.count) words: \(sentence.words.prefix(8))")
    }
  }

  @Test func `the page for contributors names files that exist`() throws {
    let paths = Self.paths(in: try Self.page())
    #expect(paths.count > 30)
    for path in paths { #expect(Self.exists(path), "\(Self.path) names \(path)") }
    for match in try Self.page().matches(of: /\]\(([A-Za-z][^)#]*)\)/) {
      #expect(Self.exists("Sources/\(match.1)"), "\(Self.path) links to \(match.1)")
    }
    #expect(try SourceFile.text("Sources/README.md").contains("](CONTRIBUTING.md)"))
  }

  /// The last path before a block names the file that contains the block.
  @Test func `the page for contributors quotes files as they are`() throws {
    var quoteCount = 0
    for block in try Self.blocks()
    where !block.text.hasPrefix("$") && !block.text.hasPrefix("make")
      && !block.text.hasPrefix(".build/")
    {
      let path = try #require(
        Self.paths(in: block.introduction).last { !$0.hasSuffix("/") }, "\(block.text)")
      let text = try SourceFile.text(path)
      #expect(text.contains(block.text), "\(path) does not contain:\n\(block.text)")
      #expect((block.language == "swift") == path.hasSuffix(".swift"))
      quoteCount += 1
    }
    #expect(quoteCount >= 6)
  }

  @Test func `the page for contributors names rules, suites and tests that exist`() throws {
    let page = try Self.page()
    let makefile = try SourceFile.text("Makefile")
    let rules = Set(page.matches(of: /(?:`|\n)make ([a-z-]+)/).map { String($0.1) })
    #expect(rules.count >= 6)
    for rule in rules { #expect(makefile.contains("\n\(rule):"), "make \(rule)") }
    let tests = try SourceFile.all(below: "Tests")
    let filters = Set(
      page.matches(of: /--filter (?:'([^']+)'|([A-Za-z]+))/).map { match in
        String(match.1 ?? match.2 ?? "")
      })
    #expect(filters.count >= 3)
    for filter in filters {
      let isKnown = tests.contains { file in
        file.path.hasPrefix("Tests/\(filter)/")
          || file.lines.contains {
            ($0.contains("@Suite") || $0.contains("func ")) && $0.contains("`\(filter)`")
          }
      }
      #expect(isKnown, "--filter '\(filter)'")
    }
  }

  @Test func `the page for contributors has a row for each file of house tests`() throws {
    let page = try Self.page()
    for file in try SourceFile.all(below: "Tests/HouseTests")
    where file.lines.contains(where: { $0.hasPrefix("@Suite") }) {
      #expect(page.contains("| `\(file.path)` |"), "\(file.path)")
    }
  }
}
