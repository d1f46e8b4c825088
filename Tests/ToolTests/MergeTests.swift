import Foundation
import Testing

@Suite struct `Shards` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-shards-\(UUID().uuidString)").path
  private static let campaign = [
    "fuzz", "--runs", "90", "--seed", "5", "--model", "Fixtures/Models/Note.model", "--model",
    "generated", "--steps", "25", "--known", "none", "--only-steps", "insert", "--only-steps",
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

  @Test func `of three merged are the campaign of one, byte for byte`() throws {
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
      let one = try run(Self.campaign + ["--output", "\(folder)/one", "--format", format])
      let merged = try run(
        ["merge"] + parts + ["--output", "\(folder)/merged", "--format", format])
      #expect(one.output == merged.output && one.code == merged.code)
      #expect(one.output.count > 500)
    }
    #expect(try files("one") == files("merged"))
    #expect(try files("one").keys.contains("campaign.json"))
    let human = [try run(Self.campaign), try run(["merge"] + parts)]
    #expect(human[0].output == human[1].output)

    // What is missing is said, and the others are reported on.
    let some = try run(["merge"] + parts.dropLast())
    #expect(some.error.contains("not among them: shard 1/3"))
    #expect(some.output.hasPrefix("stopped after 60 programs"))
  }

  @Test func `that do not belong together are refused`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let small = ["fuzz", "--model", "Fixtures/Models/Note.model", "--runs", "4", "--known", "none"]
    for (name, words) in [
      ("a", ["--shard", "1/2"]), ("b", ["--shard", "1/2"]), ("c", ["--shard", "1/3"]),
      ("d", ["--shard", "2/2", "--seed", "2"]),
    ] {
      _ = try run(small + words + ["--output", "\(folder)/\(name)"])
    }
    for (names, words) in [
      (["a", "b"], "is shard 1/2, as"), (["a", "c"], "is shard 1/3, but"),
      (["a", "d"], "other options"), (["a", "none"], "none/campaign.json: no such file"),
      ([], "merge what?"),
    ] {
      let result = try run(["merge"] + names.map { "\(folder)/\($0)" })
      #expect(result.code == 2 && result.error.contains(words), "\(result.error)")
    }
    for (words, complaint) in [
      (["--shard", "3/2"], "'--shard 3/2' is no part"),
      (["--shard", "1/2", "--guidance", "on"], "cannot be cut into shards"),
      (["--resume", "\(folder)/a"], "leave out --runs"),
    ] {
      let result = try run(small + words)
      #expect(result.code == 2 && result.error.contains(complaint), "\(result.error)")
    }
  }

  @Test func `and a campaign that was interrupted go on to the same report`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let one = try run(Self.campaign + ["--output", "\(folder)/one"])
    // Stopped after a program or two, with most of the campaign left.
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
}
