import Foundation
import Testing

/// A file that is given where another kind of file should be.
@Suite struct `A file in the wrong place` {
  private let stack = "Fixtures/Stacks/proxy.stack"
  private let model = "Fixtures/Models/Note.model"

  private func expect(_ arguments: [String], says words: String...) throws {
    let result = try Faultline.run(arguments)
    #expect(result.code == 2 && result.output.isEmpty, "\(arguments): \(result.output)")
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
  }

  @Test func `an error about a misplaced file names the command that takes it`() throws {
    for command in [
      ["explore"], ["replay"], ["scenario", "check"], ["scenario", "record"], ["scenario", "list"],
    ] {
      try expect(command + [stack], says: "is a stack", "faultline fuzz --stack \(stack)")
      try expect(command + [model], says: "is a model", "faultline fuzz --model \(model)")
    }
    for command in ["explore", "replay"] {
      try expect(
        [command, "Scenarios"], says: "is a folder", "faultline scenario check Scenarios")
    }
    try expect(["fuzz", "--stack", model], says: "is a model", "--model \(model)")
    try expect(["fuzz", "--stack", "Fixtures/Stacks"], says: "is a folder")
    try expect(["fuzz", "--model", stack], says: "is a stack", "--stack \(stack)")
  }
}

@Suite struct `Several scenarios` {
  private let folder: URL
  private let text = """
    scenario  good
    evidence  inferred

    model
      Note
        title  string?

    stack
      store  main
      view  mainQueue coordinator store

    steps
      view  insert Note as n

    claims
      changed  view
    """

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-several-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data((text + "\n").utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test func `all scenarios are looked at, whatever is wrong with one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("a.scenario", "scenario  a")
    try write("good.scenario", text)
    try write("z.scenario", text.replacing("Note as n", with: "Nota as n"))
    let check = try Faultline.run(["scenario", "check", folder.path])
    #expect(check.code == 2)
    #expect(check.output == "1 passed, 0 failed\n")
    #expect(check.error.contains("a.scenario:1: ") && check.error.contains("z.scenario:13: "))
    let list = try Faultline.run(["scenario", "list", folder.path])
    #expect(list.code == 2 && list.output.contains("good.scenario  inferred"))
    let fuzz = try Faultline.run(["fuzz", "--runs", "1", "--known", folder.path])
    #expect(fuzz.code == 2)
    #expect(fuzz.error.contains("a.scenario:1: ") && fuzz.error.contains("z.scenario:13: "))
  }

  @Test func `scenarios are recorded, and claims that do not hold are reported`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("good.scenario", text.replacing("changed", with: "clean"))
    let path = folder.appendingPathComponent("good.scenario").path
    let record = try Faultline.run(["scenario", "record", path])
    #expect(record.code == 1)
    #expect(
      record.output.contains("\(path):16: does not hold: clean  view; it is inserted n"),
      "\(record.output)")
  }

  @Test func `scenarios must make choices that can be made`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let header = "evidence  inferred\ninterleave  choices 0 0 0 0 0 0 0"
    try write("good.scenario", text.replacing("evidence  inferred", with: header))
    let path = folder.appendingPathComponent("good.scenario").path
    for command in [["replay", path], ["scenario", "record", path]] {
      let result = try Faultline.run(command)
      #expect(result.code == 2 && result.output.isEmpty, "\(result.output)")
      #expect(result.error.contains("lists 7 choices; the run makes only 0"), "\(result.error)")
    }
    let check = try Faultline.run(["scenario", "check", path])
    #expect(check.code == 1 && check.output.contains("lists 7 choices; the run makes only 0"))
  }
}
