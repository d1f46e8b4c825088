import Foundation
import Testing

/// The option `--stack` of `fuzz`, `replay` and `coverage`.
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

  /// No scenario needs to be read and run first.
  private var fuzz: [String] { ["fuzz", "--known", "none", "--stack"] }

  private func expect(_ arguments: [String], says words: String...) throws {
    let result = try Faultline.run(arguments)
    #expect(result.code == 2 && result.output.isEmpty, "\(result.output)\(result.error)")
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
  }

  @Test func `a stack is given by name, and goes with every model`() throws {
    for models in [[], ["--model", "generated"], ["--model", "Fixtures/Models/Note.model"]] {
      let result = try Faultline.run(fuzz + ["main-only", "--runs", "20"] + models)
      #expect(result.code == 0 || result.output.contains("\nFAIL  "), "\(result.error)")
      #expect(result.output.contains("20 programs"))
    }
    let covered = try Faultline.run(["coverage", "--stack", "proxy", "--runs", "8"])
    #expect(covered.output.contains("8 programs"))
  }

  @Test func `a stack is given as a file`() throws {
    let path = try file("my stack.stack", stack("  entry  all\n    view  save\n"))
    let scenario = "Scenarios/Conflicts/last-child-wins.scenario"
    for path in [path, scenario] {
      let result = try Faultline.run(fuzz + [path, "--runs", "20"])
      #expect(result.output.contains("20 programs"), "\(result.error)")
    }
  }

  @Test func `a replay line repeats the stack, which is shown with the run`() throws {
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

  @Test func `a stack has a column in the table`() throws {
    let table = try Faultline.run(
      ["stacks", "--stack", "main-only", "--stack", "proxy", "--runs", "12"])
    #expect(table.code == 0, "\(table.error)")
    #expect(table.output.contains("2  proxy: 12 programs"))
    #expect(table.output.contains("main queue held, worst ms"))
    try expect(
      ["stacks", "--check", "--runs", "12"], says: "Scenarios/STACKS.md was written with other",
      "in how many of 12 generated programs")
    try expect(["stacks", "--check", "--seed", "12"], says: "seed 12")
    try expect(["stacks", "--check", "--write"], says: "choose one")
    try expect(
      ["stacks", "--stack", "proxy", "--stack", "proxy"], says: "'--stack proxy' is given twice")
    try expect(["stacks", "--check", "--stack", "proxy"], says: "leave out '--stack'")
    try expect(["stacks", "--runs", "0"], says: "--runs")
    try expect(["stacks", "--stack", "proxi"], says: "did you mean 'proxy'?")
  }

  @Test func `a stack has a name that is known`() throws {
    try expect(
      ["fuzz", "--stack", "proxi"], says: "no stack is called 'proxi': did you mean 'proxy'?")
    try expect(
      ["fuzz", "--stack", "import"],
      says: "those that contain it are 'background-import-merged-on-DidSave'")
    let unlike = try Faultline.run(["replay", "7", "--stack", "nothing-like-it"])
    #expect(unlike.code == 2 && unlike.error.contains("'faultline stacks --list' lists all stacks"))
    #expect(unlike.error.count < 200, "\(unlike.error)")
    try expect(["coverage", "--stack", "there/is/none.stack"], says: "no such file")
    try expect(["fuzz", "--stack", "none.scenario"], says: "no such file")
    try expect(["fuzz", "--stack", "proxy.stack"], says: "did you mean '--stack proxy'?")
    try expect(["fuzz", "--stack", "./proxy"], says: "did you mean '--stack proxy'?")
    let own = try file("my-app.stack", stack("")).dropLast(".stack".count)
    try expect(["fuzz", "--stack", String(own)], says: "did you mean '--stack \(own).stack'?")
    let beside = try Faultline.run(["fuzz", "--stack", "my-app"], in: Self.folder)
    #expect(beside.code == 2 && beside.error.contains("did you mean 'my-app.stack'?"))
    let broken = try file("broken.stack", stack("  edit  privateQueue parent veiw\n"))
    try expect(["fuzz", "--stack", broken], says: "broken.stack:6:", "did you mean 'view'?")
  }

  @Test func `a command takes one stack, which says itself what its contexts are`() throws {
    for command in [["fuzz"], ["replay", "7"], ["coverage"]] {
      try expect(
        command + ["--stack", "main-only", "--stack", "proxy"], says: "'--stack' is given twice",
        "faultline stacks")
    }
    for option in [["--contexts", "3"], ["--roots", "1"], ["--policy", "error"]] {
      for command in [["fuzz"], ["replay", "7"]] {
        try expect(
          command + ["--stack", "proxy"] + option,
          says: "'\(option[0])' applies to generated stacks")
      }
    }
  }

  /// The test has a separate checkout, because the tool writes to the checkout in which it is.
  @Test func `the page of stacks is written where the tool was built`() throws {
    let files = FileManager.default
    let root = Self.folder.appendingPathComponent("checkout").resolvingSymlinksInPath()
    for folder in ["Fixtures/Stacks", "Fixtures/Models", ".build"] {
      try files.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    for name in ["Package.swift", "Fixtures/Stacks/main-only.stack", "Fixtures/Models/Note.model"] {
      try? files.copyItem(
        at: Faultline.root.appendingPathComponent(name), to: root.appendingPathComponent(name))
    }
    let tool = root.appendingPathComponent(".build/faultline")
    try? files.copyItem(at: Faultline.executable, to: tool)
    func stacks(_ options: String...) throws -> Faultline.Result {
      try Faultline.run(tool, ["stacks", "--runs", "40"] + options, in: Self.folder)
    }
    let homeless = try stacks("--write")
    #expect(homeless.code == 2 && homeless.output.isEmpty, "\(homeless.output)")
    #expect(homeless.error.contains("no folder Scenarios"), "\(homeless.error)")
    let scenarios = root.appendingPathComponent("Scenarios")
    try files.createDirectory(at: scenarios, withIntermediateDirectories: true)
    let written = try stacks("--write")
    let page = scenarios.appendingPathComponent("STACKS.md")
    #expect(written.code == 0 && written.output.hasSuffix("\(page.path): written\n"))
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains("models: `Fixtures/Models/Note.model`, `generated`."), "\(text)")
    #expect(text.contains(" replay 0x") && !text.contains(root.path))
    #expect(try stacks("--check").code == 0)
    try Data((text + "\n").utf8).write(to: page)
    let stale = try stacks("--check")
    #expect(stale.code == 1 && stale.output.contains("out of date; run 'make stacks'"))
  }

  @Test func `a stack must suit generated programs`() throws {
    let scenario = "Scenarios/Merging/refresh-on-ObjectsDidChange.scenario"
    try expect(["fuzz", "--stack", scenario], says: "names an object", "generate their own")
    let named = try file("named.stack", stack("  entry  e\n    view  delete n\n"))
    try expect(["fuzz", "--stack", named], says: "named.stack:7:", "a stack cannot name objects")
  }

  @Test func `a stack that names entities is for one model`() throws {
    let model = Faultline.root.appendingPathComponent("Fixtures/Models/Note.model").path
    let text = try String(contentsOfFile: model, encoding: .utf8)
    let entity = try #require(text.split(separator: "\n").first.map(String.init))
    let design = stack(
      "  entry  look\n    view  fetch \(entity)\n", model: "model  \(model)\n")
    let path = try file("look.stack", design)
    // Without '--model', the model that the stack names.
    let own = try Faultline.run(fuzz + [path, "--runs", "10"])
    #expect(own.output.contains("10 programs"), "\(own.error)")
    try expect(
      ["fuzz", "--stack", path, "--model", "generated"], says: "names entities", "--model")
    let other = try file("Other.model", "Other\n  title  string?\n")
    try expect(["fuzz", "--stack", path, "--model", other], says: "does not have", "Other.model")
    let result = try Faultline.run(fuzz + [path, "--model", model, "--runs", "10"])
    #expect(result.output.contains("10 programs"), "\(result.error)")
  }
}
