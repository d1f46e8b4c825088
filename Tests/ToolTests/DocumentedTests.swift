import Foundation
import Testing

/// Documented violations are those of `--known` and of the checkout's scenarios.
@Suite struct `Documented violations` {
  private static let options = [
    "fuzz", "--runs", "20", "--seed", "3", "--model", "Fixtures/Models/Note.model", "--format",
    "json",
  ]

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-known-\(UUID().uuidString)")

  /// Returns the scenarios that show a campaign's failures, and the number of new failures.
  private func documents(_ known: String...) throws -> (paths: [String], missing: Int) {
    let result = try Faultline.run(Self.options + known.flatMap { ["--known", $0] })
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let violations = try #require((object as? [String: Any])?["violations"] as? [[String: Any]])
    #expect(!violations.isEmpty)
    let paths = violations.compactMap { $0["knownFailure"] as? String }
    #expect(result.code == (paths.count == violations.count ? 0 : 1), "\(result.error)")
    return (paths, violations.count - paths.count)
  }

  @Test func `documented violations are those of the checkout and of given files`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let usual = try documents("Scenarios")
    #expect(usual.missing == 0 && usual.paths.allSatisfy { $0.hasPrefix("Scenarios/") })
    // The same files given twice count once.
    #expect(try documents("Scenarios", "Scenarios/Conflicts").paths.count == usual.paths.count)
    // An app's own model has no known failures.
    let none = try documents()
    #expect(none.paths.isEmpty && none.missing == usual.paths.count)

    // A copy of one of the scenarios, in another folder.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("own.scenario")
    try FileManager.default.copyItem(
      at: Faultline.root.appendingPathComponent(usual.paths[0]), to: copy)
    let more = try documents(folder.path, "Scenarios")
    #expect(more.missing == 0 && more.paths.contains(copy.path))
    #expect(more.paths.contains { $0.hasPrefix("Scenarios/") })
    let only = try documents(folder.path)
    #expect(only.missing > 0 && Set(only.paths) == [copy.path])
  }

  @Test func `no violation is documented without a checkout, which is reported`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tool = folder.appendingPathComponent("faultline")
    try FileManager.default.copyItem(at: Faultline.executable, to: tool)
    let words = ["fuzz", "--runs", "1", "--failures", "none"]
    let alone = try Faultline.run(tool, words, in: folder)
    #expect(
      alone.error == "faultline: no Scenarios folder found, so no failure counts as known; "
        + "give one with --known\n")
    #expect(try Faultline.run(tool, words + ["--known", "none"], in: folder).error.isEmpty)
  }

  /// A scenario can claim to show every kind of failure that campaigns count. Kept failures do.
  @Test func `documented violations have names that scenarios know`() throws {
    let table = try Faultline.run(
      ["stacks", "--stack", "main-only", "--runs", "1", "--model", "Fixtures/Models/Note.model"])
    let rows = table.output.components(separatedBy: "\n\n").last?.split(separator: "\n").dropFirst()
    let kinds = try #require(rows).compactMap { $0.components(separatedBy: "  ").first }
      .prefix { !$0.hasPrefix("main queue held") }
    #expect(
      kinds.contains("lost update in the store")
        && kinds.last == "broken promise of a context", "\(kinds)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("x.scenario")
    let text =
      "scenario  x\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
      + "  store  main\n  view  mainQueue coordinator store\n\nsteps\n  view  insert Note as n\n\n"
      + "claims\n" + kinds.map { "  shows  \($0)\n" }.joined()
    try Data(text.utf8).write(to: file)
    let check = try Faultline.run(["scenario", "check", file.path])
    #expect(check.code == 1 && check.error.isEmpty, "\(check.error)")
    for kind in kinds { #expect(check.output.contains("does not hold: shows  \(kind); ")) }
  }
}
