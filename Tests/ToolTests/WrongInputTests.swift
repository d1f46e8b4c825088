import Foundation
import Testing

/// One kind of wrong input. `@` in the words is a separate folder, which contains the items.
struct WrongInput: Sendable, CustomTestStringConvertible {
  enum Item: Equatable, Sendable {
    case bytes([UInt8])
    case folder
    case link(String)
    case pipe

    static func text(_ text: String) -> Item { .bytes(Array(text.utf8)) }
  }

  let kind: String
  let items: [String: Item]
  let words: String
  let says: [String]

  init(_ kind: String, _ items: [String: Item], _ words: String, _ says: String...) {
    (self.kind, self.items, self.words, self.says) = (kind, items, words, says)
  }

  /// The file `name` follows the words. If the expected text begins with a colon, the name comes
  /// before it.
  private init(_ kind: String, _ name: String, _ item: Item, _ words: String, _ says: [String]) {
    (self.kind, items) = (kind, [name: item])
    self.words = "\(words) @/\(name.replacing("/contents", with: ""))"
    self.says = says.map { $0.hasPrefix(":") ? "@/\(name)\($0)" : $0 }
  }

  var testDescription: String { kind }
}

extension WrongInput {
  private static func model(_ kind: String, _ item: Item, _ says: String...) -> WrongInput {
    WrongInput(kind, "a.model", item, "fuzz --runs 1 --model", says)
  }

  private static func xml(_ kind: String, _ text: String, _ says: String...) -> WrongInput {
    WrongInput(kind, "A.xcdatamodel/contents", .text(text), "fuzz --runs 1 --model", says)
  }

  private static func stack(_ kind: String, _ lines: String, _ says: String...) -> WrongInput {
    let text = "stack  a\norigin  inferred  x\n\n  store  main\n" + lines
    return WrongInput(kind, "a.stack", .text(text), "fuzz --runs 1 --stack", says)
  }

  /// The command is `record`, so that the test would notice if a wrong file were rewritten.
  private static func scenario(_ kind: String, _ item: Item, _ says: String...) -> WrongInput {
    WrongInput(kind, "a.scenario", item, "scenario record", says)
  }

  private static let note = "model\n  Note\n    title  string?\n"

  /// The steps begin in line 14.
  static func steps(_ steps: String, header: String = "", model: String? = nil) -> Item {
    .text(
      "scenario  a\nevidence  inferred\n\(header)\n\(model ?? note)\nstack\n  store  main\n"
        + "  view  mainQueue coordinator store\n\nsteps\n  view  insert Note as n\n\(steps)")
  }

  static let models = [
    model("empty model", .text(""), ": has no concrete entity"),
    model("binary model", .bytes([0, 0xFF, 0xFE, 0x80]), ": not UTF-8 text"),
    model("NUL in a line", .text("Note\n  title\0  string\n"), ":2: "),
    model("byte order mark", .text("\u{FEFF}Note\n  title  string\n"), ":1: ", "byte order mark"),
    model("carriage returns", .text("Note\r\n  title  string\r\n"), ":1: ", "line feed"),
    model("folder instead of a model", .folder, ": a directory"),
    model("link to nowhere", .link("nowhere"), ": neither a file nor a directory"),
    model("link to itself", .link("a.model"), ": neither a file nor a directory"),
    model("pipe without a writer", .pipe, ": neither a file nor a directory"),
    model("its own parent", .text("A : A\n"), ":1: ", "inherits from itself"),
    model("cycle of entities", .text("A : B\nB : A\n"), ":1: ", "inherits from itself"),
    model("unknown parent", .text("A : Z\n"), ":1: ", "'Z'", "'A'"),
    model("unknown inverse", .text("A\n  b  B? inverse z\nB\n"), ":2: ", "no inverse 'z'"),
    model("second entity of a name", .text("A\nB\nA\n"), ":3: ", "in line 1 already"),
    model("negative count", .text("A\n  b  A* min -3\n"), ":2: ", "a count from 0"),
    model("huge number", .text("A\n  i  integer16 = 99999999\n"), ":2: ", "32767"),
    WrongInput("file", "A.xcdatamodel", .text(""), "fuzz --model", [": a file", "'contents'"]),
    WrongInput("line break", [:], "fuzz --model @/a\nb.model", "b.model: no such file"),
  ]

  static let xmlModels = [
    xml("empty XML", "", ": empty"),
    xml("truncated XML", "<model>\n<entity name='A'>\n<attribute na", ":3: not well-formed"),
    xml("cycle of XML entities", "<!DOCTYPE m [<!ENTITY a '&a;'>]>\n<model>&a;</model>\n", ": "),
    xml("its own parent in XML", entity("name='A' parentEntity='A'/"), ":2: ", "from itself"),
    xml(
      "unknown inverse in XML",
      entity("name='A'>\n<relationship name='b' destinationEntity='A' inverseName='z'/></entity"),
      ":3: ", "'z'"),
    xml("entity in an entity", entity("name='A'>\n<entity name='B'/></entity"), ":3: "),
    xml("deep XML", String(repeating: "<model>", count: 40_000), ":1: "),
  ]

