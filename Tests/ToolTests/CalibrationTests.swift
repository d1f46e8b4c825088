import Foundation
import Testing

@Suite struct `The package of a calibration` {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-calibration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try body(folder)
  }

  private func write(_ folder: URL, _ words: String...) throws -> Faultline.Result {
    try Faultline.run(["calibration", "--to", folder.path, "--runs", "6"] + words)
  }

  private func text(_ name: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `the package has everything that a Mac needs`() throws {
    try withFolder { folder in
      let result = try write(folder)
      #expect(result.code == 0, "\(result.error)")
      #expect(result.output.contains(" scenarios, "))
      for name in [
        "Package.swift", "README.md", "tests.json", ".gitignore",
        ".github/workflows/calibration.yml", "Sources/Calibrating/CalibrationRun.swift",
        "Sources/Calibrate/main.swift", "Sources/Loading/loading.c",
        "Tests/HarnessTests/ResultRecorder.swift",
        "Tests/CalibrationTests/LastChildWinsTests.swift",
        "Tests/CalibrationTests/MergeIsNotASaveWithMergeReachesChildrenTests.swift",
      ] {
        #expect(throws: Never.self, "\(name)") { try text(name, in: folder) }
      }
      let script = folder.appendingPathComponent("calibrate").path
      #expect(FileManager.default.isExecutableFile(atPath: script))
      // Each test of the list has its file, and each file is in the list.
      let data = Data(try text("tests.json", in: folder).utf8)
      let list = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let names = try #require(list["tests"] as? [[String: Any]]).compactMap { $0["name"] }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("Tests/CalibrationTests").path)
      #expect(
        Set(names.map { "\($0).swift" } + ["Simulated.swift"]) == Set(files))
      // The runner's copy compiles without the flags of this package.
      let runner = folder.appendingPathComponent("Sources/Calibrating").path
      for file in try FileManager.default.contentsOfDirectory(atPath: runner) {
        let source = try text("Sources/Calibrating/\(file)", in: folder)
        #expect(!source.contains("unsafe "), "\(file)")
      }
    }
  }

  @Test func `a package that is written again loses old tests and keeps results`() throws {
    try withFolder { folder in
      let tests = folder.appendingPathComponent("Tests/CalibrationTests")
      try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
      for name in ["tests.json", "report.json", "Tests/CalibrationTests/OldTests.swift"] {
        try "old\n".write(
          to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      }
      #expect(try write(folder).code == 0)
      #expect(throws: (any Error).self) {
        try text("Tests/CalibrationTests/OldTests.swift", in: folder)
      }
      #expect(try text("report.json", in: folder) == "old\n")
      #expect(try text("tests.json", in: folder) != "old\n")
    }
  }

  @Test func `a package is not written into a folder that is something else`() throws {
    try withFolder { folder in
      try "mine".write(
        to: folder.appendingPathComponent("notes.txt"), atomically: true, encoding: .utf8)
      let result = try write(folder)
      #expect(result.code == 2)
      #expect(result.error.contains("has files and is not a calibration package"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
    }
  }

  @Test func `the command needs a folder and a checkout`() throws {
    #expect(try Faultline.run(["calibration"]).error.contains("'--to DIR'"))
    try withFolder { folder in
      #expect(try Faultline.run(["calibration", "x", "--to", folder.path]).code == 2)
      let result = try write(folder, "--root", folder.path)
      #expect(result.code == 2, "\(result.error)")
    }
  }
}
