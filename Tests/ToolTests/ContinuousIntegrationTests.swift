import Foundation
import Testing

/// The workflow files. The test runs their scripts in a copy of the example, with few programs.
@Suite struct `A workflow file` {
  /// Returns the scripts of a file in order, which are the blocks below `run: |` and `- |`.
  private func scripts(_ name: String) throws -> [String] {
    let path = Faultline.root.appendingPathComponent("Fixtures/CI/\(name)")
    var scripts: [String] = []
    var indentation: Int?
    for line in try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n") {
      let spaces = line.prefix { $0 == " " }.count
      if let begun = indentation, spaces > begun, !line.isEmpty {
        scripts[scripts.count - 1] += line + "\n"
      } else {
        indentation = nil
        if line.hasSuffix("run: |") || line.hasSuffix("- |") {
          indentation = spaces
          scripts.append("")
        }
      }
    }
    return scripts
  }

  @Test(arguments: ["github-actions.yml", "gitlab-ci.yml"])
  func `a workflow file fuzzes, shards, merges and keeps what it should`(name: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-ci-\(UUID().uuidString)")
    let files = FileManager.default
    defer { try? files.removeItem(at: folder) }
    try files.createDirectory(
      at: folder.appendingPathComponent(".build/release"), withIntermediateDirectories: true)
    try files.copyItem(
      at: Faultline.root.appendingPathComponent("Fixtures/Example/Tests"),
      to: folder.appendingPathComponent("Tests"))
    // A link would not do, because the tool looks for the scenarios of the checkout in which it was
    // built.
    try files.copyItem(
      at: Faultline.executable, to: folder.appendingPathComponent(".build/release/faultline"))
    func run(_ script: String, _ environment: String) throws -> Faultline.Result {
      let short = script.replacing("--time 2m", with: "--runs 8")
        .replacing("--runs 2000000", with: "--runs 8")
      return try Faultline.run(
        URL(fileURLWithPath: "/bin/sh"), ["-ec", environment + short], in: folder)
    }

    let scripts = try scripts(name)
    try #require(scripts.count == 3)
    let hash = "0123456789abcdef0123456789abcdef01234567"
    let change = try run(scripts[0], "GITHUB_SHA=\(hash) CI_COMMIT_SHA=\(hash)\n")
    #expect(change.output.contains("3 passed, 0 failed"))
    #expect(change.output.contains("canary forgetsVersionBump: found by program "))
    // This stack fails in ways that the example allows in its tests and documents nowhere.
    #expect(change.code == 1, "\(change.error)")
    let record = try String(
      contentsOf: folder.appendingPathComponent("faultline/report.json"), encoding: .utf8)
    #expect(record.contains("\"seed\" : \"0x123456789abcdef\""))
    let kept = try files.contentsOfDirectory(atPath: folder.path + "/Tests/Failures")
    #expect(kept.contains { $0.hasSuffix(".scenario") })

    // Two shards stand for four. Each sends a canary, which takes most of the time.
    #expect(scripts[1].contains("/4") || scripts[1].contains("/$CI_NODE_TOTAL"))
    for shard in 1...2 {
      let script = scripts[1].replacing("${{ matrix.shard }}/4", with: "\(shard)/2")
        .replacing("${{ matrix.shard }}", with: "\(shard)")
      let numbers = "CI_NODE_INDEX=\(shard) CI_NODE_TOTAL=2"
      let result = try run(script, "GITHUB_RUN_ID=77 CI_PIPELINE_ID=77 \(numbers)\n")
      #expect(result.code == 0, "\(result.error)")
      #expect(result.output.contains("canary forgetsVersionBump: found by program "))
    }
    let merged = try run(scripts[2], "")
    #expect(merged.code == 1, "\(merged.error)")
    let report = try String(
      contentsOf: folder.appendingPathComponent("faultline/report.json"), encoding: .utf8)
    #expect(report.contains("\"runs\" : 8") && report.contains("\"seed\" : \"0x4d\""))
    #expect(files.fileExists(atPath: folder.path + "/faultline/report.html"))
    let isXML = name.hasPrefix("gitlab")
    #expect(files.fileExists(atPath: folder.path + "/faultline.xml") == isXML)
    #expect(isXML || merged.output.contains("::error"))
  }

  @Test func `a workflow annotates the line of a scenario that does not hold`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-annotation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let original = Faultline.root.appendingPathComponent(
      "Scenarios/Conflicts/last-child-wins.scenario")
    let text = try String(contentsOf: original, encoding: .utf8)
    let copy = folder.appendingPathComponent("last-child-wins.scenario")
    try Data(text.replacing("> sync  object n", with: "> sync  nothing").utf8).write(to: copy)
    let lines = text.components(separatedBy: "\n")
    let line = try #require(lines.firstIndex { $0.hasSuffix("> sync  object n") }) + 1
    let result = try Faultline.run(["scenario", "check", copy.path, "--format", "github"])
    #expect(result.code == 1)
    #expect(
      result.output.hasPrefix("::error file=\(copy.path),line=\(line)::the transcript says"),
      "\(result.output)")

    try Data("scenario  \n".utf8).write(to: folder.appendingPathComponent("torn.scenario"))
    try Data(text.replacing("scenario  last-child-wins", with: "scenario  whole").utf8)
      .write(to: folder.appendingPathComponent("whole.scenario"))
    // A scenario with another name than its file cannot be found by its name.
    let stranger = folder.appendingPathComponent("stranger/other.scenario")
    try FileManager.default.createDirectory(
      at: stranger.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: stranger)
    let named = try Faultline.run(["scenario", "check", stranger.path, "--format", "github"])
    let place = (lines.firstIndex { $0.hasPrefix("scenario  ") } ?? 0) + 1
    #expect(
      named.output.hasPrefix(
        "::error file=\(stranger.path),line=\(place)::the scenario is named 'last-child-wins' but"),
      "\(named.output)")
    try FileManager.default.removeItem(at: stranger)
    let report = try Faultline.run(["scenario", "check", folder.path, "--format", "junit"])
    #expect(report.code == 2)
    // The times of the suite, and of each of its cases.
    let times = report.output.matches(of: /\stime="([0-9]+\.[0-9]{3})"/).map { Double($0.1) ?? 0 }
    #expect(times.count == 4 && times[0] > 0 && times[0] >= times[1...].reduce(0, +) - 0.003)
    let untimed = report.output.replacing(/\stime="[0-9.]+"/, with: "")
    #expect(
      report.output.contains("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\""),
      "\(report.output)")
    #expect(
      untimed.contains(
        "name=\"\(copy.path)\">\n      <failure type=\"failure\" "
          + "message=\"the transcript"))
    #expect(report.output.contains("\(copy.path):\(line): the transcript says"))
    #expect(untimed.contains("whole.scenario\"/>"))
    #expect(untimed.contains("torn.scenario\">\n      <error type=\"error\" message="))
  }
}
