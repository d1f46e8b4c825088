import Foundation
import Testing

/// Printed text uses the field's terms.
@Suite struct `Printed words` {
  /// Banned words, with the words to write instead.
  private static let banned: [(pattern: String, instead: String)] = [
    ("made[- ]up|makes? up|making up", "generated"),
    ("ma(de|ke|kes|king) (it |them |what was found )?small", "shrunk, shrink"),
    ("nobody|somebody|whoever|anybody|everybody|he|his|him", "the component that acts"),
    ("(goes|go|went) wrong|is broken|broken:", "violation, is violated"),
    ("not documented|documented by|edge cases?", "new failure, known failure"),
    ("engine and reference(?! model)|engine against reference(?!\\s+model)", "reference model"),
    ("in a circle", "a cycle of the wait-for graph"),
    ("everyday (?:steps|ones)", "common steps"),
    ("(?:lanes? (?:that )?can|who can) go", "is runnable, are runnable"),
    ("at the most", "at most, maximum number of"),
    ("stands? twice", "is given twice"),
  ]

  private func check(_ text: String, of source: String) throws {
    for (pattern, instead) in Self.banned {
      let expression = try NSRegularExpression(
        pattern: "(?<!\\w)(?:\(pattern))(?!\\w)", options: .caseInsensitive)
      let range = NSRange(text.startIndex..., in: text)
      for match in expression.matches(in: text, range: range).prefix(3) {
        let found = Range(match.range, in: text).map { String(text[$0]) } ?? ""
        Issue.record("\(source): '\(found)'; write \(instead)")
      }
    }
  }

  @Test func `help uses the field's terms`() throws {
    let commands = [
      "fuzz", "merge", "replay", "explore", "coverage", "scenario", "stacks", "facts", "testcases",
      "prepare", "export", "calibration", "guide", "mcp", "completion",
    ]
    try check(Faultline.run(["--help"]).output, of: "faultline --help")
    try check(Faultline.run(["guide"]).output, of: "faultline guide")
    for command in commands {
      try check(Faultline.run([command, "--help"]).output, of: "faultline \(command) --help")
    }
  }

  @Test(arguments: [
    ("human", []), ("human", ["--known", "none"]), ("json", []), ("junit", ["--known", "none"]),
    ("brief", []),
    ("github", []), ("sarif", ["--known", "none"]),
  ])
  func `reports use the field's terms`(format: String, known: [String]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-words-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = folder.appendingPathComponent("report.html")
    let report = try Faultline.run(
      [
        "fuzz", "--runs", "30", "--model", "Fixtures/Models/Note.model", "--stack", "proxy",
        "--format", format, "--html", page.path,
      ] + known)
    #expect(report.output.contains("lost update"))
    try check(report.output, of: "a report as \(format)")
    try check(String(contentsOf: page, encoding: .utf8), of: "a report's page")
  }

  @Test func `the book, pages and summaries use the field's terms`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-words-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let book = folder.appendingPathComponent("book")
    let written = try Faultline.run(
      ["scenario", "book", "Scenarios/Conflicts", "--to", book.path])
    #expect(written.code == 0)
    let output = folder.appendingPathComponent("campaign")
    _ = try Faultline.run(
      [
        "fuzz", "--runs", "30", "--model", "Fixtures/Models/Note.model", "--stack", "proxy",
        "--output", output.path,
      ])
    let page = folder.appendingPathComponent("run.html")
    _ = try Faultline.run(
      ["replay", "Scenarios/Conflicts/last-child-wins.scenario", "--html", page.path])
    var count = 0
    let files = FileManager.default.enumerator(atPath: folder.path)
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".html") || path.hasSuffix(".md") else { continue }
      count += 1
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      try check(text, of: path)
    }
    #expect(count > 20)
  }

  @Test func `explanations and explorations use the field's terms`() throws {
    let path = "Scenarios/Conflicts/last-child-wins.scenario"
    try check(Faultline.run(["replay", path, "--explain"]).output, of: "replay --explain")
    try check(Faultline.run(["explore", path]).output, of: "explore")
  }

  @Test func `the documentation uses the field's terms`() throws {
    let catalogue = "Sources/Faultline/Faultline.docc"
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: Faultline.root.appendingPathComponent(catalogue).path
    ).filter { $0.hasSuffix(".md") }
    #expect(articles.count >= 5)
    let pages =
      [
        "README.md", "Sources/README.md", "Sources/SEMANTICS.md", "Sources/CONTRIBUTING.md",
        "Scenarios/README.md", "Tests/QUALITY.md", "Tests/SPEED.md",
      ] + (try Self.readmes(below: "Fixtures"))
    for path in pages + articles.sorted().map({ "\(catalogue)/\($0)" }) {
      let text = try String(
        contentsOf: Faultline.root.appendingPathComponent(path), encoding: .utf8)
      try check(text, of: path)
      if path == "README.md" { #expect(text.utf8.count <= 8_000) }
    }
  }

  private static func readmes(below folder: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: Faultline.root.appendingPathComponent(folder).path)
    let found = paths.filter { $0.hasSuffix("README.md") && !$0.contains(".build/") }.sorted()
    #expect(found.count >= 2)
    return found.map { "\(folder)/\($0)" }
  }

  /// Relative links, which readers of the plain Markdown follow.
  @Test func `the links of the catalogue lead to existing files`() throws {
    let catalogue = Faultline.root.appendingPathComponent("Sources/Faultline/Faultline.docc")
    for name in try FileManager.default.contentsOfDirectory(atPath: catalogue.path).sorted()
    where name.hasSuffix(".md") {
      let text = try String(contentsOf: catalogue.appendingPathComponent(name), encoding: .utf8)
      for match in text.matches(of: /\]\(([^)#:]+)\)/) {
        let path = catalogue.appendingPathComponent(String(match.1)).standardizedFileURL.path
        #expect(FileManager.default.fileExists(atPath: path), "\(name): \(match.1)")
      }
    }
  }
}
