import Foundation
import Testing

@Suite struct `Reports on Apple's framework` {
  /// Makes a checkout of one fact, and a report that confirms it.
  private func withCheckout(_ body: (_ root: URL, _ report: URL) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-observed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for folder in ["Fixtures", "Scenarios", "Tests/FaultlineTests"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    try "section  Invented\n  AB-01  certain  This holds.\n".write(
      to: root.appendingPathComponent("Fixtures/Facts.txt"), atomically: true, encoding: .utf8)
    try "@Test func works() {} // AB-01\n".write(
      to: root.appendingPathComponent("Tests/FaultlineTests/ATests.swift"), atomically: true,
      encoding: .utf8)
    let report = root.appendingPathComponent("report.json")
    try Self.report.write(to: report, atomically: true, encoding: .utf8)
    try "".write(to: root.appendingPathComponent("README.md"), atomically: true, encoding: .utf8)
    try body(root, report)
  }

  private static let report = """
    { "format": 1, "date": "2026-01-31", "faultline": "0.6",
      "system": { "framework": "Core Data", "frameworkVersion": "1401", "name": "macOS",
        "version": "15.1", "architecture": "arm64" },
      "tests": [ { "name": "ATests", "source": "Scenarios/a.scenario", "facts": ["AB-01"],
        "outcome": "passed", "failures": [] } ],
      "facts": [ { "id": "AB-01", "verdict": "confirmed" } ], "options": [] }

    """

  private func kept(_ root: URL) -> [String] {
    let folder = root.appendingPathComponent("Fixtures/Observed").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `reports are kept, written into the page, and explained`() throws {
    try withCheckout { root, report in
      let result = try Faultline.run(
        ["facts", "--root", root.path, "--observed", report.path])
      #expect(result.code == 0, "\(result.output)\(result.error)")
      #expect(
        result.output.hasPrefix(
          "\(report.path): kept as Fixtures/Observed/macos-15.1-arm64.json; macOS 15.1 (arm64): "
            + "facts: 1 hold, 0 do not hold, 0 in doubt, 0 not decided\n"))
      let page = try String(
        contentsOf: root.appendingPathComponent("Scenarios/FACTS.md"), encoding: .utf8)
      #expect(page.contains("holds on macOS 15.1 (arm64)"))
      let explained = try Faultline.run(["facts", "--root", root.path, "AB-01"])
      #expect(explained.output.contains("    observed: holds on macOS 15.1 (arm64)\n"))
      // The same report is not kept twice, and another one is not lost.
      _ = try Faultline.run(["facts", "--root", root.path, "--observed", report.path])
      #expect(kept(root) == ["macos-15.1-arm64.json"])
      let other = root.appendingPathComponent("other.json")
      try (Self.report + "\n").write(to: other, atomically: true, encoding: .utf8)
      _ = try Faultline.run(["facts", "--root", root.path, "--observed", other.path])
      #expect(kept(root) == ["macos-15.1-arm64-2.json", "macos-15.1-arm64.json"])
      #expect(try Faultline.run(["facts", "--root", root.path]).code == 0)
    }
  }

  @Test func `reports that are not valid are refused, and then none is kept`() throws {
    try withCheckout { root, report in
      let bad = root.appendingPathComponent("bad.json")
      try Self.report.replacingOccurrences(of: "passed", with: "fine").write(
        to: bad, atomically: true, encoding: .utf8)
      let result = try Faultline.run(
        ["facts", "--root", root.path, "--observed", report.path, "--observed", bad.path])
      #expect(result.code == 2)
      #expect(
        result.error.hasPrefix(
          "faultline: \(bad.path): tests[0].outcome: unknown; it is one of 'passed', 'failed'"))
      #expect(kept(root) == [])
      let mixed = try Faultline.run(["facts", "SV-04", "--observed", report.path])
      #expect(mixed.code == 2 && mixed.error.contains("'--observed' applies to all facts"))
    }
  }
}
