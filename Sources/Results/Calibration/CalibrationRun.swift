import Foundation

/// The command of a calibration package, which builds and runs the tests and writes the report.
package struct CalibrationRun {
  private static let module = "CalibrationTests"
  /// The tests of the harness and their required outcomes. With other outcomes, no result can be
  /// trusted.
  private static let harness: [(name: String, outcome: CalibrationReport.Outcome)] = [
    ("HarnessPassesTests", .passed), ("HarnessFailsTests", .failed),
    ("HarnessCrashesTests", .crashed), ("HarnessHangsTests", .timedOut),
  ]

  static let help = """
    ./calibrate [options] builds the tests of this package, runs each test in its own process, and
    writes report.json. The report has the outcome of each test, and the facts and options of
    Faultline that the outcomes decide.

      --timeout N   the number of seconds after which a test is ended (60)
      --only TEXT   runs the tests whose names contain TEXT. The report lists the other tests as
                    not run, and does not confirm facts that these tests cover
      --resume      continues an interrupted run and keeps its results
      --report FILE the path of the report (report.json)

    Exit code 0: all tests passed. 1: a test failed. 2: the calibration could not run. Most variants
    of options fail by design, because the framework has only one value of each option. They do not
    count for the exit code.
    """

  private var options: CalibrationOptions
  private let folder: String
  private var log: (String) -> Void

  /// Runs the command in the folder of a package and returns the exit code.
  ///
  /// - Parameter words: The arguments of the command line.
  package static func main(
    _ words: [String], in folder: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int32 {
    do {
      if words.contains("--help") || words.contains("-h") {
        print(help)
        return 0
      }
      let run = CalibrationRun(
        options: try CalibrationOptions(words, environment), folder: folder,
        log: { line in FileHandle.standardError.write(Data((line + "\n").utf8)) })
      return try run.run()
    } catch {
      FileHandle.standardError.write(Data("calibrate: \(error)\n".utf8))
      return 2
    }
  }

  private func run() throws -> Int32 {
    let list = try TestList(path: "\(folder)/tests.json")
    let work = "\(folder)/.calibration"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    log("building \(list.tests.count) tests")
    var build = PackageBuild(
      folder: folder, swift: options.swift, flags: options.flags, log: "\(work)/build.txt")
    try build.build()
    let bundle = "\(try binaryFolder(work))/CalibrationPackageTests.xctest"
    try checkHarness(TestRunner(bundle: bundle, folder: work, seconds: options.seconds))
    let runner = TestRunner(bundle: bundle, folder: work, seconds: options.seconds)
    let results = try self.results(of: list, runner, build.errors, journal: "\(work)/done.jsonl")
    let report = CalibrationReport(
      system: .current, faultline: list.faultline, date: CalibrationRun.today, facts: list.facts,
      tests: results)
    let path =
      options.report.hasPrefix("/") ? options.report : "\(folder)/\(options.report)"
    try Data(report.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    print(CalibrationSummary(report).text)
    print("\(options.report): written")
    let isGood = results.allSatisfy {
      $0.option != nil || $0.outcome == .passed || !options.selects($0.name)
    }
    return isGood ? 0 : 1
  }

  private func binaryFolder(_ work: String) throws -> String {
    let path = try LimitedProcess(
      [options.swift, "build", "--show-bin-path"] + options.flags, in: folder, seconds: nil,
      output: "\(work)/path.txt")
    guard path.ending == .status(0), let last = path.lastLines(1).first else {
      throw CalibrationError("'swift build --show-bin-path' does not print the folder of the tests")
    }
    return last
  }

  /// Throws an error unless results are recorded, and crashes and hangs are distinguished from
  /// failures.
  private func checkHarness(_ runner: TestRunner) throws {
    for (name, outcome) in CalibrationRun.harness {
      let test = TestList.Test(name: name, source: "harness")
      var runner = runner
      // Only the hanging test gets a short time limit. The other tests may need more time on a busy
      // machine.
      if outcome == .timedOut { runner.seconds = min(5, runner.seconds) }
      let result = try runner.run(test, module: "HarnessTests")
      guard result.outcome == outcome else {
        throw CalibrationError(
          "the outcome of \(name) must be '\(outcome.rawValue)' and is "
            + "'\(result.outcome.rawValue)', so no result can be trusted:\n"
            + result.failures.joined(separator: "\n"))
      }
    }
  }

  /// Runs the tests. Each result is appended to `journal` at once, so that an interrupted run loses
  /// no result.
  private func results(
    of list: TestList, _ runner: TestRunner, _ errors: [String: [String]], journal: String
  ) throws -> [CalibrationReport.Test] {
    let file = URL(fileURLWithPath: journal)
    var done: [String: CalibrationReport.Test] = [:]
    if options.resumes, let text = try? String(contentsOf: file, encoding: .utf8) {
      for line in text.split(separator: "\n") {
        let result = try? JSONDecoder().decode(CalibrationReport.Test.self, from: Data(line.utf8))
        if let result { done[result.name] = result }
      }
    } else {
      try Data().write(to: file)
    }
    let writer = try FileHandle(forWritingTo: file)
    defer { try? writer.close() }
    try writer.seekToEnd()
    if !list.tests.contains(where: { options.selects($0.name) }) {
      throw CalibrationError("no test name contains the text of --only; tests.json lists the names")
    }
    var results: [CalibrationReport.Test] = []
    for (index, test) in list.tests.enumerated() {
      let result =
        if let messages = errors[test.name] {
          CalibrationReport.Test(test, .didNotCompile, failures: messages)
        } else if let known = done[test.name], known.isResult(of: test) {
          known
        } else if !options.selects(test.name) {
          CalibrationReport.Test(test, .didNotRun)
        } else {
          try runner.run(test, module: CalibrationRun.module)
        }
      results.append(result)
      // A run that resumes this one still has to run the test.
      if !options.selects(test.name), result.outcome == .didNotRun { continue }
      try writer.write(contentsOf: try JSONEncoder().encode(result) + Data("\n".utf8))
      if result.outcome != .passed, test.option == nil {
        log("\(test.name): \(result.outcome.rawValue)")
      }
      if (index + 1).isMultiple(of: 50) { log("\(index + 1) of \(list.tests.count) tests") }
    }
    return results
  }

  private static var today: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyy-MM-dd"
    return formatter.string(from: Date())
  }
}