  private static func entity(_ text: String) -> String { "<model>\n<entity \(text)>\n</model>\n" }

  static let stacks = [
    stack("truncated stack", "", ":4: ", "view  mainQueue coordinator store"),
    stack("parent of its own", "  a  mainQueue parent a\n", ":5: ", "own parent"),
  ]

  static let scenarios = [
    scenario("unknown verb", steps("  view  isnert Note as m\n"), ":14: ", "mean 'insert'?"),
    scenario("negative time", steps("  view  sleep -5\n"), ":14: ", "from 0 to"),
    scenario("negative choice", steps("", header: "interleave  choices -1\n"), ":3: ", "from 0"),
    scenario("missing model", steps("", model: "model  none.model\n"), ":4: ", "none.model: no"),
    scenario("unknown object", steps("\nclaims\n  equal  view.m {}\n"), ":16: ", "inserts 'm'"),
    scenario("unknown context", steps("\nclaims\n  clean  veiw\n"), ":16: ", "mean 'view'?"),
    scenario("deep blocks", steps(blocks), "more than 30 levels"),
    scenario("long word", steps("  view  \(longWord)\n"), ":14: ", "'xxx", "xxx...'"),
    scenario("byte order mark in a scenario", .text("\u{FEFF}scenario  a\n"), "byte order mark"),
    scenario("scenario that is a pipe", .pipe, ": neither a file"),
  ]

  private static let longWord = String(repeating: "x", count: 10_000)
  private static let blocks = (1...100).map { level in
    String(repeating: "  ", count: level) + (level == 1 ? "view  perform\n" : "perform\n")
  }.joined()

  static let options = [
    WrongInput("negative number", [:], "fuzz --runs -1", "'--runs -1'", "from 1 to"),
    WrongInput("zero", [:], "stacks --runs 0", "'--runs 0'", "from 1 to"),
    WrongInput("number out of range", [:], "fuzz --steps 99999999999999999999", "from 1 to"),
    WrongInput("option given twice", [:], "fuzz --runs 5 --runs 6", "'--runs' is given twice"),
    WrongInput("one dash too few", [:], "fuzz -runs 5", "did you mean '--runs'?"),
    WrongInput("value of a flag", [:], "fuzz --runs 1 --verbose=no", "'--verbose' takes no value"),
  ]

  static let replay = "replay Scenarios/Conflicts/last-child-wins.scenario "
  static let campaign = "fuzz --only-steps insert --model Fixtures/Models/Note.model "

  static let outputs = [
    WrongInput("page in no folder", [:], replay + "--html @/none/x", "@/none/x: ", "no folder"),
    WrongInput("picture over a folder", ["x": .folder], replay + "--svg @/x", "@/x: ", "a folder"),
    WrongInput("below a file", ["f": .text("")], replay + "--trace @/f/x", "@/f/x: ", "no folder"),
    WrongInput(
      "events over a pipe", ["x": .pipe], replay + "--events @/x", "@/x: ", "not a regular file"),
    WrongInput("two outputs in one file", [:], replay + "--html @/x --svg @/x", "@/x", "twice"),
    WrongInput("examples over a file", ["f": .text("x")], campaign + "--output @/f", "@/f: "),
    WrongInput("failures over a loop", ["f": .link("f")], campaign + "--failures @/f", "@/f: "),
    WrongInput(
      "no room for what fails no more",
      ["f/stale": .text("x"), "f/a.scenario": steps("\nclaims\n  shows  lost update\n")],
      campaign + "--runs 1 --failures @/f", "@/f/a.scenario: ", "cannot be moved"),
  ]
}

