import Foundation
import Testing

/// Runs the executable that was built beside the tests.
enum Faultline {
  struct Result {
    var code: Int32
    var output: String
    var error: String
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static var executable: URL { executable("faultline") }
  static var bench: URL { executable("faultline-bench") }

  private static func executable(_ name: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "/\(name)-was-not-built")
  }

  static func run(_ arguments: [String], in folder: URL = root) throws -> Result {
    try run(executable, arguments, in: folder)
  }

  /// The words of the line that says how the example of a report is replayed, and what is at its
  /// beginning.
  static func replay(in report: String) throws -> (tool: String, words: [String]) {
    let line = try #require(
      report.split(separator: "\n").last { $0.contains("with such a failure: ") })
    let words = line.split(separator: " ").drop { $0 != "failure:" }.dropFirst().map(String.init)
    return (words[0], Array(words.dropFirst()))
  }

  static func run(_ program: URL, _ arguments: [String], in folder: URL) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: text, error: complaint)
  }
}

@Suite struct `Bad input` {
  private static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-tool-tests-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private func file(_ name: String, _ text: String) throws -> String {
    let url = `Bad input`.folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func expect(_ arguments: [String], says words: String...) throws {
    let result = try Faultline.run(arguments)
    #expect(result.code == 2, "\(arguments): \(result.output)\(result.error)")
    #expect(result.output.isEmpty)
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
  }

  @Test func `ends with one line and exit code 2`() throws {
    try expect(["fuzz", "--model", "nowhere.xcdatamodeld"], says: "nowhere.xcdatamodeld")
    try expect(["fuzz", "--modle", "x"], says: "--modle", "did you mean '--model'")
    try expect(["fuzz", "--runs", "many"], says: "--runs many")
    try expect(["fuzz", "--runs"], says: "'--runs' needs a number")
    try expect(["fuzz", "--guidance", "--runs", "100"], says: "'--guidance' needs on or off")
    try expect(["fuzz", "--profile"], says: "needs documented, legacy or current")
    try expect(
      ["coverage", "--stack", "-h"], says: "'--stack' needs the name or the file of a stack")
    try expect(["--verson"], says: "did you mean '--version'?")
    try expect(["fuzz", "--seed", "seven"], says: "--seed seven", "no seed")
    try expect(["fuzz", "--profile", "modern"], says: "documented legacy current")
    try expect(["fuzz", "--time", "soon"], says: "30s")
    try expect(["fuzz", "--without", "gravity"], says: "no quirk")
    try expect(
      ["fuzz", "--strategy", "uniformWlak"], says: "no strategy", "did you mean 'uniformWalk'")
    try expect(
      ["fuzz", "--with", "mergeReachesChild"], says: "did you mean 'mergeReachesChildren'")
    let both = ["--with", "mergeReachesChildren", "--without", "mergeReachesChildren"]
    try expect(["fuzz"] + both, says: "'mergeReachesChildren'", "choose one")
    try expect(["replay", "Scenarios/README.md.scenario", "--contexts", "3"], says: "--contexts")
    try expect(["scenario", "check", "--with", "mergeReachesChildren"], says: "--with")
    try expect(["fuzz", "Some.xcdatamodeld"], says: "--model Some.xcdatamodeld")
    try expect(["fuzzz"], says: "did you mean 'fuzz'")
    try expect(["replay"], says: "one seed or one scenario file")
    try expect(["replay", "seven"], says: "no seed")
    try expect(["replay", "0xzz"], says: "no seed")
    try expect(["replay", "7"], says: "--model")
    try expect(["replay", "missing.scenario"], says: "missing.scenario", "no such file")
    try expect(["scenario"], says: "new, check, record, list, book")
    try expect(["scenario", "chekc", "Scenarios"], says: "chekc")
    try expect(["scenario", "check", "nowhere"], says: "nowhere")
    try expect(["scenario", "record"], says: "record which?")
    try expect(["facts", "--root", "Sources"], says: "Fixtures/Facts.txt", "no such file")
    try expect(
      ["facts", "--root", ".", "SVV-04"], says: "no fact 'SVV-04'", "did you mean 'SV-04'")
    try expect(["facts", "--root", ".", "--write", "SV-04"], says: "leave out SV-04")
  }

  @Test func `is refused with no page written`() throws {
    let root = `Bad input`.folder.appendingPathComponent("checkout")
    for folder in ["Fixtures", "Scenarios"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    let list = root.appendingPathComponent("Fixtures/Facts.txt")
    let page = root.appendingPathComponent("Scenarios/FACTS.md")
    try Data("section  One\n".utf8).write(to: list)
    try expect(["facts", "--root", root.path, "--write"], says: "Facts.txt:1:", "has no facts")
    #expect(!FileManager.default.fileExists(atPath: page.path))
  }

  @Test func `does not get past a limit`() throws {
    let properties = (0..<70).map { "    p\($0)  string?\n" }.joined()
    let wide = try file(
      "wide.scenario",
      "scenario  wide\nevidence  inferred\n\nmodel\n  Note\n\(properties)\nstack\n  store  main\n"
        + "  view  mainQueue coordinator store\n\nsteps\n  view  insert Note as n\n")
    try expect(["scenario", "check", wide], says: "wide.scenario", "70 properties")
    try expect(["replay", wide], says: "wide.scenario", "70 properties")
  }

  @Test func `names the file and the line`() throws {
    let broken = try file("contents.model", "Note\n  title  strnig?\n")
    try expect(["fuzz", "--model", broken], says: "contents.model:2:", "string")
    let unknown = try file(
      "unknown.scenario",
      "scenario  x\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n  view  mainQueue coordinator store\n\nsteps\n  view  insert Nte as n\n")
    try expect(["scenario", "check", unknown], says: "unknown.scenario:13:", "Note")
    let folder = `Bad input`.folder.appendingPathComponent("Broken.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("<model><entity name=\"A\">\n".utf8).write(
      to: folder.appendingPathComponent("contents"))
    try expect(["fuzz", "--model", folder.path], says: "contents:")
  }
}

@Suite struct `The tool` {
  @Test func `explains facts, and fails as long as one is shown by nothing`() throws {
    let explained = try Faultline.run(["facts", "--root", ".", "sv-04", "ID-14"])
    #expect(explained.code == 0)
    for word in ["SV-04  A child's save", "shown by  Scenarios/", "not simulated: "] {
      #expect(explained.output.contains(word), "\(explained.output)")
    }
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-facts-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, text) in [
      ("Fixtures/Facts.txt", "section  One\n  SV-04  certain  A.\n"), ("Scenarios/README.md", "\n"),
    ] {
      let file = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let page = root.appendingPathComponent("Scenarios/FACTS.md").path
    let open = try Faultline.run(["facts", "--root", root.path, "--write"])
    #expect(open.code == 1)
    #expect(
      open.output.contains("1 facts: 0 shown, 0 excused, 0 not shown, 1 open"), "\(open.output)")
    #expect(FileManager.default.fileExists(atPath: page))
    try Data("section  One\n  SV-04  certain  A.\n    excused  kvo  B.\n".utf8).write(
      to: root.appendingPathComponent("Fixtures/Facts.txt"))
    let stale = try Faultline.run(["facts", "--root", root.path])
    #expect(stale.code == 1)
    #expect(stale.output.contains("Scenarios/FACTS.md is out of date; run make facts"))
    #expect(try Faultline.run(["facts", "--root", root.path, "--write"]).code == 0)
    #expect(try Faultline.run(["facts", "--root", root.path]).code == 0)
  }

  @Test func `gives the same digest in another process and another folder`() throws {
    // Without a model's path it is the checkout around the executable that has them, if there is
    // one.
    let model = Faultline.root.appendingPathComponent("Fixtures/Models/Note.model").path
    let arguments = [
      "fuzz", "--runs", "60", "--seed", "7", "--format", "json", "--model", model, "--model",
      "generated",
    ]
    let first = try Faultline.run(arguments)
    let second = try Faultline.run(arguments, in: FileManager.default.temporaryDirectory)
    #expect(digest(first.output) != nil)
    #expect(digest(first.output) == digest(second.output))
    // Examples and what is said about them included.
    #expect(try Faultline.run(arguments).output == first.output)
  }

  private func digest(_ json: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return object?["digest"] as? String
  }

  @Test func `writes JSON with the promised keys`() throws {
    let result = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--format", "json", "--model",
      "Fixtures/Models/Note.model",
    ])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    for key in ["runs", "steps", "digest", "disagreements", "violations"] {
      #expect(object[key] != nil, "\(key)")
    }
    let violations = try #require(object["violations"] as? [[String: Any]])
    #expect(!violations.isEmpty)
    for violation in violations {
      for key in ["invariant", "count", "seed", "steps", "cause"] {
        #expect(violation[key] != nil, "\(key)")
      }
    }
  }

  @Test func `replays what it prints`() throws {
    let campaign = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model",
    ])
    let (tool, words) = try Faultline.replay(in: campaign.output)
    #expect(tool == Faultline.executable.path)
    let replay = try Faultline.run(words)
    #expect(replay.output.contains("after step"))
    #expect(replay.output == (try Faultline.run(words)).output)
  }

  @Test func `passes a run that violates only what is documented`() throws {
    let campaign = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model",
    ])
    #expect(!campaign.output.contains("NEW FAILURE"))
    #expect(campaign.output.contains("\n   that run: "))
    let bare = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model", "--known",
      "none",
    ])
    #expect(bare.code == 1 && bare.output.contains("\n   NEW FAILURE: no scenario shows it"))
    let (_, words) = try Faultline.replay(in: campaign.output)
    let known = try Faultline.run(words)
    #expect(known.code == 0, "\(known.output)")
    #expect(known.output.contains(": known failure, shown by Scenarios/"))
    let unknown = try Faultline.run(words + ["--known", "none"])
    #expect(unknown.code == 1)
    #expect(unknown.output.contains(": NEW FAILURE; cause: quirk "))
    #expect(unknown.error.isEmpty, "\(unknown.error)")
    #expect(!unknown.output.contains("known failure"))
  }

  /// Both count what is performed: `perform` is no step, what it holds is.
  @Test func `shows a violation where it says that it was found`() throws {
    let replay = try Faultline.run(["replay", "Scenarios/Conflicts/last-child-wins.scenario"])
    let lines = replay.output.split(separator: "\n").map(String.init)
    for kind in ["duplicate awakeFromInsert", "lost update", "temporary ID leak"] {
      let sentence = try #require(lines.first { $0.contains(": \(kind). ") })
      let place = try #require(lines.firstIndex { $0.hasSuffix(": \(kind)") })
      #expect(sentence.hasPrefix(lines[place].dropFirst("    > ".count) + "."))
      let steps = lines[...place].drop { $0 != "steps" }
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("    >") }
      #expect(lines[place].contains(" step \(steps.count):"))
    }
  }

  @Test func `lists scenarios by path and first sentence, from anywhere`() throws {
    let folder = Faultline.root.appendingPathComponent("Tests/ToolTests")
    let list = try Faultline.run(["scenario", "list"], in: folder)
    #expect(list.code == 0)
    let lines = list.output.split(separator: "\n").map(String.init)
    let index = try #require(
      lines.firstIndex { $0.contains("/Conflicts/last-child-wins.scenario") })
    #expect(
      lines[index + 1]
        == "    Two children edit the title of one note and save, one after the other.")
  }

  @Test func `lists the marks that were not reached, and with '--verbose' all`() throws {
    let options = [
      "coverage", "--runs", "8", "--seed", "5", "--model", "Fixtures/Models/Note.model",
    ]
    let brief = try Faultline.run(options)
    #expect(brief.code == 1)
    #expect(brief.output.contains(" reached; not reached:\n  "))
    #expect(brief.output.contains("50,000 programs should reach them all; these were 8"))
    let all = try Faultline.run(options + ["--verbose"]).output
    #expect(all.split(separator: "\n").count > brief.output.split(separator: "\n").count + 50)
    #expect(all.contains("\nprograms that reached each mark:\n"))
  }

  @Test func `says that a scenario is not recorded, and what its header has too much`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-scenarios-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func check(evidence: String = "inferred", quirk: String = "", claims: String) throws -> String {
      let path = folder.appendingPathComponent("x.scenario").path
      let text =
        "scenario  x\nevidence  \(evidence)\n\(quirk)\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n  view  mainQueue coordinator store\n\nsteps\n  view  insert Note as n\n"
        + "  view  get n.title\n  view  hasChanges\n\(claims)"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let raw = try Faultline.run(["scenario", "check", path])
      #expect(raw.code == 1)
      #expect(raw.output.hasPrefix("\(path): not recorded yet; run '"))
      #expect(raw.output.split(separator: "\n").count == (evidence == "inferred" ? 2 : 3))
      _ = try Faultline.run(["scenario", "record", path])
      let recorded = try Faultline.run(["scenario", "check", path])
      return "\(recorded.code) " + recorded.output.replacing(path, with: "x")
    }
    #expect(
      try check(claims: "") == "0 1 passed, 0 failed; 1 without claims, compared as recorded only\n"
    )
    let claims = "\nclaims\n  succeeded\n"
    #expect(try check(claims: claims) == "0 1 passed, 0 failed\n")
    #expect(
      try check(quirk: "quirk  rowHasTwoInstances\n", claims: claims)
        == "1 x: quirk 'rowHasTwoInstances' changes nothing here; leave it out\n0 passed, 1 failed\n"
    )
    #expect(
      try check(evidence: "inferred  SV-\(99)", claims: claims).hasPrefix(
        "1 x:2: 'SV-\(99)' is in no line of Fixtures/Facts.txt; "))
  }

  /// Neither all scenarios are rewritten, nor is anything built first.
  @Test func `is not run by 'make record' without a file`() throws {
    let make = URL(fileURLWithPath: "/usr/bin/make")
    let result = try Faultline.run(make, ["record", "SWIFT=false"], in: Faultline.root)
    #expect(result.code != 0)
    #expect(result.output.contains("record which?"))
  }

  /// The block behind a command in README.md is what it prints; of a campaign, a part of it.
  @Test func `prints what the README shows`() throws {
    let readme = try String(
      contentsOf: Faultline.root.appendingPathComponent("README.md"), encoding: .utf8)
    let blocks = readme.split(separator: "```\n", omittingEmptySubsequences: false)
    let prompt = "$ .build/release/faultline "
    let commands = blocks.indices.filter { blocks[$0].hasPrefix(prompt) }
    #expect(commands.count >= 2)
    for index in commands {
      let words = blocks[index].dropFirst(prompt.count).split { $0.isWhitespace }.map(String.init)
      // It calls itself what it was called.
      let output = try Faultline.run(words).output
        .replacing(/\S+\/release\/faultline\b/, with: ".build/release/faultline")
      let shown = String(blocks[index + 2])
      #expect(words[0] == "fuzz" ? output.contains(shown) : output == shown, "\(words)")
    }
  }

  @Test func `repeats in a replay line which quirks were turned on and off`() throws {
    let options = ["--with", "inaccessibleFaultRaises", "--without", "childSaveIgnoresEqualValues"]
    let campaign = try Faultline.run(
      ["fuzz", "--runs", "40", "--seed", "3", "--model", "Fixtures/Models/Note.model"] + options)
    let (_, words) = try Faultline.replay(in: campaign.output)
    #expect(words.joined(separator: " ").contains(options.joined(separator: " ")))
    #expect(campaign.output.contains("inaccessibleFaultRaises"))
    let replay = try Faultline.run(words)
    let quirks = try #require(
      replay.output.split(separator: "\n").first { $0.hasPrefix("quirk  ") })
    #expect(quirks.contains("inaccessibleFaultRaises"))
    #expect(!quirks.contains("childSaveIgnoresEqualValues"))
  }

  @Test func `replays a scenario with a quirk that its profile lacks`() throws {
    let path = "Scenarios/Faulting/fault-without-row-reads-nil.scenario"
    #expect(try Faultline.run(["replay", path]).code == 0)
    let replay = try Faultline.run(["replay", path, "--with", "inaccessibleFaultRaises"])
    #expect(replay.code == 1)
    #expect(replay.output.contains("failed inaccessible"))
  }

  @Test func `fails when the engine is broken on purpose`() throws {
    let result = try Faultline.run([
      "fuzz", "--runs", "60", "--plant", "forgetsVersionBump", "--model",
      "Fixtures/Models/Note.model",
    ])
    #expect(result.code == 1)
    #expect(result.output.contains("DISAGREE"))
  }

  @Test func `explains its commands, and says which version it is`() throws {
    for command in ["fuzz", "coverage", "replay", "explore", "scenario", "stacks", "facts"] {
      let help = try Faultline.run(["help", command])
      #expect(help.code == 0)
      #expect(try Faultline.run([command, "--help"]).output == help.output)
      #expect(try Faultline.run([command, "-h"]).output == help.output)
      #expect(help.output.hasPrefix("faultline \(command)"), "\(help.output)")
    }
    let unknown = try Faultline.run(["help", "fuz"])
    #expect(unknown.code == 2 && unknown.error.contains("did you mean 'fuzz'?"))
    let version = try Faultline.run(["--version"])
    #expect(version.code == 0)
    #expect(version.output.wholeMatch(of: /faultline [0-9]+\.[0-9]+\n/) != nil)
  }

  @Test func `explains itself`() throws {
    for arguments in [
      ["--help"], ["fuzz", "--help"], ["replay", "--help"], ["scenario", "--help"],
      ["explore", "--help"],
    ] {
      let result = try Faultline.run(arguments)
      #expect(result.code == 0)
      #expect(result.output.contains("faultline"))
    }
  }

  @Test func `writes examples that pass the scenario check, and says which`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-output-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    func fuzz(_ more: String...) throws -> Faultline.Result {
      try Faultline.run(
        [
          "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model",
          "--output", folder.path,
        ] + more)
    }
    let report = try fuzz().output
    let check = try Faultline.run(["scenario", "check", folder.path])
    #expect(check.code == 0, "\(check.output)\(check.error)")
    #expect(check.output.contains("passed, 0 failed"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let last = try #require(report.split(separator: "\n").last)
    let beginning = "written to \(folder.path): "
    #expect(last.hasPrefix(beginning), "\(last)")
    #expect(
      last.dropFirst(beginning.count).components(separatedBy: ", ").sorted() == files.sorted())

    let example = try #require(files.first { $0.hasSuffix(".scenario") })
    for name in [example, "older.scenario"] {
      try Data("x\n".utf8).write(to: folder.appendingPathComponent(name))
    }
    let again = try fuzz("--format", "json")
    #expect((try? JSONSerialization.jsonObject(with: Data(again.output.utf8))) != nil)
    #expect(again.error.contains(String(last)))
    #expect(again.error.hasSuffix("there before, and left: older.scenario\n"), "\(again.error)")
  }
}
