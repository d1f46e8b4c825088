import Foundation
import Testing

/// `--stack` of `fuzz`, `replay` and `coverage`.
@Suite struct `A stack on the command line` {
  private static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-stack-tests-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private func file(_ name: String, _ text: String) throws -> String {
    let url = Self.folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func stack(_ lines: String, model: String = "") -> String {
    "stack  test\norigin  inferred\n\(model)\n  store  main\n  view  mainQueue coordinator store\n"
      + lines
  }

  /// No scenario is read and run first.
  private var fuzz: [String] { ["fuzz", "--known", Self.folder.path, "--stack"] }

  private func expect(_ arguments: [String], says words: String...) throws {
    let result = try Faultline.run(arguments)
    #expect(result.code == 2 && result.output.isEmpty, "\(result.output)\(result.error)")
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
  }

  @Test func `is named, and goes with every model`() throws {
    for models in [[], ["--model", "generated"], ["--model", "Fixtures/Models/Note.model"]] {
      let result = try Faultline.run(fuzz + ["main-only", "--runs", "20"] + models)
      #expect(result.code == 0 || result.output.contains("NOT DOCUMENTED"), "\(result.error)")
      #expect(result.output.contains("20 programs"))
    }
    let covered = try Faultline.run(["coverage", "--stack", "proxy", "--runs", "8"])
    #expect(covered.output.contains("8 programs"))
  }

  @Test func `is a file`() throws {
    let path = try file("my stack.stack", stack("  entry  all\n    view  save\n"))
    let scenario = "Scenarios/Conflicts/last-child-wins.scenario"
    for path in [path, scenario] {
      let result = try Faultline.run(fuzz + [path, "--runs", "20"])
      #expect(result.output.contains("20 programs"), "\(result.error)")
    }
  }

  @Test func `is repeated by the line that replays a run, and shown with it`() throws {
    let path = try file("two children.stack", stack("  edit  privateQueue parent view\n"))
    let report = try Faultline.run(fuzz + [path, "--runs", "60"])
    let marker = "faultline replay "
    let line = try #require(report.output.split(separator: "\n").first { $0.contains(marker) })
    let rest = try #require(line.components(separatedBy: marker).last)
    #expect(rest.contains(" --stack '\(path)'"))
    let words = rest.replacing(" --stack '\(path)'", with: "").split(separator: " ")
    let replayed = try Faultline.run(["replay"] + words.map(String.init) + ["--stack", path])
    #expect(replayed.code == 1, "\(replayed.error)")
    #expect(replayed.output.contains("\n  edit  privateQueue parent view\n"))
  }

  @Test func `has a column in the table`() throws {
    let table = try Faultline.run(
      ["stacks", "--stack", "main-only", "--stack", "proxy", "--runs", "12"])
    #expect(table.code == 0, "\(table.error)")
    #expect(table.output.contains("2  proxy: 12 programs"))
    #expect(table.output.contains("main queue held, worst ms"))
    // Twelve programs are not what the page was written from.
    let check = try Faultline.run(["stacks", "--check", "--runs", "1"])
    #expect(check.code == 1 && check.output.contains("STACKS.md: out of date; run 'make stacks'"))
    try expect(["stacks", "--check", "--stack", "proxy"], says: "leave out '--stack'")
    try expect(["stacks", "--runs", "0"], says: "--runs")
    try expect(["stacks", "--stack", "proxi"], says: "did you mean 'proxy'?")
  }

  @Test func `has a name that is known`() throws {
    try expect(
      ["fuzz", "--stack", "proxi"], says: "no stack", "did you mean 'proxy'?", "main-only")
    try expect(["replay", "7", "--stack", "nothing-like-it"], says: "no stack", "main-only")
    try expect(["coverage", "--stack", "there/is/none.stack"], says: "no such file")
    try expect(["fuzz", "--stack", "none.scenario"], says: "no such file")
    let broken = try file("broken.stack", stack("  edit  privateQueue parent veiw\n"))
    try expect(["fuzz", "--stack", broken], says: "broken.stack:6:", "did you mean 'view'?")
  }

  @Test func `suits its programs`() throws {
    let scenario = "Scenarios/Merging/refresh-on-ObjectsDidChange.scenario"
    try expect(["fuzz", "--stack", scenario], says: "names an object", "make up their own")
    let named = try file("named.stack", stack("  entry  e\n    view  delete n\n"))
    try expect(["fuzz", "--stack", named], says: "named.stack:7:", "a stack can name none")
  }

  @Test func `that names entities is for one model`() throws {
    let model = Faultline.root.appendingPathComponent("Fixtures/Models/Note.model").path
    let text = try String(contentsOfFile: model, encoding: .utf8)
    let entity = try #require(text.split(separator: "\n").first.map(String.init))
    let design = stack(
      "  entry  look\n    view  fetch \(entity)\n", model: "model  \(model)\n")
    let path = try file("look.stack", design)
    try expect(["fuzz", "--stack", path], says: "names entities", "--model \(model)")
    try expect(
      ["fuzz", "--stack", path, "--model", "generated"], says: "names entities", "--model")
    let other = try file("Other.model", "Other\n  title  string?\n")
    try expect(["fuzz", "--stack", path, "--model", other], says: "another model", "Other.model")
    let result = try Faultline.run(fuzz + [path, "--model", model, "--runs", "10"])
    #expect(result.output.contains("10 programs"), "\(result.error)")
  }
}
