import Foundation
import Testing

/// The folder `.faultline` of a working directory.
@Suite struct `Examples of a campaign` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-examples-\(UUID().uuidString)")
  private let model = Faultline.root.appendingPathComponent("Fixtures/Models/Note.model").path

  private func run(_ words: String...) throws -> Faultline.Result {
    try Faultline.run(Faultline.executable, words, in: folder)
  }

  private func fuzz(_ more: String...) throws -> Faultline.Result {
    try Faultline.run(
      Faultline.executable,
      ["fuzz", "--model", model, "--stack", "import-operation-on-main", "--known", "none"] + more,
      in: folder)
  }

  /// Returns the words after 'replay: ' in the section of the failure with this heading.
  private func replay(_ kind: String, in report: String) throws -> [String] {
    let section = try #require(
      report.components(separatedBy: "\n── ").first { $0.hasPrefix("\(kind) · ") })
    let line = try #require(section.split(separator: "\n").first { $0.contains("replay: ") })
    return line.split(separator: " ").drop { $0 != "replay" }.map(String.init)
  }

  /// The page of a campaign and that of its kept example have the same contents, and the same
  /// command to see them again.
  @Test func `an example has the page that the campaign shows`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try fuzz(
      "--runs", "30", "--seed", "4", "--html", "campaign.html", "--only", "lost update")
    _ = try run("replay", "import-operation-on-main/lost-update", "--html", "example.html")
    func parts(_ page: Substring) -> [String] {
      page.matches(of: /<h3>Details<\/h3>\n(.+?)<\/div>/.dotMatchesNewlines())
        .map { String($0.1) }
        + page.matches(of: /<p class="command"><code>(.+?)<\/code>/).map { String($0.1) }
    }
    func page(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let campaign = try page("campaign.html")
    let section = try #require(
      campaign.components(separatedBy: "<details class=\"failure\"").first {
        $0.contains("<summary>lost update <")
      })
    let (shown, kept) = (parts(section[...]), parts(try page("example.html")[...]))
    #expect(shown.count == 2 && shown == kept, "\(shown)\n\(kept)")
    #expect(kept.first?.contains("<p>Not certified: ") == true, "\(kept)")
    #expect(
      kept.last == Faultline.executable.path + " replay import-operation-on-main/lost-update")
    #expect(kept.first?.contains("varied together") == false, "that is for -v")
    // A copy of the file, such as one that a workflow has stored, has the same page.
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent(
        ".faultline/import-operation-on-main/lost-update.scenario"),
      to: folder.appendingPathComponent("copy.scenario"))
    _ = try run("replay", "copy.scenario", "--html", "copy.html")
    #expect(parts(try page("copy.html")[...]).first == kept.first)
  }

  /// After a second campaign in the same folder, a short name can mean two examples. The name that
  /// a report prints means one.
  @Test func `the name of an example works after another campaign`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try fuzz("--runs", "30", "--seed", "4", "-v", "--only", "lost update")
    let second = try Faultline.run(
      Faultline.executable,
      [
        "fuzz", "--model", model, "--stack", "modal-edit-child", "--known", "none", "--runs", "300",
        "--only", "lost update",
      ],
      in: folder)
    let both = try run("replay", "lost-update")
    #expect(both.code == 2 && both.error.contains("several campaigns kept an example"))
    for report in [first, second] {
      let words = try replay("lost update", in: report.output)
      let again = try Faultline.run(Faultline.executable, words, in: folder)
      #expect(again.output.hasSuffix("\nFAIL  lost update\n"), "\(words): \(again.error)")
    }
    #expect(first.output.contains("varied together") && !second.output.contains("varied together"))
  }

  /// Kinds that the options of a campaign leave out are neither replayed nor counted.
  @Test func `examples of kinds that are left out stay where they are`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try fuzz("--runs", "30", "--seed", "4")
    let examples = folder.appendingPathComponent(".faultline/import-operation-on-main").path
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: examples).sorted()
    }
    let kept = try files()
    let count = kept.count { $0.hasSuffix(".scenario") }
    #expect(count > 3)
    // No example of this kind is kept. An example that would no longer fail stays, too, because
    // nothing is replayed.
    let mended = examples + "/lost-update.scenario"
    let text = try String(contentsOfFile: mended, encoding: .utf8)
    try text.replacing("profile  current", with: "profile  documented")
      .write(toFile: mended, atomically: true, encoding: .utf8)
    let other = try fuzz("--runs", "1", "--seed", "4", "--only", "torn store")
    #expect(other.code == 0 && !other.output.contains("still failing"), "\(other.output)")
    let place = ".faultline/import-operation-on-main"
    #expect(
      other.output.contains(
        "\nignored in \(place): \(count) kept examples that this campaign does not count"))
    #expect(try files() == kept)
    try text.write(toFile: mended, atomically: true, encoding: .utf8)
    let one = try fuzz("--runs", "30", "--seed", "4", "--only", "lost update")
    #expect(one.code == 1 && one.output.contains("\n1 kept example replayed, 1 still failing\n"))
    // The group is known after a replay.
    let group = try fuzz("--runs", "1", "--seed", "4", "--allow", "design", "--allow", "framework")
    #expect(group.code == 0 && !group.output.contains("still failing"), "\(group.output)")
    #expect(try files() == kept)
  }

  @Test func `examples are looked for in one folder, which is named`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let nowhere = try run("replay", "import-operation-on-main/lost-update")
    #expect(
      nowhere.code == 2 && nowhere.error.contains("no kept examples in .faultline"))
    #expect(nowhere.error.contains("run this where 'faultline fuzz' ran"), "\(nowhere.error)")
    _ = try fuzz("--runs", "30", "--seed", "4", "--only", "temporary ID leak")
    let unknown = try run("replay", "nothing-like-it")
    #expect(unknown.code == 2 && !unknown.error.contains("run this where"))
    #expect(unknown.error.hasSuffix("examples are kept in .faultline of the current folder\n"))
  }

  /// Misuse by the program is reported, but counted only on request.
  @Test func `examples of misuse are shown on demand`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func form(_ more: String...) throws -> Faultline.Result {
      let tests = Faultline.root.appendingPathComponent("Fixtures/Example/Tests/NotesTests").path
      return try Faultline.run(
        Faultline.executable,
        ["fuzz", "--stack", tests + "/Form.stack", "--model", tests + "/Notes.model"]
          + ["--known", "none", "--runs", "150", "--seed", "1"] + more, in: folder)
    }
    let usual = try form("--allow", "design", "--allow", "framework")
    #expect(usual.code == 0, "\(usual.output)")
    let text = usual.output.replacing("\n  ", with: " ")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("not counted: ") })
    #expect(line.contains("('--only misuse' shows it): "))
    let shown = try form("--only", "misuse")
    #expect(shown.code == 1 && !shown.output.contains("not counted: "), "\(shown.output)")
    #expect(shown.output.contains(" · misuse by the generated program\n"))
    let kinds = line.split(separator: "shows it): ")[1].matches(of: /([a-z][^,(]+) \(/)
    #expect(!kinds.isEmpty)
    for kind in kinds {
      let words = try replay(String(kind.1), in: shown.output)
      #expect(try Faultline.run(Faultline.executable, words, in: folder).code == 1, "\(words)")
    }
    // These examples are kept now, but are no failure of a campaign that does not request them.
    let again = try form("--allow", "design", "--allow", "framework")
    #expect(again.code == 0 && !again.output.contains("still failing"), "\(again.output)")
  }

  @Test func `an example is replayed as it was shown`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try fuzz("--runs", "30", "--seed", "4", "-v", "--only", "lost update")
    #expect(report.code == 1)
    let words = try replay("lost update", in: report.output)
    #expect(words == ["replay", "import-operation-on-main/lost-update"])
    let again = try Faultline.run(Faultline.executable, words, in: folder)
    #expect(again.code == 1, "\(again.error)")
    #expect(again.output.hasSuffix("\nFAIL  lost update\n"), "\(again.output)")
    #expect(again.output.contains("\ncause: quirk childSaveIgnoresMergePolicy\nremedy: "))
    // The diagram is the same, line for line.
    let shown = try #require(
      report.output.components(separatedBy: "\n── ").first {
        $0.hasPrefix("lost update · ")
      })
    let diagram = again.output.split(separator: "\n").filter {
      $0.contains("note1") && $0.first == " "
    }
    #expect(diagram.count >= 4)
    for line in diagram where line.contains("insert") || line.contains("set") {
      #expect(shown.contains(line), "\(line)")
    }
    // A name has one example, with or without its folder.
    #expect(try run("replay", "lost-update").code == 1)
    let text = try run("replay", "lost-update", "--transcript")
    #expect(text.code == 1 && text.output.contains("\nsteps\n"), "\(text.output)")
    let mended = try run("replay", "lost-update", "--without", "childSaveIgnoresMergePolicy")
    #expect(mended.code == 0, "\(mended.output)")
    #expect(mended.output.hasSuffix("\nPASS  lost update no longer occurs\n"))
    let typo = try run("replay", "lost-updaet")
    #expect(typo.code == 2 && typo.error.contains("did you mean 'lost-update'?"))
    let explored = try run("explore", "lost-update")
    #expect(explored.code == 0 && explored.output.contains("outcome 1 of"), "\(explored.error)")
    let unknown = try run("explore", "lost-updaet")
    #expect(
      unknown.code == 2 && unknown.error.contains("is not an example; did you mean 'lost-update'?"))
    let exported = try run("export", "lost-update", "--to", "Exported")
    #expect(exported.code == 0 && exported.output.hasSuffix("\nexported 1\n"), "\(exported.error)")
    #expect(exported.output.contains(": written to Exported/LostUpdateTests.swift\n"))
    let test = try String(
      contentsOf: folder.appendingPathComponent("Exported/LostUpdateTests.swift"), encoding: .utf8)
    for line in [
      "/// Lost update. Violated: ", "/// Remedy: ",
      "/// Found by a campaign in the run with seed 0x",
    ] {
      #expect(test.contains(line), "\(line)")
    }
    // An example that no longer fails says where it is.
    let examples = folder.appendingPathComponent(".faultline/import-operation-on-main")
    let stale = examples.appendingPathComponent("stale")
    try FileManager.default.createDirectory(at: stale, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: examples.appendingPathComponent("lost-update.scenario"),
      to: stale.appendingPathComponent("lost-update.scenario"))
    let gone = try run("replay", "lost-update")
    #expect(
      gone.code == 2
        && gone.error.contains("moved it to 'import-operation-on-main/stale/lost-update'"),
      "\(gone.error)")
    #expect(try run("replay", "import-operation-on-main/stale/lost-update").code == 1)
    // Version control ignores the examples.
    let ignored = folder.appendingPathComponent(".faultline/.gitignore")
    #expect(try String(contentsOf: ignored, encoding: .utf8) == "*\n")
  }

  /// The campaign takes the model that the stack names. The mend is a constraint of the model. Its
  /// new default has the symbol that the text in the stack had.
  @Test func `an example is replayed with the model as it is now`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let model = "Record\n  remoteID  integer?\n  state  string?\n"
    try write(model, "App.model")
    try write(
      """
      stack  app
      model  App.model

        store  main
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        entry  countDrafts
          view  count Record where state == "draft"
        promise  unique Record.remoteID

      """, "app.stack")
    let campaign = [
      "fuzz", "--stack", "app.stack", "--runs", "300", "--only", "broken promise",
    ]
    let found = try Faultline.run(Faultline.executable, campaign, in: folder)
    #expect(found.code == 1, "\(found.output)\(found.error)")
    #expect(try run("replay", "app/broken-promise", "--stack", "app.stack").code == 1)
    let mend =
      model.replacing("state  string?", with: "state  string? = \"new\"")
      + "  unique  remoteID\n"
    try write(mend, "Mended.model")
    let mended = try run(
      "replay", "app/broken-promise", "--stack", "app.stack", "--model", "Mended.model")
    #expect(mended.code == 0, "\(mended.output)\(mended.error)")
    try write(mend, "App.model")
    #expect(try run("replay", "app/broken-promise", "--stack", "app.stack").code == 0)
    let again = try Faultline.run(Faultline.executable, campaign, in: folder)
    #expect(again.code == 0, "\(again.output)")
    #expect(again.output.contains("1 kept example replayed"), "\(again.output)")
  }

  /// Names, not positions, say what the steps of an example mean.
  @Test func `an example finds properties that have been moved, and misses removed ones`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try fuzz("--runs", "30", "-q", "--only", "lost update").code == 1)
    func replay(with text: String) throws -> Faultline.Result {
      try Data(text.utf8).write(to: folder.appendingPathComponent("Now.model"))
      return try run(
        "replay", "lost-update", "--stack", "import-operation-on-main", "--model", "Now.model")
    }
    let moved = try replay(with: "Note\n  stamp  integer?\n  title  string?\n")
    #expect(moved.code == 1, "\(moved.output)\(moved.error)")
    #expect(moved.output.contains(".title") && !moved.output.contains(".stamp"))
    let removed = try replay(with: "Note\n  stamp  integer?\n")
    #expect(removed.code == 2 && removed.error.contains("was kept with another model"))
  }

  @Test func `the page of an example repeats nothing that is above the program`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try fuzz("--runs", "30", "-q", "--only", "lost update").code == 1)
    #expect(try run("replay", "lost-update", "--html", "page.html").code == 1)
    let page = try String(
      contentsOf: folder.appendingPathComponent("page.html"), encoding: .utf8)
    #expect(page.contains("<p>Lost update. Violated: ") && page.contains("<dt>Remedy</dt>"))
    #expect(!page.contains("<p>after step") && !page.contains("<p>Remedy: "))
  }

  @Test func `examples are replayed first, and fail a campaign that does not meet them`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try fuzz("--runs", "30", "-q", "--strict")
    let second = try fuzz("--runs", "30", "-q", "--strict")
    #expect(second.output.dropLast() == first.output.dropLast() + ", seen before")
    let third = try fuzz("--runs", "30", "--strict")
    let examples = third.output.components(separatedBy: "   replay: ").count - 1
    #expect(
      third.output.contains("\n\(examples) kept examples replayed, \(examples) still failing\n"))
    let few = try fuzz("--runs", "1", "-q", "--seed", "9")
    #expect(few.code == 1)
    #expect(
      few.output.contains(
        "kept from an earlier campaign, and still failing: lost update (quirk "
          + "childSaveIgnoresMergePolicy); \(Faultline.executable.path) replay "
          + "import-operation-on-main/lost-update\n"))
    let without = try fuzz("--runs", "1", "-q", "--failures", "none")
    #expect(!without.output.contains("kept"))
  }

  @Test func `examples of several campaigns are told apart`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try fuzz("--runs", "20", "-q", "--only", "temporary ID leak")
    _ = try run(
      "fuzz", "--model", model, "--runs", "20", "-q", "--known", "none", "--only",
      "temporary ID leak")
    let result = try run("replay", "temporary-ID-leak")
    #expect(
      result.code == 2
        && result.error.contains(
          "several campaigns kept an example 'temporary-ID-leak'; write Note/temporary-ID-leak or "
            + "import-operation-on-main/temporary-ID-leak"),
      "\(result.error)")
    #expect(try run("replay", "Note/temporary-ID-leak").code == 1)
  }

  /// Shards of one campaign, which run at the same time, have a folder each, too.
  @Test func `stacks of one name have a folder each`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for place in ["a", "b"] {
      let place = folder.appendingPathComponent(place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data("stack  notes\n\n  store  main\n  view  mainQueue coordinator store\n".utf8)
        .write(to: place.appendingPathComponent("notes.stack"))
    }
    for words in [["a/notes.stack"], ["b/notes.stack"], ["a/notes.stack", "--shard", "2/3"]] {
      _ = try Faultline.run(
        Faultline.executable,
        ["fuzz", "--runs", "3", "-q", "--model", model, "--known", "none", "--stack"] + words,
        in: folder)
    }
    let kept = folder.appendingPathComponent(".faultline").path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: kept).sorted() == [
        ".gitignore", "notes", "notes-2", "notes-shard-2-of-3",
      ])
  }

  /// An owner file of an earlier version names the stack alone.
  @Test func `one stack on two models has a folder for each`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try write("stack  notes\n\n  store  main\n  view  mainQueue coordinator store\n", "notes.stack")
    try write("Note\n  title  string?\n", "Note.model")
    try write("Book\n  title  string?\n", "Book.model")
    func campaign(_ model: String) throws {
      _ = try run("fuzz", "--runs", "3", "-q", "--stack", "notes.stack", "--model", model)
    }
    try campaign("Note.model")
    try campaign("Book.model")
    let kept = folder.appendingPathComponent(".faultline")
    let owner = kept.appendingPathComponent("notes/.owner")
    let known = try String(contentsOf: owner, encoding: .utf8)
    let stack = try #require(known.split(separator: " ").first)
    try Data("\(stack)\n".utf8).write(to: owner)
    try campaign("Note.model")
    #expect(try String(contentsOf: owner, encoding: .utf8) == known)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: kept.path).sorted()
        == [".gitignore", "notes", "notes-2"])
  }
}
