import Calibration
import Catalogue
import InputFiles
import TestSupport
import Testing
import Vocabulary

/// Three facts. The report below confirms one, refutes one and leaves one open.
private let facts = """
  section  Invented
    AB-01  certain  This holds.
    AB-02  certain  This does not.
    AB-03  likely  This is open.
    X-11  contested  Which?
      about  AB-01

  """

private func madeUp(version: String = "15.1") -> CalibrationReport {
  func test(
    _ name: String, _ facts: [String], _ outcome: CalibrationReport.Outcome,
    option: TestList.Option? = nil, failures: [String] = []
  ) -> CalibrationReport.Test {
    CalibrationReport.Test(
      TestList.Test(
        name: name, source: "Scenarios/Group/first.scenario", facts: facts, option: option),
      outcome, failures: failures)
  }
  return CalibrationReport(
    system: TestedSystem(
      framework: .coreData, frameworkVersion: "1401", name: "macOS", version: version,
      architecture: "arm64"),
    faultline: "0.6", date: "2026-01-31", facts: ["AB-01", "AB-02", "AB-03", "X-11"],
    tests: [
      test("FirstTests", ["AB-01"], .passed),
      test("SecondTests", ["AB-02"], .failed, failures: ["Second.swift:7: 1 | 2"]),
      test("ThirdTests", ["AB-03"], .crashed),
      test(
        "OnTests", [], .failed, option: TestList.Option(name: "mergeReachesChildren", isOn: true)),
      test(
        "OffTests", [], .passed, option: TestList.Option(name: "mergeReachesChildren", isOn: false)),
    ])
}

private func checkout(_ reports: KeyValuePairs<String, String>) throws -> ScratchFolder {
  let folder = try ScratchFolder()
  try folder.write(facts, to: FactCoverage.listPath)
  try folder.write(
    "@Test func works() {} // AB-01, AB-02\n", to: "Tests/FaultlineTests/NoteTests.swift")
  for (name, text) in reports { try folder.write(text, to: "\(ObservedReport.folder)/\(name)") }
  return folder
}

@Suite struct `Observations on Apple's framework` {
  @Test func `the page of facts has the observations`() throws {
    let folder = try checkout(["macos-15.1-arm64.json": madeUp().text])
    let lines = FactsPage(try FactCoverage(root: folder.path)).text.split(separator: "\n")
    func line(_ start: String) -> Substring? { lines.last { $0.hasPrefix(start) } }
    #expect(line("| AB-01 ")?.hasSuffix("| holds on macOS 15.1 (arm64) |") == true)
    #expect(line("| AB-02 | This")?.hasSuffix("| does not hold on macOS 15.1 (arm64) |") == true)
    #expect(line("| AB-03 ")?.hasSuffix("| *not shown* |  |") == true)
    #expect(
      line("| X-11 ")?.hasSuffix("| mergeReachesChildren off on macOS 15.1 (arm64) |") == true)
    #expect(line("| `observed` ")?.hasSuffix("| 2 |") == true)
    let row =
      "| [macos-15.1-arm64.json](../Fixtures/Observed/macos-15.1-arm64.json) "
      + "| macOS 15.1 (arm64) | 1401 | 0.6 | 2026-01-31 | 1 | 1 | 1 | 1 | 1 | 0 | 2 |"
    #expect(line("| [macos-15.1").map(String.init) == row)
    #expect(line("| `mergeReachesChildren` ") == "| `mergeReachesChildren` | X-11 | off | off |")
    #expect(
      lines.contains(
        "| AB-02 | macOS 15.1 (arm64) | Scenarios/Group/first.scenario | Second.swift:7: 1 \\| 2 |")
    )
  }

  /// A scenario of two facts failed. Another scenario shows one of these facts, too.
  @Test func `a fact is in doubt where scenarios differ`() throws {
    func test(_ name: String, _ facts: [String], _ outcome: CalibrationReport.Outcome)
      -> CalibrationReport.Test
    {
      CalibrationReport.Test(
        TestList.Test(name: name, source: "Scenarios/a.scenario", facts: facts, option: nil),
        outcome)
    }
    let report = CalibrationReport(
      system: madeUp().system, faultline: "0.6", date: "2026-01-31",
      facts: ["AB-01", "AB-02", "AB-03", "X-11"],
      tests: [test("A", ["AB-01"], .passed), test("B", ["AB-01", "AB-02"], .failed)])
    let folder = try checkout(["macos-15.1-arm64.json": report.text])
    let lines = FactsPage(try FactCoverage(root: folder.path)).text.split(separator: "\n")
    func line(_ start: String) -> Substring? { lines.last { $0.hasPrefix(start) } }
    #expect(line("| AB-01 | This")?.hasSuffix("| in doubt on macOS 15.1 (arm64) |") == true)
    #expect(line("| AB-02 | This")?.hasSuffix("| does not hold on macOS 15.1 (arm64) |") == true)
    #expect(line("| `observed` ")?.hasSuffix("| 1 |") == true)
  }

  @Test func `the page of facts has no section without observations`() throws {
    let folder = try checkout([:])
    let page = FactsPage(try FactCoverage(root: folder.path)).text
    #expect(!page.contains("## Observed") && !page.contains("| observed |"))
    #expect(!page.contains("`observed`"))
  }

  @Test func `observations of several systems stand side by side`() throws {
    let folder = try checkout([
      "macos-14.json": madeUp(version: "14.6").text, "macos-15.json": madeUp().text,
    ])
    let page = FactsPage(try FactCoverage(root: folder.path)).text
    #expect(page.contains("| holds on macOS 14.6 (arm64); holds on macOS 15.1 (arm64) |"))
  }

  @Test func `each report is kept once, under a name of its own`() throws {
    let folder = try checkout([:])
    func place(_ text: String, _ report: CalibrationReport) -> String {
      let place = ObservedReport.place(for: text, report, root: folder.path)
      return "\(place.path) \(place.isNew)"
    }
    let first = "\(ObservedReport.folder)/macos-15.1-arm64"
    #expect(place("a", madeUp()) == "\(first).json true")
    try folder.write("a", to: "\(first).json")
    #expect(place("a", madeUp()) == "\(first).json false")
    #expect(place("b", madeUp()) == "\(first)-2.json true")
    try folder.write("b", to: "\(first)-2.json")
    #expect(place("c", madeUp()) == "\(first)-3.json true")
  }
}

