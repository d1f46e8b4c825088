import Foundation
import Testing

@Suite struct `Test cases for a fuzzing service` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-testcases-\(UUID().uuidString)").path

  private func make(_ words: [String]) throws -> Faultline.Result {
    try Faultline.run(["testcases"] + words)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  @Test func `test cases are scenarios that replay runs, the same for the same seed`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let words = ["--no_of_files", "6", "--input_dir", "Scenarios/Conflicts", "--seed"]
    let made = try make(words + ["7", "--output_dir", "\(folder)/a"])
    #expect(made.code == 0 && made.output.hasPrefix("6 scenarios of seed 0x7"), "\(made.error)")
    _ = try make(words + ["7", "--output_dir", "\(folder)/b"])
    _ = try make(words + ["8", "--output_dir", "\(folder)/c"])
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/a").sorted()
    #expect(names == (1...6).map { "fuzz-\($0).scenario" })
    for name in names {
      #expect(try text("a/\(name)") == text("b/\(name)"))
      #expect(try text("a/\(name)") != text("c/\(name)"))
      #expect(try text("a/\(name)").contains("\nsteps\n"))
      let run = try Faultline.run(["replay", "\(folder)/a/\(name)"])
      #expect(run.code == 0, "\(run.error)")
    }
    // Every second test case has the model and the stack of a given scenario, perhaps with an
    // additional list of the main context.
    let stack = try text("a/fuzz-2.scenario").components(separatedBy: "\nstack\n")[1]
      .components(separatedBy: "\nsteps\n")[0].components(separatedBy: "\n")
      .filter { !$0.hasPrefix("  controller ") }.joined(separator: "\n")
    let given = try FileManager.default.contentsOfDirectory(
      atPath: Faultline.root.appendingPathComponent("Scenarios/Conflicts").path)
    #expect(
      try given.contains {
        try String(
          contentsOf: Faultline.root.appendingPathComponent("Scenarios/Conflicts/\($0)"),
          encoding: .utf8
        ).contains(stack.trimmingCharacters(in: .newlines))
      })
  }

  @Test func `test cases differ each time if no seed is given`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["a", "b"] {
      _ = try make(["--no_of_files", "1", "--output_dir", "\(folder)/\(name)"])
    }
    #expect(try text("a/fuzz-1.scenario") != text("b/fuzz-1.scenario"))
  }

  /// A service distinguishes defects by their state, and keeps none without a state.
  @Test func `a replay ends with the state of a defect where one shows`() throws {
    let path = "Scenarios/Conflicts/conflict-under-mergeByPropertyObjectTrump.scenario"
    let broken = try Faultline.run(["replay", path, "--plant", "swapsTrumps"])
    #expect(broken.code == 1)
    let line = "[faultline:engine] Check failed: disagreement on a context: save commit"
    #expect(broken.output.split(separator: "\n").last.map(String.init) == line)
    let whole = try Faultline.run(["replay", path])
    #expect(whole.code == 0 && !whole.output.contains("Check failed"))
  }

  @Test func `test cases are refused with a line that says why`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (words, complaint) in [
      (["--no_of_files", "2"], "needs '--output_dir DIR' and '--no_of_files N'"),
      (["--no_of_files", "0", "--output_dir", folder], "no_of_files"),
      (["--no_of_files", "1", "--output_dir", folder, "--input_dir", "nowhere"], "no such folder"),
      (
        ["--no_of_files", "1", "--output_dir", folder, "--plant", "swapsTrumps"],
        "cannot plant a bug"
      ),
      (["--no_of_files", "1", "--output_dir", "README.md"], "cannot create this folder"),
      (["--no_of_files", "1", "--output_dir", folder, "more"], "takes no argument 'more'"),
    ] {
      let result = try make(words)
      #expect(result.code == 2 && result.error.contains(complaint), "\(words): \(result.error)")
    }
  }
}
