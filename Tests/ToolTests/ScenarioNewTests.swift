import Foundation
import Testing

@Suite struct `A scenario made from a seed` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-new-\(UUID().uuidString)").path

  /// From a campaign to the file that is checked, as a user documents a new failure.
  @Test func `a scenario from a seed is complete, holds, and documents its failure`() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let campaign = [
      "fuzz", "--runs", "60", "--stack", "proxy", "--model", "Fixtures/Models/Note.model",
      "--known", "none",
    ]
    let report = try Faultline.run(campaign)
    #expect(report.code == 1 && report.output.contains("lost update"))
    let section = try #require(
      report.output.components(separatedBy: "\n── ").first { $0.hasPrefix("lost update ·") })
    let line = try Faultline.replay(in: section)
    let path = "\(folder)/proxy-loses.scenario"
    let words =
      ["scenario", "new"] + line.words.dropFirst() + ["--shows", "lost update", "--to", path]
    let made = try Faultline.run(words)
    #expect(made.code == 0 && made.output.hasPrefix("\(path): written"), "\(made.error)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("# Describe here what happens"))
    for part in [
      "\nscenario  proxy-loses\n", "\n  shows  lost update\n", "\n    > ", "\n  equal  ",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    let check = try Faultline.run(["scenario", "check", path])
    #expect(check.code == 0 && check.output == "1 passed, 0 failed\n", "\(check.output)")
    // With the scenario, the campaign's failure is a documented one.
    let again = try Faultline.run(campaign + ["--known", path])
    #expect(again.output.contains("(known)"))
    // No file is overwritten.
    let second = try Faultline.run(words)
    #expect(second.code == 2 && second.error.contains("exists"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `a seed is refused where no scenario can be made from it`() throws {
    let model = ["--model", "Fixtures/Models/Note.model"]
    for (words, complaint) in [
      ([], "takes one seed"), (["x.scenario"], "is not a seed"), (["7"], "--model"),
      (["7", "--to", "x.txt"] + model, "end in .scenario"),
      (["7", "--to", "/nowhere/x.scenario"] + model, "there is no folder"),
      (["7", "--shows", "lost update", "--steps", "1"] + model, "does not show 'lost update'"),
      (["7", "--shows", "lost udpate"] + model, "did you mean 'lost update'?"),
    ] {
      let result = try Faultline.run(["scenario", "new"] + words)
      #expect(result.code == 2 && result.error.contains(complaint), "\(words): \(result.error)")
    }
    let check = try Faultline.run(["scenario", "check", "--to", "x"])
    #expect(check.code == 2 && check.error.contains("'--to' is for scenario new and book"))
  }
}
