import Foundation
import Testing

@Suite struct `Shards` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-shards-\(UUID().uuidString)").path
  private var folderName: String { URL(fileURLWithPath: folder).lastPathComponent }
  private static let campaign = [
    "fuzz", "--runs", "90", "--seed", "5", "--model", "Fixtures/Models/Note.model", "--model",
    "generated", "--steps", "25", "--known", "none", "--strict", "--only-steps", "insert",
    "--only-steps",
    "set",
    "--only-steps", "save", "--only-steps", "fetch",
  ]

  private func run(_ words: [String]) throws -> Faultline.Result { try Faultline.run(words) }

  private func files(_ name: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, FileManager.default.contents(atPath: "\(folder)/\(name)/\($0)") ?? Data())
      })
  }

  /// Returns a test report without its date and its durations.
  private func untimed(_ text: String) -> String {
    text.replacing(/\stime(stamp)?="[-:T0-9.]+"/, with: "")
  }

  private func move(_ name: String, to other: String) throws {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(other)")
    try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/\(other)")
  }

  @Test func `three merged shards are the campaign of one, byte for byte`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let formats = ["json", "junit", "github", "sarif"]
    for number in 1...3 {
      let words = ["--shard", "\(number)/3", "--output", "\(folder)/\(number)", "--format", "json"]
      let result = try run(Self.campaign + words)
      #expect(result.code < 2, "\(result.error)")
      #expect(result.output.contains("\"runs\" : 30"))
    }
    let parts = ["2", "3", "1"].map { "\(folder)/\($0)" }
    for format in formats {
      // The folders have one name, because annotations contain the paths of files.
      let output = ["--output", "\(folder)/output", "--format", format]
      let one = try run(Self.campaign + output)
      try move("output", to: "one")
      let merged = try run(["merge"] + parts + output)
      try move("output", to: "merged")
      #expect(untimed(one.output) == untimed(merged.output) && one.code == merged.code)
      #expect(one.output.count > 500)
    }
    #expect(try files("one") == files("merged"))
    #expect(try files("one").keys.contains("campaign.json"))
    let human = [try run(Self.campaign), try run(["merge"] + parts)]
    #expect(human[0].output == human[1].output)

    // Missing shards are named, and the report is about the others.
    let some = try run(["merge"] + parts.dropLast())
    #expect(some.error.contains("missing, so the report is incomplete: shard 1/3"))
    #expect(some.code == 1)
    #expect(some.output.hasPrefix("stopped after 60 programs"))
  }

  /// A part of a campaign does not pass for the whole, even if it has no failures.
  @Test func `shards of which one is missing do not pass`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let campaign = [
      "fuzz", "--runs", "6", "--model", "Fixtures/Models/Note.model", "--known", "Scenarios",
    ]
    for number in 1...2 {
      let words = ["--shard", "\(number)/2", "--output", "\(folder)/\(number)"]
      #expect(try run(campaign + words).code == 0)
    }
    #expect(try run(["merge", "\(folder)/1", "\(folder)/2"]).code == 0)
    let some = try run(["merge", "\(folder)/2"])
    #expect(
      some.code == 2 && some.error.contains("missing, so the report is incomplete: shard 1/2"),
      "\(some)"
    )
  }

  @Test(arguments: [2, 5])
  func `a campaign gives the same report with any number of threads`(jobs: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let many = ["--jobs", "\(jobs)"]
    for format in ["human", "brief", "json", "junit", "github", "sarif"] {
      let words = Self.campaign + ["--format", format, "--verbose"]
      let (one, other) = (try run(words), try run(words + many))
      #expect(untimed(one.output) == untimed(other.output) && one.code == other.code)
      #expect(one.output.count > 500)
    }
    for (name, threads) in [("one", []), ("many", many)] {
      _ = try run(Self.campaign + ["--output", "\(folder)/\(name)"] + threads)
    }
    #expect(try files("one") == files("many"))
    let table = ["stacks", "--stack", "proxy", "--runs", "60"]
    #expect(try run(table).output == run(table + many).output)
    #expect(
      try run(["coverage", "--runs", "90"]).output
        == run(["coverage", "--runs", "90"] + many).output)
    let refused = try run(Self.campaign + many + ["--guidance", "on"])
    #expect(refused.code == 2 && refused.error.contains("leave out '--guidance on' or '--jobs'"))
    let canary = try run(["fuzz", "--canary", "swapsTrumps", "--guidance", "on"] + many)
    #expect(canary.code == 2 && canary.error == refused.error)
  }

  @Test func `shards that do not belong together are refused`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let small = ["fuzz", "--model", "Fixtures/Models/Note.model", "--runs", "4", "--known", "none"]
    for (name, words) in [
      ("a", ["--shard", "1/2"]), ("b", ["--shard", "1/2"]), ("c", ["--shard", "1/3"]),
      ("d", ["--shard", "2/2", "--seed", "2"]), ("guided", ["--guidance", "on"]),
    ] {
      _ = try run(small + words + ["--output", "\(folder)/\(name)"])
    }
    for (names, words) in [
      (["a", "b"], "is shard 1/2, like"), (["a", "c"], "is shard 1/3, but"),
      (["a", "d"], "other options"), (["a", "none"], "no such file; give a folder that"),
      (["a", "guided"], "guided/campaign.json: no such file; a campaign with '--guidance on'"),
      ([], "merge takes one or more folders"),
    ] {
      let result = try run(["merge"] + names.map { "\(folder)/\($0)" })
      #expect(result.code == 2 && result.error.contains(words), "\(result.error)")
    }
    for (words, complaint) in [
      (["--shard", "3/2"], "'--shard 3/2' is not a part"),
      (["--shard", "1/2", "--guidance", "on"], "cannot be split into shards"),
      (["--resume", "\(folder)/a"], "leave out --known"),
    ] {
      let result = try run(small + words)
      #expect(result.code == 2 && result.error.contains(complaint), "\(result.error)")
    }
  }

  @Test func `a merge does not overwrite its shards`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for number in 1...2 {
      let words = ["--shard", "\(number)/2", "--output", "\(folder)/\(number)"]
      _ = try run(Self.campaign + words)
    }
    let before = try files("1")
    let merged = try run(
      ["merge", "\(folder)/1", "\(folder)/2", "--output", "\(folder)/../\(folderName)/1"])
    #expect(
      merged.code == 2 && merged.error.contains("overwrite the shard in \(folder)/1"),
      "\(merged.error)")
    #expect(try files("1") == before)
  }

  @Test func `a campaign that was stopped is not restarted in its folder`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let words = Self.campaign + ["--output", "\(folder)/cut"]
    _ = try run(words + ["--time", "1ms"])
    let before = try files("cut")
    let again = try run(words)
    #expect(
      again.code == 2 && again.error.contains("of 90 programs; continue it with '--resume"),
      "\(again.error)")
    #expect(try files("cut") == before)
    // A finished campaign is replaced.
    _ = try run(["fuzz", "--resume", "\(folder)/cut"])
    #expect(try run(words).code < 2)
    // A campaign that ended by its time limit, as intended, is replaced, too.
    let timed = Self.campaign.filter { !["--runs", "90"].contains($0) } + ["--time", "20ms"]
    for _ in 0..<2 {
      #expect(try run(timed + ["--output", "\(folder)/timed"]).code < 2)
    }
  }

  @Test func `a campaign that was interrupted continues to the same report`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let one = try run(Self.campaign + ["--output", "\(folder)/one"])
    // The campaign is stopped after a program or two, with most of it left.
    _ = try run(Self.campaign + ["--time", "1ms", "--output", "\(folder)/cut"])
    let record = try String(contentsOfFile: "\(folder)/cut/campaign.json", encoding: .utf8)
    #expect(record.contains("\"--runs=90\"") && !record.contains("\"reach\":90"))
    let resumed = try run(["fuzz", "--resume", "\(folder)/cut"])
    #expect(resumed.code == one.code, "\(resumed.error)")
    let lines = [one, resumed].map {
      $0.output.split(separator: "\n").filter { !$0.hasPrefix("written to") }
    }
    #expect(lines[0] == lines[1])
    #expect(try files("cut") == files("one"))
  }

  /// A campaign by time has no number of runs. The number of each run does not depend on that.
  @Test func `a campaign that ended by time can have more runs`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let timed = Self.campaign.filter { !["--runs", "90"].contains($0) }
    _ = try run(timed + ["--time", "1ms", "--output", "\(folder)/timed"])
    let resumed = try run(["fuzz", "--resume", "\(folder)/timed", "--runs", "90"])
    _ = try run(Self.campaign + ["--output", "\(folder)/one"])
    #expect(resumed.code < 2, "\(resumed.error)")
    #expect(try files("timed") == files("one"))
    // Shards that stopped at different places make no whole that could be continued.
    for number in 1...2 {
      let words = [
        "--time", "\(number * 20)ms", "--shard", "\(number)/2", "--output", "\(folder)/t\(number)",
      ]
      _ = try run(timed + words)
    }
    let merged = try run(["merge", "\(folder)/t1", "\(folder)/t2", "--output", "\(folder)/m"])
    #expect(merged.error.contains("stopped early: shard 1/2, 2/2"), "\(merged.error)")
    #expect(try files("m")["campaign.json"] == nil)
  }

  @Test func `shards are refused if their model or stack has changed`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let model = "\(folder)/a.model"
    try Data("Note\n  title  string?\n".utf8).write(to: URL(fileURLWithPath: model))
    // The campaign finds no failure that would have to be replayed.
    let words = ["fuzz", "--model", model, "--runs", "3", "--steps", "1", "--known", "none"]
    _ = try run(words + ["--output", "\(folder)/a"])
    for page in [model, "\(folder)/a/report.json"] {
      let over = try run(words + ["--output", "\(folder)/a", "--html", page])
      #expect(over.code == 2 && over.error.contains("would overwrite"), "\(over.error)")
    }
    try Data("Note\n  title  string?\n  stars  integer?\n".utf8).write(
      to: URL(fileURLWithPath: model))
    // Generated models have no text to compare, but the stack has.
    let stack = "\(folder)/b.stack"
    let text = try String(
      contentsOf: Faultline.root.appendingPathComponent("Fixtures/Stacks/main-only.stack"),
      encoding: .utf8
    ).replacing("main-only", with: "b")
    try Data(text.utf8).write(to: URL(fileURLWithPath: stack))
    _ = try run([
      "fuzz", "--model", "generated", "--stack", stack, "--runs", "3", "--steps", "1", "--known",
      "none",
      "--output", "\(folder)/b",
    ])
    try Data(text.replacing("write 10", with: "write 11").utf8)
      .write(to: URL(fileURLWithPath: stack))
    for words in [
      ["merge", "\(folder)/a"], ["fuzz", "--resume", "\(folder)/a"], ["merge", "\(folder)/b"],
    ] {
      let result = try run(words)
      #expect(result.code == 2 && result.error.contains("has changed since the record was written"))
    }
  }
}
