import Foundation
import Testing

@Suite struct `A folder of the command 'init'` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-init-\(UUID().uuidString)")

  private func run(_ words: [String]) throws -> Faultline.Result {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try Faultline.run(Faultline.executable, words, in: folder)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(arguments: [
    [], ["--editor", "--read-only"], ["--background", "3", "--merge", "notification"],
    ["--merge", "none", "--background", "0"], ["--policy", "mergeByPropertyObjectTrump"],
    ["--stack", "private-root-main-workers"],
  ])
  func `a new folder has a stack that campaigns take, for every answer`(answers: [String]) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try run(["init", "Notes"] + answers)
    #expect(made.code == 0, "\(made.error)")
    let next = try #require(made.output.split(separator: "\n").last { $0.hasPrefix("next: ") })
    let words = next.split(separator: " ").dropFirst(2).map(String.init)
    #expect(words.starts(with: ["fuzz", "--stack", "Notes/Notes.stack"]))
    let campaign = try run(words.dropLast() + ["5", "-q", "--failures", "none", "--known", "none"])
    #expect(campaign.output.contains("5 programs"), "\(campaign.error)")
    let test = try text("Notes/NotesTests.swift")
    #expect(test.contains(#"stack: "Notes.stack""#))
    let workflow = try text("Notes/faultline.yml")
    #expect(workflow.contains("--stack Notes/Notes.stack"))
    // Neither accepts a failure.
    #expect(!workflow.contains("--allow") && test.contains("runs: 1_000))"))
  }

  /// The editor is saved by its 'done', which also saves the view context. Programs that save only
  /// one of them would first show failures that the template does not have.
  @Test(arguments: [
    (["--editor"], "lost update through a merge in the store"),
    (["--editor", "--read-only"], "failed save by the stack"),
    (["--editor", "--merge", "none", "--background", "0"], "lost update"),
    (["--policy", "mergeByPropertyObjectTrump"], "lost update in the store"),
    (["--read-only"], "stale list in a following context"),
  ])
  func `a campaign shows first what the template causes`(answers: [String], kind: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run(["init", "Notes"] + answers).code == 0)
    let campaign = try run([
      "fuzz", "--stack", "Notes/Notes.stack", "--model", "Notes/Notes.model", "--runs", "200",
      "--seed", "2", "--failures", "none",
    ])
    let first = campaign.output.components(separatedBy: "\n── ").dropFirst().first
    #expect(first?.hasPrefix("\(kind) · ") == true, "\(campaign.output)")
  }

  @Test(arguments: ["StackTests", "StackTest", "Stack", "Tests/Stack", "Stack-Tests"])
  func `a new folder has one test target, whatever its name`(path: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try run(["init", path])
    #expect(made.output.contains("\n    name: \"StackTests\",\n"), "\(made.output)")
    #expect(try text("\(path)/StackTests.swift").contains("\n@Test("))
  }

  @Test func `a new folder has a read-only view context on request`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run(["init", "Notes", "--read-only"]).code == 0)
    let lines = try text("Notes/Notes.stack").split(separator: "\n")
    #expect(lines.contains("  viewContext  mainQueue coordinator store autoMerge readOnly"))
  }

  @Test func `each file of a new folder refers to the app's model from its place`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("Note\n  title  string?\n".utf8)
      .write(to: folder.appendingPathComponent("App.model"))
    let made = try run(["init", "Tests/Notes", "--model", "App.model"])
    #expect(made.code == 0, "\(made.error)")
    #expect(try text("Tests/Notes/NotesTests.swift").contains(#"model: "../../App.model""#))
    #expect(try text("Tests/Notes/faultline.yml").contains("--model App.model"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Tests/Notes/Notes.model"))
  }

  @Test func `a new folder has paths that another checkout has, too`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(".git"), withIntermediateDirectories: true)
    try Data("Note\n  title  string?\n".utf8)
      .write(to: folder.appendingPathComponent("App.model"))
    let made = try run(
      ["init", folder.path + "/Tests/Notes", "--model", folder.path + "/App.model"])
    #expect(made.code == 0, "\(made.error)")
    #expect(try text("Tests/Notes/NotesTests.swift").contains(#"model: "../../App.model""#))
    #expect(
      try text("Tests/Notes/faultline.yml").contains(
        "--stack Tests/Notes/Notes.stack --model App.model"))
    #expect(
      made.output.contains(#"path: "Tests/Notes", exclude: ["Notes.stack", "faultline.yml"])"#),
      "\(made.output)")
  }

  /// A repository may have several packages.
  @Test func `the target of a new folder has the path that its package has`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in [".git", "Modules/App"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try Data("// swift-tools-version: 6.2\n".utf8)
      .write(to: folder.appendingPathComponent("Modules/App/Package.swift"))
    let made = try run(["init", "Modules/App/Tests/Notes"])
    #expect(made.output.contains(#"path: "Tests/Notes", "#), "\(made.output)")
    let workflow = try text("Modules/App/Tests/Notes/faultline.yml")
    #expect(workflow.contains("--stack Modules/App/Tests/Notes/Notes.stack"))
  }

  @Test func `the command adds to a test target that the package already has`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = """
      let package = Package(name: "App", targets: [.testTarget(name: "NotesTests")])
      """
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    let made = try run(["init", "Tests/NotesTests"])
    #expect(
      made.output.contains("the target NotesTests, which exists:\n    dependencies:"))
    #expect(!made.output.contains(".testTarget("), "\(made.output)")
    let other = try run(["init", "Tests/Others"])
    #expect(other.output.contains("  .testTarget(\n    name: \"OthersTests\""), "\(other.output)")
  }

  /// The package manager accepts the lines printed for the manifest, and these lead to this
  /// checkout.
  @Test func `the command says what the package of a new folder depends on`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try run(["init", "Notes"])
    let lines = made.output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("add to Package.swift") })
    let parts = lines[(start + 1)...].prefix { !$0.isEmpty }
    let target = try #require(parts.firstIndex { $0.hasPrefix("  .testTarget(") })
    let manifest =
      "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: \"App\",\n"
      + parts[..<target].joined(separator: "\n") + "\n  targets: [\n"
      + parts[target...].joined(separator: "\n") + "\n])\n"
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    let described = Process()
    described.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    described.arguments = ["swift", "package", "--disable-sandbox", "dump-package"]
    described.currentDirectoryURL = folder
    let output = Pipe()
    described.standardOutput = output
    described.standardError = FileHandle.nullDevice
    try described.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    described.waitUntilExit()
    let json = String(decoding: data, as: UTF8.self).replacing("\\/", with: "/")
    #expect(described.terminationStatus == 0, "\(manifest)")
    #expect(json.contains("\"\(Faultline.root.path)\""), "\(json.prefix(600))")
    #expect(json.contains("\"FaultlineTesting\"") && json.contains("\"NotesTests\""))
  }

  @Test func `a new folder has an entry point, and campaigns say how often it ran`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run(["init", "Notes", "--editor"]).code == 0)
    let words = ["--stack", "Notes/Notes.stack", "--model", "Notes/Notes.model", "--known", "none"]
    let campaign = try run(["fuzz", "--runs", "40"] + words)
    let count = campaign.output.firstMatch(
      of: /\nentry points called: done (\d+) times, cancel \d+ times\n/)
    #expect(count.flatMap { Int($0.1) } ?? 0 > 1, "\(campaign.output.suffix(400))")
    let json = try run(["fuzz", "--runs", "40", "--format", "json"] + words)
    #expect(
      count.map { json.output.contains("\"done\" : \($0.1)") } == true,
      "\(json.output.prefix(400))")
    let unused = try run(["fuzz", "--runs", "3", "--without-steps", "call"] + words)
    #expect(
      unused.output.contains("\nentry points called: done never, cancel never\n"), "\(unused.error)"
    )
    #expect(
      unused.output.contains("note: the options exclude 'call', so programs called no entry")
    )
  }

  @Test func `a new folder is complete, or nothing is written`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run(["init", "Notes"]).code == 0)
    let before = try text("Notes/Notes.stack")
    let again = try run(["init", "Notes", "--editor"])
    #expect(again.code == 2 && again.error.contains("nothing was written"), "\(again.error)")
    #expect(try text("Notes/Notes.stack") == before)
    for (words, complaint) in [
      (["init"], "takes one folder"), (["init", "3"], "begins with a letter"),
      (["init", "A", "--stack", "proxy", "--editor"], "does not apply to '--stack'"),
      (["init", "A", "--model", "none.model"], "no such file"),
      (["init", "A", "--stack", "nonesuch"], "no stack is called 'nonesuch'"),
    ] {
      let result = try run(words)
      #expect(result.code == 2 && result.error.contains(complaint), "\(words): \(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/A"))
  }
}