@Suite struct `A report of a calibration` {
  private static let text = madeUp().text

  @Test func `a calibration report is read as it was written`() throws {
    let list = try FactList(parsing: facts, file: "Facts.txt")
    #expect(try ObservedReport.read(Self.text, file: "report.json", list) == madeUp())
  }

  /// Each case has the text to replace, its replacement, and the message about it.
  @Test(arguments: [
    ("{", "[", "not JSON; give the report.json that './calibrate' wrote"),
    ("\"date\"", "\"day\"", "'date' is missing; a report that './calibrate' wrote has it"),
    ("2026-01-31", "today", "date: 'today' is not a date such as 2026-01-31"),
    ("\"format\" : 1", "\"format\" : 2", "format: 2 is not known"),
    ("\"format\" : 1", "\"format\" : \"1\"", "format: not a number"),
    ("\"Core Data\"", "\"simulation\"", "system.framework: 'simulation' shows nothing"),
    (
      "\"Core Data\"", "\"UIKit\"",
      "system.framework: unknown; it is one of 'Core Data', 'simulation'"
    ),
    ("\"15.1\"", "\"15 | 1\"", "system.version: '15 | 1' is not a valid name or version"),
    ("\"crashed\"", "\"broken\"", "tests[2].outcome: unknown; it is one of 'passed', 'failed'"),
    ("\"SecondTests\"", "\"FirstTests\"", "tests[1].name: 'FirstTests' is given twice"),
    (
      "[\n        \"AB-03\"", "[\n        \"AB-3\"",
      "tests[2].facts: 'AB-3' is not a fact; Fixtures/Facts"
    ),
    (
      "true,\n        \"name\" : \"mergeReachesChildren\"",
      "true,\n        \"name\" : \"mergeReachesChild\"",
      "tests[3].option.name: 'mergeReachesChild' is no"
    ),
    (
      "\"confirmed\"", "\"refuted\"", "facts[0].verdict: AB-01 is 'refuted', but by its tests it is"
    ),
    ("\"id\" : \"AB-03\"", "\"id\" : \"AB-02\"", "facts[2].id: AB-02 is given twice"),
    (
      "\"observed\" : \"off\"", "\"observed\" : \"on\"",
      "options[0].observed: mergeReachesChildren is"
    ),
  ])
  func `an invalid report is refused`(old: String, new: String, message: String) throws {
    let list = try FactList(parsing: facts, file: "Facts.txt")
    let range = try #require(Self.text.firstRange(of: old), "\(old)")
    var text = Self.text
    text.replaceSubrange(range, with: new)
    let error = #expect(throws: InputError.self) {
      try ObservedReport.read(text, file: "report.json", list)
    }
    #expect(error?.description.hasPrefix("report.json: \(message)") == true, "\(error as Any)")
  }

  @Test func `an invalid report in a checkout is refused with its path`() throws {
    let folder = try checkout(["macos-15.json": "{}"])
    let error = #expect(throws: InputError.self) { try FactCoverage(root: folder.path) }
    #expect(error?.file == "Fixtures/Observed/macos-15.json")
  }
}

@Suite struct `The contested points of quirks` {
  @Test func `the list of facts has the contested points of quirks`() throws {
    let list = try FactList(path: "\(Repository.root)/\(FactCoverage.listPath)")
    for point in Quirk.allCases.flatMap(\.points) {
      #expect(point.isPoint && list[point] != nil, "\(point)")
    }
    // Each quirk that no profile has is an outcome of a contested point.
    #expect(Quirk.contested.allSatisfy { !$0.points.isEmpty })
  }
}
