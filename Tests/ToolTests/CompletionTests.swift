import Foundation
import Testing

@Suite struct `Completion` {
  /// Returns the words that bash offers after a line.
  private func offers(_ line: String) throws -> [String] {
    let words = line.components(separatedBy: " ")
    let script = """
      source <("$0" completion bash)
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _faultline
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try Faultline.run(
      URL(fileURLWithPath: "/bin/bash"), ["-c", script, Faultline.executable.path] + words,
      in: Faultline.root)
    #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
  func `completion in bash offers what can stand there`() throws {
    #expect(try offers("faultline fu") == ["fuzz"])
    #expect(try offers("faultline fuzz --ver") == ["--verbose"])
    #expect(try offers("faultline fuzz --profile ") == ["documented", "legacy", "current"])
    #expect(try offers("faultline fuzz --stack pro") == ["proxy"])
    #expect(try offers("faultline scenario bo") == ["book"])
    #expect(
      try offers("faultline replay Scenarios/Conflicts/last-child").contains {
        $0.hasSuffix("wins.scenario")
      })
    #expect(try offers("faultline help sta") == ["stacks"])
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
  func `completion in bash offers a name with blanks as one word`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-blanks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("My App.model")
    try Data().write(to: file)
    #expect(try offers("faultline fuzz --model \(folder.path)/My") == [file.path])
  }

  /// Every option of every help is completed, and every completed option is in a help.
  @Test(arguments: [
    "fuzz", "merge", "replay", "explore", "coverage", "stacks", "facts", "scenario",
  ])
  func `completion knows the options that the help explains`(command: String) throws {
    let help = try Faultline.run([command, "--help"]).output
    let offered = Set(try offers("faultline \(command) --")).subtracting(["--help"])
    for option in offered where !(command == "scenario" && !help.contains(option)) {
      #expect(help.contains(option), "\(option)")
    }
    for match in help.matches(of: /\n      (--[a-z-]+)/) {
      #expect(offered.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test(arguments: ["zsh", "fish"])
  func `completion is a script that the shell takes`(shell: String) throws {
    let script = try Faultline.run(["completion", shell])
    #expect(script.code == 0 && script.output.contains("only-steps"))
    let path = ["/usr/bin/\(shell)", "/bin/\(shell)"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let path else { return }
    let check = try Faultline.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "\"$1\" completion \"$2\" | \"$0\" -n", path, Faultline.executable.path, shell],
      in: Faultline.root)
    #expect(check.code == 0 && check.error.isEmpty, "\(check.error)")
  }

  @Test func `the command says which shells it knows`() throws {
    for words in [[], ["tcsh"], ["bash", "zsh"]] {
      let result = try Faultline.run(["completion"] + words)
      #expect(result.code == 2 && result.error.contains("bash, zsh, fish"))
    }
  }
}
