import Foundation
import Testing

@Suite struct `The tool` {
  @Test func `the tool explains facts, and fails as long as nothing shows one`() throws {
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

  @Test func `the tool gives the same digest in another process and another folder`() throws {
    // Without a path, models come from the checkout around the executable, if there is one.
    let model = Faultline.root.appendingPathComponent("Fixtures/Models/Note.model").path
    let arguments = [
      "fuzz", "--runs", "60", "--seed", "7", "--format", "json", "--model", model, "--model",
      "generated",
    ]
    let first = try Faultline.run(arguments)
    let second = try Faultline.run(arguments, in: FileManager.default.temporaryDirectory)
    #expect(digest(first.output) != nil)
    #expect(digest(first.output) == digest(second.output))
    // The output includes examples and their explanations.
    #expect(try Faultline.run(arguments).output == first.output)
  }

  private func digest(_ json: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return object?["digest"] as? String
  }

  @Test func `the tool writes JSON with the promised keys`() throws {
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

  /// Each failure of a kind has a file of its own.
  @Test func `the tool writes an example for every failure`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-output-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let result = try Faultline.run([
      "fuzz", "--runs", "30", "--seed", "1", "--model", "Fixtures/Models/Note.model", "--stack",
      "bnr-core-data-stack", "--format", "json", "--output", folder, "--failures", "none",
    ])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let violations = try #require(object["violations"] as? [[String: Any]])
    let kinds = violations.compactMap { $0["kind"] as? String }
    #expect(Set(kinds).count < kinds.count)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.count { $0.hasSuffix(".scenario") } == violations.count)
  }

  @Test func `the tool replays what it prints`() throws {
    let campaign = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model",
    ])
    let (tool, words) = try Faultline.replay(in: campaign.output)
    #expect(tool == Faultline.executable.path)
    let replay = try Faultline.run(words)
    #expect(replay.output.contains("after step"))
    #expect(replay.output == (try Faultline.run(words)).output)
  }

  /// Insertions and saves in one tree under the policy `error` violate what quirks break, whatever
  /// the seed is.
  @Test func `the tool passes a run that violates only what is documented`() throws {
    let campaign = try Faultline.run([
      "fuzz", "--runs", "80", "--seed", "3", "--model", "Fixtures/Models/Note.model", "--roots",
      "1", "--policy", "error", "--only-steps", "insert", "--only-steps", "set", "--only-steps",
      "save", "--strict",
    ])
    #expect(campaign.code == 1)
    let (_, words) = try Faultline.replay(in: campaign.output)
    let known = try Faultline.run(words + ["--known", "Scenarios"])
    #expect(known.code == 0, "\(known.output)")
    #expect(known.output.contains(": known failure, shown by Scenarios/"))
    let unknown = try Faultline.run(words)
    #expect(unknown.code == 1)
    #expect(unknown.output.contains(": NEW FAILURE; cause: quirk "))
    #expect(unknown.error.isEmpty, "\(unknown.error)")
    #expect(!unknown.output.contains("known failure"))
  }

  /// Both numbers count steps that are performed. `perform` is no step, but the steps in it are.
  @Test func `the tool shows a violation where it says that it was found`() throws {
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

  @Test func `the tool lists scenarios by path and first sentence, from anywhere`() throws {
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

  @Test func `the tool lists marks that were not reached, and with '--verbose' all`() throws {
    let options = [
      "coverage", "--runs", "8", "--seed", "5", "--model", "Fixtures/Models/Note.model",
    ]
    let brief = try Faultline.run(options)
    #expect(brief.code == 1)
    #expect(brief.output.contains(" reached; not reached:\n  "))
    #expect(brief.output.contains("50,000 programs should reach all marks; only 8 ran"))
    let all = try Faultline.run(options + ["--verbose"]).output
    #expect(all.split(separator: "\n").count > brief.output.split(separator: "\n").count + 50)
    #expect(all.contains("\nprograms that reached each mark:\n"))
  }

  @Test func `the tool reports scenarios that are not recorded or name too much`() throws {
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
      try check(claims: "")
        == "0 1 passed, 0 failed; 1 without claims, checked only against the recorded transcript\n")
    let claims = "\nclaims\n  succeeded\n"
    #expect(try check(claims: claims) == "0 1 passed, 0 failed\n")
    #expect(
      try check(quirk: "quirk  rowHasTwoInstances\n", claims: claims)
        == "1 x: quirk 'rowHasTwoInstances' has no effect on this scenario; leave it out\n"
        + "0 passed, 1 failed\n"
    )
    #expect(
      try check(evidence: "inferred  SV-\(99)", claims: claims).hasPrefix(
        "1 x:2: 'SV-\(99)' is not in Fixtures/Facts.txt; "))
  }

  /// The command neither rewrites all scenarios nor builds anything first.
  @Test func `the command 'make record' without a file does not run the tool`() throws {
    let make = URL(fileURLWithPath: "/usr/bin/make")
    let result = try Faultline.run(make, ["record", "SWIFT=false"], in: Faultline.root)
    #expect(result.code != 0)
    #expect(result.output.contains("make record takes a file"))
  }

  /// The block after a command in these pages is its output, or a part of it for a campaign.
  @Test(arguments: [
    "README.md", "Sources/Faultline/Faultline.docc/GettingStarted.md",
    "Sources/Faultline/Faultline.docc/ReadingAFailure.md",
  ])
  func `the tool prints what the documentation shows`(page: String) throws {
    let text = try String(
      contentsOf: Faultline.root.appendingPathComponent(page), encoding: .utf8)
    let blocks = text.split(separator: "```\n", omittingEmptySubsequences: false)
    let prompt = "$ .build/release/faultline "
    let commands = blocks.indices.filter { blocks[$0].hasPrefix(prompt) }
    #expect(!commands.isEmpty)
    for index in commands {
      // Text between apostrophes is one word.
      let words = blocks[index].dropFirst(prompt.count)
        .split(separator: "'", omittingEmptySubsequences: false).enumerated()
        .flatMap { number, part in
          number % 2 == 1 ? [String(part)] : part.split { $0.isWhitespace }.map(String.init)
        }
      // The tool prints the name by which it was called.
      let output = try Faultline.run(words).output
        .replacing(/\S+\/release\/faultline\b/, with: ".build/release/faultline")
      let shown = String(blocks[index + 2])
      #expect(words[0] == "fuzz" ? output.contains(shown) : output == shown, "\(words)")
    }
  }

  @Test func `a replay line repeats which quirks were turned on and off`() throws {
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

  @Test func `the tool replays a scenario with a quirk that its profile lacks`() throws {
    let path = "Scenarios/Faulting/fault-without-row-reads-nil.scenario"
    #expect(try Faultline.run(["replay", path]).code == 0)
    let replay = try Faultline.run(["replay", path, "--with", "inaccessibleFaultRaises"])
    #expect(replay.code == 1)
    #expect(replay.output.contains("failed inaccessible"))
  }

  @Test func `the tool fails when the engine is broken on purpose`() throws {
    let result = try Faultline.run([
      "fuzz", "--runs", "60", "--plant", "forgetsVersionBump", "--model",
      "Fixtures/Models/Note.model",
    ])
    #expect(result.code == 1)
    #expect(result.output.contains("FAIL  engine and reference model disagree: a bug is planted"))
  }

  @Test func `the tool explains its commands, and says which version it is`() throws {
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

  @Test func `the tool explains itself`() throws {
    for arguments in [
      ["--help"], ["fuzz", "--help"], ["replay", "--help"], ["scenario", "--help"],
      ["explore", "--help"],
    ] {
      let result = try Faultline.run(arguments)
      #expect(result.code == 0)
      #expect(result.output.contains("faultline"))
    }
  }

  @Test func `the tool writes examples that pass the scenario check, and lists them`() throws {
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
    #expect(
      again.error.hasSuffix("older files, left unchanged: older.scenario\n"), "\(again.error)")
  }

  @Test func `the tool says on request how long the check of each scenario took`() throws {
    let path = "Scenarios/Conflicts/last-child-wins.scenario"
    let usual = try Faultline.run(["scenario", "check", path])
    #expect(usual.code == 0 && usual.output == "1 passed, 0 failed\n", "\(usual.output)")
    let verbose = try Faultline.run(["scenario", "check", "-v", path])
    let lines = verbose.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[1] == "1 passed, 0 failed", "\(verbose.output)")
    #expect(try #require(lines.first).wholeMatch(of: /(.+): passed in [\d,]+ ms/)?.1 == path[...])
    #expect(try #require(lines.last).wholeMatch(of: /in [\d,]+ ms/) != nil)
    let refused = try Faultline.run(["scenario", "check", "-v", "--format", "junit", path])
    #expect(
      refused.code == 2 && refused.error.contains("'--verbose' applies only to the human format"))
    let other = try Faultline.run(["scenario", "list", "-v", path])
    #expect(other.code == 2 && other.error.contains("'--verbose' is for scenario check"))
  }
}
