import Foundation
import Testing

#if os(Linux)
  /// An adapter that is a shell script. It can insert objects and tell whether there are changes.
  private struct ScriptedAdapter {
    let folder: URL
    var path: String { folder.appendingPathComponent("adapter").path }

    /// - Parameter hasChanges: The answer to that step, as an awk program.
    init(hasChanges: String) throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("faultline-adapter-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let script = """
        #!/bin/sh
        if [ "$1" = --capabilities ]; then
          printf 'name Script\\nsteps insert hasChanges\\ncontexts 1\\npolicies error\\n'
          exit
        fi
        exec awk '
          /^begin$/ { begun = 1; next }
          !begun { next }
          $1 == "insert" { names[++count] = $2 "." $3; context = $2; print "done" }
          $1 == "hasChanges" { \(hasChanges) }
          $1 == "flags" {
            line = "flags" (count ? " " context : "")
            for (i = 1; i <= count; i++) line = line " " names[i] ":I"
            print line
          }'

        """
      try script.write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    func compare(_ words: String...) throws -> Faultline.Result {
      defer { try? FileManager.default.removeItem(at: folder) }
      return try Faultline.run(
        Faultline.others,
        ["--adapter", path, "--model", "Tests/Others/Models/Notes.model", "--steps", "8"]
          + ["--seeds", "30"] + words, in: Faultline.root)
    }
  }

  /// The comparison program of Tests/OTHERS.md, which is not part of the tool.
  @Suite struct `A comparison with another implementation` {
    private static let right = #"print "flag " (count ? "true" : "false")"#
    private static let wrong = #"print "flag false""#

    @Test func `a comparison agrees if all answers are the expected ones`() throws {
      let result = try ScriptedAdapter(hasChanges: Self.right).compare()
      #expect(result.code == 0, "\(result.output)\(result.error)")
      let words = result.output.split { " ;\n".contains($0) }.map(String.init)
      let programs = try #require(words.dropFirst().first.flatMap { Int($0) })
      #expect(programs >= 20)
      #expect(result.output.contains("\(programs) agree in all, 0 but for known"))
    }

    @Test func `a comparison names a difference and its smallest program`() throws {
      let result = try ScriptedAdapter(hasChanges: Self.wrong).compare()
      #expect(result.code == 1)
      #expect(result.output.contains("1. hasChanges: flag, theirs flag\n  NEW;"))
      let steps = result.output.split(separator: "\n").filter {
        $0.hasPrefix("  insert") || $0.hasPrefix("  hasChanges")
      }
      #expect(steps.count == 2, "\(result.output)")
      #expect(result.output.contains("ours:   flag true\n    theirs: flag false"))
    }

    @Test func `a comparison does not fail for a difference that is listed`() throws {
      let adapter = try ScriptedAdapter(hasChanges: Self.wrong)
      let known = adapter.folder.appendingPathComponent("known.txt").path
      try "goes on | theirs | CT-07 | hasChanges: flag, theirs flag\n".write(
        toFile: known, atomically: true, encoding: .utf8)
      let result = try adapter.compare("--known", known)
      #expect(result.code == 0)
      #expect(result.output.contains("theirs, CT-07;"))
    }

    @Test func `a comparison continues after an adapter that ends early`() throws {
      let result = try ScriptedAdapter(hasChanges: "exit 3").compare()
      #expect(result.code == 1)
      #expect(result.output.contains("hasChanges: flag, theirs ended with status 3"))
    }
  }
#endif
