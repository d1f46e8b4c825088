import Foundation
import Testing

/// `--format brief` is for coding agents, which read little text.
@Suite struct `A brief report` {
  private static let model = "Fixtures/Models/Note.model"

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-brief-\(UUID().uuidString)")

  private func campaign(on stack: String, _ options: [String]) throws -> Faultline.Result {
    let words = ["fuzz", "--stack", "Fixtures/Stacks/\(stack).stack", "--model", Self.model]
    return try Faultline.run(words + ["--runs", "200"] + options)
  }

  private static func wordCount(_ text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count
  }

  @Test func `a brief report of one finding has its proof and place in 400 words`() throws {
    let options = ["--only", "lost update", "--format"]
    let brief = try campaign(on: "modal-edit-child", options + ["brief"])
    let lines = brief.output.components(separatedBy: "\n")
    #expect(brief.code == 1 && lines[0].hasPrefix("FAIL  1 failure, which loses data"), "\(brief)")
    #expect(lines.contains { $0.hasPrefix("1. lost update (loses data; ") })
    for field in ["violation", "at", "cause", "remedy", "repeat"] {
      #expect(lines.count { $0.hasPrefix("  \(field): ") } == 1, "\(field)")
    }
    #expect(lines.count { $0.hasPrefix("    step ") } >= 2, "\(brief.output)")
    #expect(Self.wordCount(brief.output) <= 400)
    // The place is that of the annotation.
    let annotations = try campaign(on: "modal-edit-child", options + ["github"]).output
    let place = try #require(annotations.firstMatch(of: /::error file=([^,]+),line=([0-9]+),/))
    #expect(lines.contains("  at: \(place.1):\(place.2)"), "\(place.0)")
  }

  /// The stacks show more failures than the report has in detail.
  @Test(arguments: [
    "sugarrecord-default-storage", "modal-edit-child", "delete-again", "moody-two-roots",
  ])
  func `a brief report of many findings is plain and bounded`(stack: String) throws {
    let brief = try campaign(on: stack, ["--strict", "--format", "brief"])
    #expect(brief.code == 1 && brief.output.count <= 8_000)
    for mark in ["\u{1B}", "│", "✗"] { #expect(!brief.output.contains(mark), "\(mark)") }
    let verdict = try #require(brief.output.firstMatch(of: /^FAIL  ([0-9]+) failures:\s/))
    let detailed = brief.output.matches(of: /\n[0-9]+\.\s/).count
    let others = brief.output.matches(of: /\n- [^\n]* at [^\n]*\.stack:[0-9]+:\s/).count
    #expect(detailed <= 5 && detailed + others == Int(verdict.1), "\(brief.output)")
    #expect(others > 0)
  }

  @Test func `a brief report separates warnings from failures`() throws {
    let brief = try campaign(on: "container-with-automatic-merging", ["--format", "brief"])
    let parts = brief.output.components(separatedBy: "warnings, which fail only with --strict:")
    #expect(parts.count == 2 && parts[1].contains("\n- stale "), "\(brief.output)")
    #expect(!parts[0].contains("shows old data"))
  }

  @Test func `a brief report of a campaign without failures begins with PASS`() throws {
    let brief = try Faultline.run(
      ["fuzz", "--stack", "main-only", "--model", Self.model, "--runs", "50", "--format", "brief"])
    #expect(brief.code == 0 && brief.output.hasPrefix("PASS"), "\(brief)")
    #expect(Self.wordCount(brief.output) < 100)
  }

  @Test func `a brief report prints commands that repeat its failures`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let words = ["fuzz", "--stack", "proxy", "--runs", "200", "--format", "brief"]
    let brief = try Faultline.run(Faultline.executable, words, in: folder)
    let commands = brief.output.matches(of: /\n  repeat: ([^\n]+)/).map { String($0.1) }
    #expect(!commands.isEmpty, "\(brief)")
    for command in commands {
      let result = try Faultline.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", command], in: folder)
      #expect(result.code == 1 && result.output.contains("\nFAIL  "), "\(command): \(result)")
    }
    let again = try Faultline.run(Faultline.executable, words, in: folder)
    #expect(again.output.hasPrefix("FAIL") && again.output.contains("seen before"))
  }

  @Test func `a brief report of merged shards is that of the campaign`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = ["--format", "brief", "--only", "lost update"]
    let shards = try [1, 2].map { number in
      let path = folder.appendingPathComponent("\(number)").path
      _ = try campaign(
        on: "modal-edit-child", options + ["--shard", "\(number)/2", "--output", path])
      return path
    }
    let merged = try Faultline.run(["merge"] + shards + ["--format", "brief"])
    let whole = try campaign(on: "modal-edit-child", options)
    #expect(merged.code == 1 && merged.output == whole.output, "\(merged)")
  }
}
