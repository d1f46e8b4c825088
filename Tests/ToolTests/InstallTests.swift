import Foundation
import Testing

/// The script that `make install` runs after the build.
@Suite struct `An installation` {
  private let prefix = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-install-\(UUID())")
  private let script = Faultline.root.appendingPathComponent("Fixtures/CI/install.sh")

  private func install() throws -> Faultline.Result {
    try Faultline.run(script, [Faultline.executable.path, prefix.path], in: Faultline.root)
  }

  @Test func `an installed tool finds stacks, models and scenarios from any folder`() throws {
    defer { try? FileManager.default.removeItem(at: prefix) }
    let elsewhere = prefix.appendingPathComponent("app")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    let result = try install()
    #expect(result.code == 0, "\(result.error)")
    let tool = prefix.appendingPathComponent("bin/faultline")
    let campaign = try Faultline.run(
      tool, ["fuzz", "--stack", "main-only", "--runs", "20", "--failures", "none"], in: elsewhere)
    #expect(campaign.output.contains("20 programs"), "\(campaign.output)\(campaign.error)")
    let written = try Faultline.run(tool, ["init", "Notes"], in: elsewhere)
    let package = ".package(name: \"Faultline\", path: \"\(prefix.path)/share/faultline\")"
    #expect(written.output.contains(package), "\(written.output)\(written.error)")
    let share = prefix.appendingPathComponent("share").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: share) == ["faultline"])
  }

  @Test func `an installation replaces an earlier one`() throws {
    defer { try? FileManager.default.removeItem(at: prefix) }
    let old = prefix.appendingPathComponent("share/faultline/old.txt")
    try FileManager.default.createDirectory(
      at: old.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: old)
    #expect(try install().code == 0)
    #expect(!FileManager.default.fileExists(atPath: old.path))
  }

  @Test func `an installation without a tool is refused`() throws {
    let result = try Faultline.run(script, ["/no/such/tool", prefix.path], in: Faultline.root)
    #expect(result.code == 2 && result.error.contains("usage: "), "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: prefix.path))
  }
}
