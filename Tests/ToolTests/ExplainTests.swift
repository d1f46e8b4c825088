import Foundation
import Testing

@Suite struct `The option '--explain'` {
  /// Replays a program in which a child saves its insertions, so that the parent awakens the
  /// objects again.
  private func replay(stepCount: Int) throws -> Faultline.Result {
    let text =
      "scenario  long\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
      + "  store  main\n  view  mainQueue coordinator store\n"
      + "  edit  privateQueue parent view\n\nsteps\n"
      + (1..<stepCount).map { "  edit  insert Note as n\($0)\n" }.joined() + "  edit  save\n"
      + "\nclaims\n  succeeded\n"
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-\(UUID().uuidString).scenario")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try Faultline.run(["replay", file.path, "--profile", "current", "--explain"])
  }

  @Test func `a replay says why it does not explain a long program, and what to do`() throws {
    let output = try replay(stepCount: 41).output
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("not explained: ") })
    #expect(line.contains("41") && line.contains("40") && line.contains("'faultline fuzz'"))
    #expect(!output.contains(": explanation"))
  }

  @Test func `a replay explains a short program`() throws {
    let output = try replay(stepCount: 3).output
    #expect(output.contains("duplicate awakeFromInsert: explanation"), "\(output)")
    #expect(!output.contains("not explained"))
  }
}
