import Foundation
import Testing

/// The commands of the README are run in a folder that looks like a checkout.
@Suite struct `The README` {
  private static let text = try? String(
    contentsOf: Faultline.root.appendingPathComponent("README.md"), encoding: .utf8)

  /// Returns the contents of blocks that begin with this line.
  private static func blocks(_ fence: String) -> [String] {
    var blocks: [String] = []
    var (isInside, isWanted) = (false, false)
    for line in (text ?? "").components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside.toggle()
        isWanted = isInside && line == fence
        if isWanted { blocks.append("") }
      } else if isWanted {
        blocks[blocks.count - 1] += line + "\n"
      }
    }
    return blocks
  }

  /// The commands, with a model of the checkout in place of the reader's.
  static let commands = blocks("```").flatMap { $0.components(separatedBy: "\n") }
    .map { $0.hasPrefix("$ ") ? String($0.dropFirst(2)) : $0 }
    .filter { $0.hasPrefix(".build/release/faultline ") }
    .map { $0.replacing("path/to/App.xcdatamodeld", with: "Fixtures/Models/Note.model") }

  @Test func `the README has commands that run as printed, one after the other`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-readme-\(UUID().uuidString)")
    let files = FileManager.default
    defer { try? files.removeItem(at: folder) }
    try files.createDirectory(
      at: folder.appendingPathComponent(".build/release"), withIntermediateDirectories: true)
    for name in ["Scenarios", "Fixtures", "Package.swift", "Sources"] {
      try files.createSymbolicLink(
        at: folder.appendingPathComponent(name),
        withDestinationURL: Faultline.root.appendingPathComponent(name))
    }
    try files.copyItem(
      at: Faultline.executable, to: folder.appendingPathComponent(".build/release/faultline"))
    #expect(Self.commands.count >= 8, "\(Self.commands)")
    for command in Self.commands {
      let result = try Faultline.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", "exec " + command], in: folder)
      // A few programs may find undocumented failures. Bad input and defects have other exit codes.
      let mayFind = ["fuzz", "merge", "replay"].contains { command.contains("faultline \($0) ") }
      #expect(result.code == 0 || (mayFind && result.code == 1), "\(command): \(result.error)")
      #expect(!result.output.isEmpty, "\(command)")
    }
    for name in ["my.html", "run.html", "report.html", "both/report.json"] {
      #expect(files.fileExists(atPath: folder.path + "/.build/" + name), "\(name)")
    }
    let test = try String(
      contentsOf: folder.appendingPathComponent("Notes/NotesTests.swift"), encoding: .utf8)
    #expect(test.hasSuffix("\n" + (Self.blocks("```swift").last ?? "?")), "\(test)")
  }

  @Test func `the README names rules that the Makefile has`() throws {
    let makefile = try String(
      contentsOf: Faultline.root.appendingPathComponent("Makefile"), encoding: .utf8)
    let names = Set(
      (Self.text ?? "").matches(of: /(?:`|\n)make ([a-z]+)/).map { String($0.1) })
    #expect(names.count >= 7, "\(names)")
    for name in names { #expect(makefile.contains("\n\(name):"), "\(name)") }
  }

  /// The second block is compared with the test that `init` writes.
  @Test func `the README shows code that the example has`() throws {
    let example = try String(
      contentsOf: Faultline.root.appendingPathComponent(
        "Fixtures/Example/Tests/NotesAppXCTests/ImportXCTests.swift"), encoding: .utf8)
    let blocks = Self.blocks("```swift")
    #expect(blocks.count == 2)
    #expect(example.contains(blocks[0]), "\(blocks[0])")
  }

  /// `make documented` compares the article's report with that of the test.
  @Test func `the README shows lines of a report that an article shows whole`() throws {
    let article = try String(
      contentsOf: Faultline.root.appendingPathComponent(
        "Sources/Faultline/Faultline.docc/YourExistingTests.md"), encoding: .utf8)
    let report = try #require(Self.blocks("```").first)
    let lines = report.split(separator: "\n")
    #expect(lines.count >= 8 && lines[0].hasPrefix("after step "))
    for line in lines { #expect(article.contains("\n\(line)\n"), "\(line)") }
  }

  @Test func `the README leads to an article that shows a test of the example`() throws {
    let article = try String(
      contentsOf: Faultline.root.appendingPathComponent(
        "Sources/Faultline/Faultline.docc/YourExistingTests.md"), encoding: .utf8)
    let tests = try String(
      contentsOf: Faultline.root.appendingPathComponent(
        "Fixtures/Example/Tests/NotesAppXCTests/ImportXCTests.swift"), encoding: .utf8)
    let shown = article.components(separatedBy: "```").map { $0.dropFirst("swift\n".count) }
      .filter { $0.hasPrefix("  func test") }
    #expect(shown.count == 1 && tests.contains(shown[0]), "\(shown)")
  }

  @Test func `the README links to existing files`() {
    for match in (Self.text ?? "").matches(of: /\]\(([^)#]+)\)/) {
      let path = Faultline.root.appendingPathComponent(String(match.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
    }
  }

  /// Options and commands in running text count, too.
  @Test func `the README names existing options`() throws {
    var known: Set<String> = ["--help", "--version"]
    let commands = [
      "fuzz", "merge", "replay", "explore", "coverage", "scenario", "stacks", "facts",
    ]
    for command in commands {
      for match in try Faultline.run([command, "--help"]).output.matches(of: /--[a-z-]+/) {
        known.insert(String(match.output))
      }
    }
    for match in (Self.text ?? "").matches(of: /`(--[a-z-]+)/) {
      #expect(known.contains(String(match.1)), "\(match.1)")
    }
  }
}
