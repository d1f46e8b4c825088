import Calibration
import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// A package whose compiler and tests are shell scripts.
  private final class FakePackage {
    private let folder: ScratchFolder
    var path: String { folder.path }

    /// - Parameter tests: The shell command of each test, by the test's name.
    init(_ tests: KeyValuePairs<String, String>, crashes: String = "kill -9 $$") throws {
      folder = try ScratchFolder()
      var cases = """
        HarnessTests.HarnessPassesTests) \(FakePackage.passes) ;;
        HarnessTests.HarnessFailsTests) \(FakePackage.fails) ;;
        HarnessTests.HarnessCrashesTests) \(crashes) ;;
        HarnessTests.HarnessHangsTests) exec sleep 60 ;;

        """
      for (name, body) in tests {
        try folder.write("// \(body)\n", to: "Tests/CalibrationTests/\(name).swift")
        cases += "CalibrationTests.\(name)) echo \(name) >> runs.txt; \(body) ;;\n"
      }
      try program("#!/bin/sh\ncase \"$1\" in\n\(cases)esac\n", "bin/CalibrationPackageTests.xctest")
      try program(
        """
        #!/bin/sh
        if [ "$2" = --show-bin-path ]; then echo "\(path)/bin"; exit; fi
        for file in Tests/CalibrationTests/*.swift; do
          if grep -q 'does not compile' $file; then
            echo "\(path)/$file:1:4: error: there is no such thing"
            echo "\(path)/$file:2:1: error: nor this"
            exit 1
          fi
        done

        """, "swift")
      let list = TestList(
        faultline: "0.6", facts: ["AB-01", "AB-02"],
        tests: tests.map { TestList.Test(name: $0.key, source: "a scenario", facts: ["AB-01"]) })
      try folder.write(list.text, to: "tests.json")
    }

    static let passes = #"echo '{"passed":true}' >> "$FAULTLINE_RESULTS""#
    static let fails =
      #"echo '{"failure":"A.swift:1: no"}' >> "$FAULTLINE_RESULTS"; "#
      + #"echo '{"passed":false}' >> "$FAULTLINE_RESULTS"; exit 1"#

    static let raises =
      #"echo '{"failure":"A.swift:1: caught","raised":true}' >> "$FAULTLINE_RESULTS"; "#
      + #"echo '{"passed":false}' >> "$FAULTLINE_RESULTS"; exit 1"#

    private func program(_ text: String, _ name: String) throws {
      try folder.write(text, to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(path)/\(name)")
    }

    func calibrate(_ words: String...) -> Int32 {
      CalibrationRun.main(
        words + ["--timeout", "1"], in: path, environment: ["SWIFT": "\(path)/swift"])
    }

    var report: CalibrationReport {
      get throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(path)/report.json"))
        return try JSONDecoder().decode(CalibrationReport.self, from: data)
      }
    }

    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }
  }

  @Suite struct `A calibration run` {
    @Test func `a calibration run survives tests that crash, hang or do not compile`() throws {
      let package = try FakePackage([
        "FirstTests": FakePackage.passes, "CrashTests": "echo 'of this'; kill -11 $$",
        "HangTests": "exec sleep 60", "BrokenTests": "true does not compile",
        "SilentTests": "true", "FailTests": FakePackage.fails,
        "LateCrashTests": FakePackage.passes + "; kill -9 $$", "LastTests": FakePackage.passes,
        "RaiseTests": FakePackage.raises,
      ])
      #expect(package.calibrate() == 1)
      let tests = try package.report.tests
      #expect(
        tests.map { "\($0.name) \($0.outcome.rawValue)" } == [
          "FirstTests passed", "CrashTests crashed", "HangTests timed out",
          "BrokenTests did not compile", "SilentTests did not run", "FailTests failed",
          "LateCrashTests passed", "LastTests passed", "RaiseTests raised an exception",
        ])
      #expect(tests[1].failures == ["ended by signal 11", "of this"])
      #expect(
        tests[3].failures == [
          "BrokenTests.swift:1:4: there is no such thing", "BrokenTests.swift:2:1: nor this",
        ])
      #expect(tests[5].failures == ["A.swift:1: no"])
    }

    @Test func `a calibration run keeps the results of a run that it resumes`() throws {
      let package = try FakePackage([
        "FirstTests": FakePackage.passes, "SecondTests": FakePackage.passes,
      ])
      #expect(package.calibrate("--only", "First") == 0)
      #expect(try package.report.tests.map(\.outcome) == [.passed, .didNotRun])
      // Both tests are about the fact, and one of them has not run.
      #expect(try package.report.facts.first?.verdict == .notDecided)
      #expect(package.calibrate("--resume") == 0)
      #expect(try package.report.tests.map(\.outcome) == [.passed, .passed])
      #expect(try package.report.facts.first?.verdict == .confirmed)
      #expect(try package.text(".calibration/runs.txt") == "FirstTests\nSecondTests\n")
      #expect(package.calibrate() == 0)
      #expect(try package.text(".calibration/runs.txt").split(separator: "\n").count == 4)
    }

    @Test func `a calibration run tries again the tests that did not compile`() throws {
      let package = try FakePackage(["BrokenTests": "\(FakePackage.passes) # does not compile"])
      #expect(package.calibrate() == 1)
      #expect(try package.text("Excluded/BrokenTests.swift").contains("does not compile"))
      try "// mended\n".write(
        toFile: "\(package.path)/Excluded/BrokenTests.swift", atomically: true, encoding: .utf8)
      #expect(package.calibrate() == 0)
      #expect(try package.report.tests.map(\.outcome) == [.passed])
    }

    @Test func `a calibration run stops if it takes a crash for something else`() throws {
      let package = try FakePackage(
        ["FirstTests": FakePackage.passes], crashes: FakePackage.passes)
      #expect(package.calibrate() == 2)
      #expect(throws: (any Error).self) { try package.report }
    }

    @Test func `a calibration run refuses words that it does not know`() throws {
      let package = try FakePackage(["FirstTests": FakePackage.passes])
      #expect(package.calibrate("--all") == 2)
      #expect(package.calibrate("--only", "Third") == 2)
      #expect(package.calibrate("--only") == 2)
    }
  }
#endif
