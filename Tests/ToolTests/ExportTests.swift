import Foundation
import Testing
import Vocabulary

@Suite struct `The export of scenarios` {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-export-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func files(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test func `the export writes a Swift file for each scenario`() throws {
    try withFolder { folder in
      let path = "Scenarios/Conflicts/last-child-wins.scenario"
      let result = try Faultline.run(["export", path, "--to", folder.path])
      #expect(result.code == 0)
      #expect(result.output.hasSuffix("Tests.swift\nexported 1\n"), "\(result.output)")
      #expect(files(in: folder) == ["LastChildWinsTests.swift"])
    }
  }

  @Test func `the export says where and why it cannot, and writes nothing`() throws {
    try withFolder { folder in
      let path = "Scenarios/Stores/refused-batch-request.scenario"
      let result = try Faultline.run(["export", path, "--to", folder.path])
      #expect(result.code == 1)
      #expect(
        result.output.hasPrefix(
          "\(path):16: 'view  refuseWrite main 2' cannot be exported: a program cannot make"),
        "\(result.output)")
      #expect(files(in: folder) == [])
    }
  }

  @Test func `the export of a folder lists the reasons with their numbers`() throws {
    try withFolder { folder in
      let result = try Faultline.run(["export", "Scenarios/Stores", "--to", folder.path])
      #expect(result.code == 0)
      let lines = result.output.split(separator: "\n")
      let summary = lines.firstIndex { $0.hasPrefix("exported ") }
      let count = files(in: folder).count
      #expect(count > 10)
      #expect(summary.map { lines[$0] } == "exported \(count), not exported \(30 - count)")
      #expect(lines.last?.hasPrefix("  ") == true)
    }
  }

  @Test func `the export takes the seed of a campaign with its options`() throws {
    try withFolder { folder in
      let options = ["--model", "Fixtures/Models/Note.model", "--stack", "proxy"]
      let result = try Faultline.run(
        ["export", "0x3cd99fb2877d0e03", "--to", folder.path] + options)
      #expect(result.code == 0, "\(result.output)")
      let name = try #require(files(in: folder).first)
      #expect(files(in: folder).count == 1)
      let file = folder.appendingPathComponent(name)
      let comment = try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("///") }.joined(separator: "\n")
      // The comment has cause and remedy in the words of Core Data, and the proof as a list.
      #expect(comment.contains("/// Remedy: "), "\(comment)")
      #expect(comment.contains("\n/// - step "), "\(comment)")
      #expect(comment.contains("Found by a campaign in the run with seed 0x3cd99fb2877d0e03."))
      for quirk in Quirk.allCases { #expect(!comment.contains(quirk.name), "\(comment)") }
      #expect(comment.firstMatch(of: /\([A-Z]{2}-A?\d+/) == nil, "\(comment)")
    }
  }

  @Test func `the export of a seed leaves the file of another program as it is`() throws {
    try withFolder { folder in
      let words =
        ["export", "0x3cd99fb2877d0e03", "--to", folder.path]
        + ["--model", "Fixtures/Models/Note.model", "--stack", "proxy"]
      #expect(try Faultline.run(words).code == 0)
      let first = try #require(files(in: folder).first)
      let file = folder.appendingPathComponent(first)
      try "// Another.\n".write(to: file, atomically: true, encoding: .utf8)
      let result = try Faultline.run(words)
      #expect(result.output.contains("written to"), "\(result.output)")
      #expect(try Faultline.run(words).code == 0)
      #expect(files(in: folder).count == 2)
      #expect(try String(contentsOf: file, encoding: .utf8) == "// Another.\n")
    }
  }

  @Test func `the export needs a folder to write to and something to export`() throws {
    #expect(try Faultline.run(["export", "Scenarios"]).error.contains("'--to DIR'"))
    #expect(try Faultline.run(["export", "--to", "x"]).code == 2)
    #expect(try Faultline.run(["export", "Makefile", "--to", "x"]).code == 2)
  }
}
