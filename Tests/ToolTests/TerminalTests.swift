import Foundation
import Testing

/// Output that people see on a terminal and programs do not get.
@Suite struct `Output on a terminal` {
  private static let script = ["/usr/bin/script", "/bin/script"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  private static let campaign =
    "fuzz --strict --jobs 1 --only-steps insert --only-steps save --model Fixtures/Models/Note.model --known none"

  /// Returns the output of the tool on a terminal of its own.
  private func show(_ words: String, environment: String = "TERM=xterm NO_COLOR=") throws -> String
  {
    let path = try #require(Self.script)
    let command = "env \(environment) \(Faultline.executable.path) \(words)"
    let result = try Faultline.run(
      URL(fileURLWithPath: path), ["-qec", command, "/dev/null"], in: Faultline.root)
    return result.output
  }

  #if os(Linux)
    @Test(.enabled(if: script != nil)) func `a status line comes and goes, and words stand out`()
      throws
    {
      let text = try show(Self.campaign + " --time 1500ms")
      let status = text.components(separatedBy: "\r\u{1B}[K").filter { $0.contains(" programs, ") }
      #expect(status.count >= 2, "\(text.prefix(300))")
      let first = try #require(status.first)
      // A terminal of 80 columns has room for the short form.
      let parts =
        /[0-9,]+ programs, [0-9]+k steps\/s, [0-9]+ kinds? \(newest [0-9]+ s ago\), [0-9]+ s left, [0-9,]+ states/
      #expect(first.prefixMatch(of: parts) != nil && first.count < 80, "\(first)")
      #expect(text.contains("\u{1B}[1;31m── "))
      #expect(text.contains("the programs ran for "))
    }

    @Test(.enabled(if: script != nil)) func `nothing stands out for users who want no colour`()
      throws
    {
      let text = try show(Self.campaign + " --runs 40", environment: "TERM=xterm NO_COLOR=1")
      #expect(text.contains("── ") && !text.contains("\u{1B}[1;31m"))
      let dumb = try show(Self.campaign + " --runs 40", environment: "TERM=dumb")
      #expect(dumb.contains("── ") && !dumb.contains("\u{1B}"))
    }
  #endif

  @Test func `output that is not on a terminal has no status line and no colour`() throws {
    let result = try Faultline.run(
      Self.campaign.components(separatedBy: " ") + ["--time", "600ms"])
    #expect(result.code == 1 && result.error.isEmpty, "\(result.error)")
    #expect(!result.output.contains("\u{1B}") && !result.output.contains("a second"))
  }
}
