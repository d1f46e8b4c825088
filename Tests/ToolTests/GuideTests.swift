import Foundation
import Testing

/// The guide is true: its stacks and commands run, and its mends end the failures.
@Suite struct `The guide` {
  private static let text = (try? Faultline.run(["guide"]).output) ?? ""

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-guide-\(UUID().uuidString)")

  /// Returns the contents of the blocks that begin with this line.
  private static func blocks(_ fence: String) -> [String] {
    var blocks: [String] = []
    var (isInside, isWanted) = (false, false)
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside.toggle()
        isWanted = isInside && line == fence
        if isWanted { blocks.append("") }
      } else if isWanted {
        blocks[blocks.count - 1] += line + "\n"
      }
    }
    return blocks
  }

  private func write(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func run(_ words: [String]) throws -> Faultline.Result {
    try Faultline.run(Faultline.executable, words, in: folder)
  }

  @Test func `the guide is short`() throws {
    #expect(Self.text.count <= 8_000 && Self.text.hasPrefix("# Faultline"))
    let extra = try Faultline.run(["guide", "stacks"])
    #expect(extra.code == 2 && extra.error.contains("guide takes no argument"))
  }

  @Test func `the guide shows a stack and a model that campaigns take and that pass`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (stacks, models) = (Self.blocks("```stack"), Self.blocks("```model"))
    try #require(stacks.count == 1 && models.count == 1)
    for word in ["parent", "policy", "autoMerge", "readOnly", "hidden", "observe", "entry"] {
      #expect(stacks[0].split(whereSeparator: \.isWhitespace).contains { $0 == word }, "\(word)")
    }
    try write(stacks[0], "App.stack")
    try write(models[0], "App.model")
    let campaign = ["fuzz", "--stack", "App.stack", "--model", "App.model", "--runs", "300"]
    let result = try run(campaign + ["--format", "brief"])
    #expect(result.code == 0 && result.output.hasPrefix("PASS"), "\(result)")
    #expect(!result.output.contains("no program called"), "\(result.output)")
    // The promises that stand in the text.
    for promise in ["every Note has views >= 0", "count Note <= 100"] {
      #expect(Self.text.contains("`\(promise)`"))
      #expect(try run(campaign + ["--promise", promise]).code < 2, "\(promise)")
    }
    try write(
      stacks[0].replacing("stack  App\n", with: "stack  App\nmodel  App.model\n")
        + "  promise  count Note <= 100\n", "Promise.stack")
    let promising = ["fuzz", "--stack", "Promise.stack", "--model", "App.model", "--runs", "20"]
    #expect(try run(promising).code < 2)
  }

  @Test func `the guide has commands that run as printed, one after the other`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let commands = Self.blocks("```").flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(commands.count >= 5 && commands.allSatisfy { $0.hasPrefix("faultline ") })
    try write("", "empty")
    for command in commands {
      let path = Faultline.executable.deletingLastPathComponent().path
      let result = try Faultline.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", "PATH='\(path)':$PATH; exec \(command)"],
        in: folder)
      #expect(result.code == (command.hasPrefix("faultline init") ? 0 : 1), "\(command): \(result)")
      #expect(result.error.isEmpty)
      if command.hasPrefix("faultline fuzz") { #expect(result.output.hasPrefix("FAIL  ")) }
    }
  }

  /// Options and kinds in running text count, too.
  @Test func `the guide names options and kinds of failures that exist`() throws {
    let help = try Faultline.run(["fuzz", "--help"]).output
    for match in Self.text.matches(of: /`(--[a-z]+)(?: '([^']+)')?/) {
      #expect(help.contains("\(match.1) ") || help.contains("\(match.1)\n"), "\(match.1)")
      guard let kind = match.2 else { continue }
      let result = try Faultline.run(["fuzz", "--runs", "1", String(match.1), String(kind)])
      #expect(result.code < 2, "\(result.error)")
    }
  }

  // MARK: Mends

  /// A row of the table of mends. "the same" stands for the line of the row above.
  private static let mends: [(kind: String, line: String)] = {
    var (rows, line): ([(kind: String, line: String)], String) = ([], "")
    for row in text.components(separatedBy: "\n") where row.hasPrefix("| ") {
      let cells = row.components(separatedBy: " | ")
      guard cells.count == 3, !cells[0].hasSuffix(" failure") else { continue }
      if let code = cells[1].firstMatch(of: /`([^`]+)`/) { line = String(code.1) }
      rows.append((String(cells[0].dropFirst(2)), line))
    }
    return rows
  }()

  private static let trump = "policy mergeByPropertyObjectTrump"

  /// Two contexts that save to the store.
  private static func roots(_ view: String, importer policy: String = "") -> String {
    "  store  main\n  viewContext  mainQueue coordinator store\(view)\n"
      + "  importer  privateQueue coordinator store\(policy)\n"
  }

  /// A form that 'done' saves.
  private static func form(_ editor: String, _ steps: String, view: String = "") -> String {
    "  store  main\n  viewContext  mainQueue coordinator store\(view)\n"
      + "  editor  mainQueue \(editor)\n  entry  done\n" + steps
  }

  private static func observer(_ lines: String...) -> String {
    roots(" readOnly") + "  observe  didSave importer\n"
      + lines.map { "    \($0)\n" }.joined()
  }

  /// An observer that marks what its context has saved, and saves again.
  private static func reactions(_ step: String) -> String {
    roots(" readOnly", importer: " \(trump)")
      + "  observe  didSave importer\n    importer  perform\n      \(step)\n"
      + "      when hasChanges\n        save\n"
  }

  private static let safeSteps =
    "    editor  try\n      save\n      viewContext  save\n      discard\n"

  /// A stack with each failure, and the same stack with the line of the guide.
  private static let pairs: [String: (failing: String, mended: String)] = [
    "lost update in the store": (
      roots(" \(trump)", importer: " \(trump)"),
      roots(" autoMerge readOnly", importer: " \(trump)")
    ),
    "lost update through a merge in the store": (
      roots(" autoMerge"), roots(" autoMerge readOnly")
    ),
    "write skew in the store": (roots(""), roots(" autoMerge readOnly")),
    "failed save": (roots(""), roots(" autoMerge readOnly")),
    "failed save by the stack": (
      roots("") + "  entry  finish\n    importer  save\n",
      roots(" autoMerge readOnly") + "  entry  finish\n    importer  save\n"
    ),
    "silently ignored save in the store": (
      roots("", importer: " policy mergeByPropertyStoreTrump"),
      roots(" autoMerge readOnly", importer: " policy mergeByPropertyStoreTrump")
    ),
    "stale copy": (roots(" readOnly"), roots(" autoMerge readOnly")),
    "lost update": (
      form("parent viewContext", safeSteps), form("coordinator store", safeSteps)
    ),
    "unsaved changes discarded by the stack": (
      roots("") + "  entry  finish\n    importer  save\n    importer  discard\n",
      roots("") + "  entry  finish\n    importer  try\n      save\n      discard\n"
    ),
    "poisoned context": (
      roots(" autoMerge readOnly") + "  entry  finish\n    importer  save\n",
      roots(" autoMerge readOnly")
        + "  entry  finish\n    importer  save\n    importer  rollback\n"
    ),
    "save left in a parent": (
      form("parent viewContext", "    editor  save\n", view: " readOnly"),
      form("parent viewContext", "    editor  save\n    viewContext  save\n", view: " readOnly")
    ),
    "deadlock by the stack": (
      observer("viewContext  performAndWait", "  mergeChanges delivered"),
      observer("viewContext  perform", "  mergeChanges delivered")
    ),
    "wrong-queue access by the stack": (
      observer("viewContext  directly", "  mergeChanges delivered"),
      observer("viewContext  perform", "  mergeChanges delivered")
    ),
    "endless reaction": (
      reactions("forEach delivered edit"), reactions("forEach delivered mark")
    ),
    "stale list in a following context": (
      observer("viewContext  perform", "  mergeChanges delivered"),
      observer(
        "viewContext  perform", "  forEach deliveredUpdates touch", "  mergeChanges delivered")
    ),
  ]

  @Test func `the guide has ten mends or more, each with a stack that needs it`() {
    #expect(Self.mends.count >= 10)
    #expect(Set(Self.mends.map(\.kind)) == Set(Self.pairs.keys))
  }

  @Test(arguments: mends.map(\.kind))
  func `a mend of the guide ends the failure that it is for`(kind: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let mend = try #require(Self.mends.first { $0.kind == kind })
    let pair = try #require(Self.pairs[kind])
    func lines(_ stack: String) -> [String] {
      stack.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(lines(pair.mended).contains(mend.line) && !lines(pair.failing).contains(mend.line))
    try write("Note\n  title  string = \"new\"\n  views  integer = 0\n", "Notes.model")
    for (stack, code) in [(pair.failing, Int32(1)), (pair.mended, 0)] {
      try write("stack  Mend\n\n" + stack, "Mend.stack")
      let result = try run([
        "fuzz", "--stack", "Mend.stack", "--model", "Notes.model", "--runs", "1000", "--strict",
        "--only", kind, "--failures", "none", "--format", "brief",
      ])
      #expect(result.code == code, "\(stack)\(result.output)\(result.error)")
      #expect(result.output.contains("1. \(kind) (") == (code == 1), "\(result.output)")
    }
  }
}
