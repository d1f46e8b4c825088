import Foundation
import Testing

@Suite struct `A folder behind '--failures'` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-kept-\(UUID().uuidString)")

  private func fuzz(seed: Int = 3, _ more: String...) throws -> Faultline.Result {
    try Faultline.run(
      [
        "fuzz", "--runs", "40", "--seed", "\(seed)", "--model", "Fixtures/Models/Note.model",
        "--failures", folder.path,
      ] + (more.contains("--known") ? [] : ["--known", "Scenarios"]) + more)
  }

  private var files: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted()
  }

  @Test func `a folder keeps the failures of a planted bug, replays them, and moves them aside`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try fuzz("--plant", "skipsMandatoryCheck", "--plant", "forgetsVersionBump")
    #expect(first.code == 1)
    #expect(first.output.contains("kept failures: none to replay in \(folder.path)\n  written: "))
    let written = files
    #expect(!written.isEmpty)

    let second = try fuzz("--plant", "skipsMandatoryCheck", "--plant", "forgetsVersionBump")
    #expect(second.code == 1)
    let count = written.count
    #expect(
      second.output.contains(
        "kept failures: \(count) of \(folder.path) replayed, \(count) still failing"))
    #expect(second.output.contains("\(folder.path)/\(written[0]): still shows "))
    #expect(files == written)

    let third = try fuzz("--format", "json")
    #expect(third.code == 0, "\(third.output)")
    #expect(files == ["stale"])
    let object = try JSONSerialization.jsonObject(with: Data(third.output.utf8)) as? [String: Any]
    let kept = try #require(object?["failures"] as? [String: Any])
    let replayed = try #require(kept["replayed"] as? [[String: Any]])
    #expect(replayed.compactMap { $0["fails"] as? Bool } == written.map { _ in false })
    #expect(
      replayed.compactMap { $0["movedTo"] as? String }.sorted()
        == written.map { "\(folder.path)/stale/\($0)" })
  }

  @Test func `a campaign fails because of kept failures, whatever it finds`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try fuzz("--known", "none")
    let file = try #require(files.first)
    let again = try Faultline.run([
      "fuzz", "--runs", "1", "--seed", "3", "--model", "Fixtures/Models/Note.model",
      "--profile", "documented", "--known", "none", "--failures", folder.path,
      "--format", "github", "--strict",
    ])
    #expect(again.code == 1)
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    let line = try #require(
      text.components(separatedBy: "\n").firstIndex { $0.hasPrefix("scenario ") })
    #expect(again.output.contains("::error file=\(folder.path)/\(file),line=\(line + 1),title="))
  }

  /// The copy is replayed to see whether it still fails.
  @Test func `a folder has files that replay as kept examples`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try fuzz(seed: 9, "--known", "none")
    let name = try #require(files.first { $0.hasPrefix("duplicate-awake") })
    let file = folder.appendingPathComponent(name)
    let copy = folder.appendingPathComponent("copy.scenario")
    try FileManager.default.copyItem(at: file, to: copy)
    for path in [file.path, copy.path] {
      let result = try Faultline.run(["replay", path])
      #expect(result.code == 1, "\(result.error)")
      #expect(result.output.hasPrefix("step  "), "\(result.output)")
      #expect(result.output.hasSuffix("\nFAIL  duplicate awakeFromInsert\n"), "\(result.output)")
    }
    // The example is about one kind. Other violations of its run are named.
    let stale = folder.appendingPathComponent("stale-read-through-the-row-cache.scenario")
    let other = try Faultline.run(["replay", stale.path]).output
    #expect(
      other.contains(" ✗ stale read") && !other.contains("at the end: stale copy"), "\(other)")
    #expect(other.contains("\nalso seen: stale copy; '--transcript' shows the steps\n"))
    #expect(
      try Faultline.run(["replay", stale.path, "--transcript"]).output.contains(
        "> at the end: stale copy"))
    let mended = try Faultline.run(["replay", file.path, "--profile", "documented"])
    #expect(mended.code == 0, "\(mended.error)")
    #expect(mended.output.hasSuffix("\nPASS  duplicate awakeFromInsert no longer occurs\n"))
    // As a scenario it holds, because its claim says that it fails.
    #expect(try Faultline.run(["scenario", "check", file.path]).code == 0)
  }

  /// GitHub and code scanning show a new failure in the model or stack with which it was found. The
  /// file of the example is in no repository.
  @Test func `a new failure is shown in the file with which it was found`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = "Fixtures/Models/Note.model"
    let words = [
      "fuzz", "--runs", "15", "--seed", "3", "--model", model, "--known", "none", "--format",
    ]
    let bare = try Faultline.run(words + ["github"])
    let annotation = /::(?:error|warning) file=([^,]*),line=([0-9]+),title=([a-zA-Z ]*)/
    let members = try String(contentsOfFile: model, encoding: .utf8).components(separatedBy: "\n")
    let found = bare.output.matches(of: annotation)
    #expect(found.count > 2 && found.allSatisfy { $0.1 == model }, "\(bare.output)")
    for match in found {
      let line = members[try #require(Int(match.2)) - 1]
      // A failure about a value is at its property, and a failure about objects is at the entity.
      let isAboutObjects = ["deadlock", "duplicate awakeFromInsert", "temporary ID leak"].contains(
        match.3)
      #expect(isAboutObjects ? line == "Note" : line.hasPrefix("  "), "\(match.3): \(line)")
    }
    let written = try Faultline.run(words + ["github", "--output", folder.path])
    #expect(written.output.matches(of: annotation).map(\.2) == found.map(\.2))
    let sarif = try Faultline.run(words + ["sarif", "--output", folder.path])
    let results = try results(inSarif: sarif.output)
    let located = results.filter { ($0["locations"] as? [Any])?.count == 1 }
    #expect(located.count == found.count)
    // Without a model file, the failure has only its scenario.
    let generated = try Faultline.run([
      "fuzz", "--runs", "15", "--seed", "3", "--model", "generated", "--known", "none", "--format",
      "github", "--output", folder.path,
    ])
    for match in generated.output.matches(of: annotation) {
      let text = try String(contentsOfFile: String(match.1), encoding: .utf8)
      let line = try #require(Int(match.2))
      #expect(text.components(separatedBy: "\n")[line - 1].hasPrefix("scenario "))
    }
    #expect(!generated.output.matches(of: annotation).isEmpty, "\(generated.output)")
    // On a stack from a file, at the line of the part that is at fault.
    let stack = "Fixtures/Stacks/import-operation-on-main.stack"
    let designed = try Faultline.run([
      "fuzz", "--runs", "40", "--model", model, "--stack", stack, "--format", "github", "--only",
      "wrong-queue access by the stack",
    ])
    let lines = try String(contentsOfFile: stack, encoding: .utf8).components(separatedBy: "\n")
    let entry = try #require(lines.firstIndex { $0.hasPrefix("  entry  importAsPrinted") })
    #expect(
      designed.output.contains(
        "::error file=\(stack),line=\(entry + 1),title=wrong-queue access by the stack"))
    // Each step of the proof is at the line of its own context.
    let flows = try Faultline.run([
      "fuzz", "--runs", "300", "--model", model, "--stack",
      "Fixtures/Stacks/modal-edit-child.stack", "--format", "sarif", "--only", "lost update",
      "--failures", "none",
    ])
    let modal = try String(
      contentsOfFile: "Fixtures/Stacks/modal-edit-child.stack", encoding: .utf8
    ).components(separatedBy: "\n")
    let lost = try #require(
      try self.results(inSarif: flows.output).first { $0["ruleId"] as? String == "lost-update" })
    let places = try placedLines(of: lost).map { modal[$0 - 1].split(separator: " ")[0] }
    #expect(places.count > 3 && places.last == "entry", "\(places)")
    #expect(Set(places.dropLast()) == ["view", "edit"], "\(places)")
  }

  /// Returns the lines of the steps of a SARIF result's proof, and then the result's own line.
  private func placedLines(of result: [String: Any]) throws -> [Int] {
    let data = try JSONSerialization.data(withJSONObject: result, options: [.sortedKeys])
    let text = String(decoding: data, as: UTF8.self)
    return text.matches(of: /"startLine":([0-9]+)/).compactMap { Int($0.1) }
  }

  private func results(inSarif text: String) throws -> [[String: Any]] {
    let log = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let runs = try #require(log?["runs"] as? [[String: Any]])
    return try #require(runs.first?["results"] as? [[String: Any]])
  }

  @Test func `a campaign ends with exit code 2 if a file of the folder is bad`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let bad = folder.appendingPathComponent("bad.scenario")
    try Data("scenario  bad\nevidence  certain\n".utf8).write(to: bad)
    let result = try fuzz()
    #expect(result.code == 2, "\(result.output)")
    #expect(result.output.contains("  problem: \(bad.path):2: "))
    #expect(result.error.contains("\(bad.path):2: "))
    #expect(result.output.contains("40 programs"))
    #expect(try fuzz("--format", "junit").output.contains("<testsuite"))
    #expect(files == ["bad.scenario"])
  }
}