@Suite struct `Wrong input` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-wrong-\(UUID().uuidString)")

  private static let plain = "exec \"$0\" \"$@\""

  private static func shell(_ script: String, _ words: String) throws -> Faultline.Result {
    let words = ["-c", script, Faultline.executable.path] + words.components(separatedBy: " ")
    return try Faultline.run(
      URL(fileURLWithPath: "/bin/sh"), words.filter { !$0.isEmpty }, in: Faultline.root)
  }

  /// Makes the folder, or with `isDisk` a file system of a few pages, filled by the items.
  private func arranged(
    _ items: [String: WrongInput.Item], isDisk: Bool = false, _ body: () throws -> Void
  ) throws {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    if isDisk { try #require(try Self.shell(Self.mount, folder.path).code == 0) }
    defer { if isDisk { _ = try? Self.shell("umount \"$1\"", folder.path) } }
    for (name, item) in items {
      let url = folder.appendingPathComponent(name)
      try files.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      switch item {
      case .bytes(let bytes): try Data(bytes).write(to: url)
      case .folder: try files.createDirectory(at: url, withIntermediateDirectories: true)
      case .link(let to): try files.createSymbolicLink(atPath: url.path, withDestinationPath: to)
      case .pipe: try #require(unsafe mkfifo(url.path, 0o600) == 0)
      }
    }
    if isDisk { _ = try Self.shell("head -c 100000 /dev/zero >\"$1\"/rest", folder.path) }
    try body()
  }

  private func contents() throws -> [String: WrongInput.Item] {
    let files = FileManager.default
    var found: [String: WrongInput.Item] = [:]
    for name in try files.subpathsOfDirectory(atPath: folder.path) {
      let path = folder.appendingPathComponent(name).path
      found[name] =
        switch try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
        case .typeRegular?: .bytes(Array(files.contents(atPath: path) ?? Data()))
        case .typeDirectory?: .folder
        case .typeSymbolicLink?: .link(try files.destinationOfSymbolicLink(atPath: path))
        default: .pipe
        }
    }
    return found
  }

  /// Expects exit code 2, one line, and an unchanged folder. If a command still prints a report,
  /// the report is complete.
  private func expect(
    _ words: String, says: [String], mayReport: Bool = true, by script: String = plain
  ) throws {
    let before = try contents()
    let result = try Self.shell(script, words.replacing("@", with: folder.path))
    #expect(result.code == 2, "\(result.output.prefix(300))")
    #expect(result.error.hasPrefix("faultline: ") && result.error.hasSuffix("\n"))
    #expect(result.error.filter(\.isNewline).count == 1, "\(result.error)")
    for part in says {
      #expect(result.error.contains(part.replacing("@", with: folder.path)), "\(result.error)")
    }
    let report = result.output
    #expect(report.isEmpty || mayReport && report.contains("digest "), "\(report.suffix(300))")
    #expect(try contents() == before)
  }

  @Test(
    arguments: WrongInput.models + WrongInput.xmlModels + WrongInput.stacks + WrongInput.scenarios
      + WrongInput.options)
  func `wrong input ends with one line that says what would be right`(input: WrongInput) throws {
    try arranged(input.items) { try expect(input.words, says: input.says, mayReport: false) }
  }

  @Test(arguments: WrongInput.outputs)
  func `a command leaves no half file where none can be written`(output: WrongInput) throws {
    try arranged(output.items) { try expect(output.words, says: output.says) }
  }

  /// The kernel's limit for one file, whether or not the signal that comes with it is ignored.
  @Test(arguments: ["trap '' XFSZ; ", ""])
  func `a command leaves no half file that would be too long`(trap: String) throws {
    try arranged(["page.html": .text("old")]) {
      try expect(
        WrongInput.replay + "--html @/page.html", says: ["@/page.html: "],
        by: trap + "ulimit -f 8; " + Self.plain)
    }
  }

  private static let mount = "mount -t tmpfs -o size=64k none \"$1\""

  /// Where the user may not mount file systems, the test of the kernel's limit has to be enough.
  private static let mayMount =
    (try? shell("set -- $(mktemp -d); \(mount) && umount $1; no=$?; rmdir $1; exit $no", ""))?.code
    == 0

  @Test(.enabled(if: mayMount))
  func `a command leaves every file as it was on a full disk`() throws {
    let scenario = WrongInput.steps("  view  get n.title\n")
    let items = ["a.scenario": scenario, "page.html": .text("old"), "o": WrongInput.Item.folder]
    try arranged(items, isDisk: true) {
      for (words, file) in [
        ("scenario record @/a.scenario", "a.scenario: "),
        (WrongInput.replay + "--html @/page.html", "page.html: "),
        (WrongInput.campaign + "--runs 1 --output @/o", "o/campaign.json: "),
      ] { try expect(words, says: ["@/" + file, "space"]) }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a command ends with exit code 2 if it cannot print`() throws {
    try arranged([:]) {
      try expect(WrongInput.replay, says: ["standard output"], by: Self.plain + " >/dev/full")
      #expect(try Self.shell(Self.plain + " 2>/dev/full", "fuzz --runs 0").code == 2)
    }
  }

  @Test func `a command does not trap if its reader ends`() throws {
    let script = "{ \"$0\" \"$@\"; echo $? >&2; } | head -1"
    let result = try Self.shell(script, "fuzz --help")
    #expect(["0\n", "141\n"].contains(result.error), "\(result.error)")
    #expect(result.output.filter(\.isNewline).count == 1)
  }

  /// The signal comes when the campaign has made its folder. If the signal is lost, the runs end by
  /// themselves.
  @Test(arguments: ["INT", "TERM"])
  func `an interrupted run leaves files that can be read`(signal: String) throws {
    let script = """
      (naps=0; while [ ! -d "$1" ] && [ $naps -lt 200 ]; do sleep 0.05; naps=$((naps+1)); done
      sleep 0.3; kill -\(signal) $$) >/dev/null 2>&1 &
      output=$1; shift; exec "$0" "$@" --output "$output"
      """
    try arranged([:]) {
      let options = "--runs 20000 --known none --only misuse --failures none"
      let result = try Self.shell(script, "\(folder.path)/o \(WrongInput.campaign) \(options)")
      #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
      #expect(result.output.hasPrefix("stopped after "), "\(result.output.prefix(300))")
      let files = try contents()
      #expect(files.keys.sorted() == ["o", "o/campaign.json", "o/report.json"])
      guard case .bytes(let report)? = files["o/report.json"] else { return }
      #expect((try? JSONSerialization.jsonObject(with: Data(report))) != nil)
    }
  }
}
