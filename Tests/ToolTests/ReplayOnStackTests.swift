import Foundation
import Testing

@Suite struct `A replay on a stack` {
  private static let example = Faultline.root.appendingPathComponent(
    "Fixtures/Example/Tests/NotesTests")

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-replay-\(UUID().uuidString)")

  /// Keeps the lost update of the example's form, and writes a stack that is the example's with
  /// `change` made to each line.
  private func prepare(_ change: (String) -> String = { $0 }) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = Self.example.path
    let campaign = try Faultline.run(
      Faultline.executable,
      [
        "fuzz", "--stack", "\(path)/Form.stack", "--model", "\(path)/Notes.model", "--runs", "60",
        "--only", "lost update", "-q",
      ], in: folder)
    #expect(campaign.code == 1, "\(campaign.error)")
    let stack = try String(contentsOfFile: "\(path)/Form.stack", encoding: .utf8)
    let lines = stack.components(separatedBy: "\n").map(change)
    try lines.joined(separator: "\n").write(
      to: folder.appendingPathComponent("New.stack"), atomically: true, encoding: .utf8)
  }

  private func replay(_ more: String...) throws -> Faultline.Result {
    try Faultline.run(
      Faultline.executable, ["replay", "lost-update", "--stack", "New.stack"] + more, in: folder)
  }

  @Test func `a replay fails on a stack that still shows the failure`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare { $0.contains("sync") ? "" : $0 }
    let result = try replay()
    #expect(result.code == 1 && result.output.contains("save ✗ lost update"), "\(result.error)")
    #expect(result.output.hasSuffix("\nFAIL  New.stack still shows lost update\n"))
  }

  @Test func `a replay passes on a stack that does not allow the steps`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare { $0.hasPrefix("  form") ? $0 + " readOnly" : $0 }
    let result = try replay()
    #expect(result.code == 0, "\(result.error)")
    #expect(result.output == "PASS  New.stack does not allow the steps of the example\n")
  }

  /// Where the main context merges the conflict, the kept steps run to their end.
  @Test func `a replay passes on a stack that prevents the failure`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare {
      $0.hasPrefix("  form  mainQueue") ? "  form  mainQueue coordinator store" : $0
    }
    let result = try replay()
    #expect(result.code == 0, "\(result.error)")
    #expect(result.output == "PASS  New.stack no longer shows lost update\n")
  }

  @Test func `a replay refuses a stack without a part of the example, and other options`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare { $0.contains("form") ? "" : $0 }
    let other = try replay()
    #expect(other.code == 2 && other.error.contains("that New.stack does not have"))
    let lanes = try replay("--lanes")
    #expect(lanes.code == 2 && lanes.error.contains("'--lanes' does not apply"))
  }
  @Test func `a replay needs the promise that the example breaks`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare()
    let path = Self.example.path
    let promise = "  promise  count Note <= 2\n"
    let stack = try String(contentsOfFile: "\(path)/Form.stack", encoding: .utf8)
    let lines = stack.replacing("stack  Form\n", with: "stack  Form\nmodel  \(path)/Notes.model\n")
    let promising = folder.appendingPathComponent("Promising.stack")
    try Data((lines + promise).utf8).write(to: promising)
    let campaign = try Faultline.run(
      Faultline.executable,
      [
        "fuzz", "--stack", "Promising.stack", "--model", "\(path)/Notes.model", "--runs", "60",
        "--only", "broken promise", "-q",
      ], in: folder)
    #expect(campaign.code == 1, "\(campaign.output)\(campaign.error)")
    func replay(on stack: String) throws -> Faultline.Result {
      try Faultline.run(
        Faultline.executable, ["replay", "broken-promise", "--stack", stack], in: folder)
    }
    let kept = try replay(on: "Promising.stack")
    #expect(kept.code == 1 && kept.output.contains("\nremedy: "), "\(kept.output)\(kept.error)")
    let without = try replay(on: "New.stack")
    #expect(without.code == 2 && without.error.contains("or promise that New.stack does not have"))
  }
}
