import CampaignSupport
import Campaigns
import Execution
import Failures
import Foundation
import Reporting
import Scenario
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The JUnit schema of test reports: which elements stand where, and with which attributes.
private final class JUnitSchema: NSObject, XMLParserDelegate {
  private struct Element {
    var parents: [String]
    var required: Set<String>
    var optional: Set<String> = []
  }

  private static let elements = [
    "testsuites": Element(
      parents: [""], required: [],
      optional: ["name", "time", "tests", "failures", "disabled", "errors"]),
    "testsuite": Element(
      parents: ["testsuites"], required: ["name", "tests"],
      optional: [
        "failures", "errors", "skipped", "disabled", "time", "timestamp", "hostname", "id",
      ]),
    "testcase": Element(
      parents: ["testsuite"], required: ["name", "classname"],
      optional: ["time", "assertions", "status"]),
    "failure": Element(parents: ["testcase"], required: [], optional: ["type", "message"]),
    "error": Element(parents: ["testcase"], required: [], optional: ["type", "message"]),
    "skipped": Element(parents: ["testcase"], required: [], optional: ["message"]),
  ]

  /// Returns whether a value is a number, time or moment as the schema requires.
  private static func isRight(_ value: String, for attribute: String) -> Bool {
    switch attribute {
    case "tests", "failures", "errors", "skipped", "disabled", "assertions", "id":
      value.wholeMatch(of: /[0-9]+/) != nil
    case "time": value.wholeMatch(of: /[0-9]+(\.[0-9]{0,3})?/) != nil
    case "timestamp": value.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil
    case "name", "classname": !value.isEmpty
    default: true
    }
  }

  private(set) var problems: [String] = []
  /// The duration of each case.
  private(set) var times: [String?] = []
  private(set) var counts: [String: Int] = [:]
  private(set) var suite: [String: String] = [:]
  private(set) var names: [String] = []
  private(set) var failureText = ""
  /// The messages and the texts of the cases that were skipped.
  private(set) var skippedMessages: [String] = []
  private(set) var skippedText = ""
  private var open = [""]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    if name == "testsuite" { suite = attributes }
    if name == "testcase" {
      names.append(attributes["name"] ?? "")
      times.append(attributes["time"])
    }
    if name == "skipped" { skippedMessages.append(attributes["message"] ?? "") }
    problems += attributes.sorted { $0.key < $1.key }.compactMap { key, value in
      Self.isRight(value, for: key) ? nil : "\(name) has \(key) '\(value)'"
    }
    let keys = Set(attributes.keys)
    if let element = Self.elements[name] {
      if !element.parents.contains(open[open.count - 1]) { problems.append("\(name) in \(open)") }
      problems += element.required.subtracting(keys).sorted().map { "\(name) lacks \($0)" }
      let known = element.required.union(element.optional)
      problems += keys.subtracting(known).sorted().map { "\(name) has \($0)" }
    } else {
      problems.append("there is no \(name)")
    }
    open.append(name)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    let text = string.trimmingCharacters(in: .whitespacesAndNewlines)
    if open.last == "failure" {
      failureText += string
    } else if open.last == "skipped" {
      skippedText += string
    } else if open.last != "error", !text.isEmpty {
      problems.append(text)
    }
  }
}

@Suite struct `A report for JUnit` {
  @Test func `cases of one name are numbered, and an error has all lines in its body`() {
    let text = JUnitSuite([
      .init("a", in: "b", .passed), .init("a", in: "b", .broken("one\ntwo")),
    ]).xml()
    #expect(text.contains("name=\"a\"") && text.contains("name=\"a (2)\""))
    #expect(text.contains("<error type=\"error\" message=\"one\">one\ntwo</error>"))
  }

  private func read(_ text: String) -> JUnitSchema {
    let parser = XMLParser(data: Data(text.utf8))
    let schema = JUnitSchema()
    parser.delegate = schema
    #expect(parser.parse(), "\(parser.parserError as Any)")
    return schema
  }

  private func campaign() throws -> CampaignReport {
    var settings = CampaignSettings(models: try Repository.models())
    settings.runs = 60
    settings.seed = 11
    settings.shrinkBudget = 30
    return FuzzCampaign(settings).run()
  }

  @Test func `a JUnit report keeps to its schema, and its counts are right`() throws {
    var report = try campaign()
    try #require(report.violations.count >= 3)
    report.violations[0].precedent = "Scenarios/some.scenario"
    report.violations[0].standing = .known
    // The text has characters that must be escaped, and one that XML cannot contain.
    report.violations[1].details = "a <b> & \"c\" ]]> \u{1} é\nsecond line"
    let schema = read(MachineReport(report) { "replay \($0.seed.text) --model 'a&b'" }.junit())
    #expect(schema.problems == [])
    // The report also lists the invariants that held.
    let violated = Set(report.violations.map(\.kind.name))
    let held = FailureKind.violations.filter {
      !violated.contains($0.name) && $0.invariant?.judgesDesign == false
    }
    #expect(held.count > 5)
    let count = 1 + report.violations.count + held.count
    #expect(schema.counts["testcase"] == count && schema.suite["tests"] == "\(count)")
    // Known failures and warnings are skipped.
    let failing = report.violations.count(where: \.isNew)
    #expect(failing > 0 && failing < report.violations.count - 1)
    #expect(schema.suite["failures"] == "\(failing)")
    #expect(schema.counts["failure"] == failing)
    #expect(schema.suite["skipped"] == "\(report.violations.count - failing)")
    #expect(schema.counts["skipped"] == report.violations.count - failing)
    #expect(
      schema.names == ["engine and reference model agree"] + report.violations.map(\.kind.name)
        + held.map(\.name))
    #expect(schema.failureText.contains("a <b> & \"c\" ]]> \u{FFFD} é\nsecond line"))
    #expect(schema.failureText.contains("--model 'a&b'"))
  }

  @Test func `a skipped case names the violation and has its details`() throws {
    var report = try campaign()
    let warnings = report.violations.filter { $0.standing == .warning }
    let warning = try #require(warnings.first { $0.details != nil })
    let known = try #require(report.violations.first { $0.isNew })
    report.violations = [warning, known]
    report.violations[1].precedent = "Scenarios/some.scenario"
    report.violations[1].standing = .known
    let schema = read(MachineReport(report) { "replay \($0.seed.text)" }.junit())
    #expect(schema.problems == [])
    let sentences = [warning, known].map { "\($0.kind): \($0.sentence ?? "")" }
    #expect(
      schema.skippedMessages == [
        "warning: " + sentences[0],
        "known failure, shown by Scenarios/some.scenario: " + sentences[1],
      ])
    for failure in [warning, known] {
      #expect(schema.skippedText.contains(failure.details ?? "no details"))
      #expect(schema.skippedText.contains(ScenarioText.print(failure.example)))
      #expect(schema.skippedText.contains("replay \(failure.seed.text)"))
    }
  }

  @Test func `a JUnit report says when it was made and how long that took`() throws {
    var report = try campaign()
    report.violations = []
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    let text = MachineReport(
      report, replay: { _ in "" },
      duration: MachineReport.Duration(start: start, seconds: 61.0625, ofRuns: 12.5)
    ).junit()
    let schema = read(text)
    #expect(schema.problems == [])
    // The runs are the first case. Invariants that held took no time of their own.
    #expect(schema.times[0] == "12.500" && schema.times.count > 5)
    #expect(schema.times[1...].allSatisfy { $0 == "0.000" })
    #expect(schema.suite["time"] == "61.063")
    #expect(schema.suite["timestamp"] == "2027-01-15T08:00:00")
  }

  @Test func `a JUnit report has cases that passed, failed, were skipped or unreadable`() {
    let schema = read(
      JUnitSuite([
        JUnitSuite.Case("a", in: "x", .passed),
        JUnitSuite.Case("b", in: "x", .failed("m", text: "b <is> wrong")),
        JUnitSuite.Case("c", in: "x", .broken("no \"c\"")),
        JUnitSuite.Case("d", in: "x", .skipped("known", text: "d <is> known")),
        JUnitSuite.Case("e", in: "x", .skipped("allowed", text: "")),
      ]).xml())
    #expect(schema.problems == [] && schema.names == ["a", "b", "c", "d", "e"])
    #expect(schema.suite["tests"] == "5" && schema.suite["failures"] == "1")
    #expect(schema.suite["errors"] == "1" && schema.suite["skipped"] == "2")
    #expect(schema.counts["failure"] == 1 && schema.counts["error"] == 1)
    #expect(schema.counts["skipped"] == 2 && schema.failureText == "b <is> wrong")
    #expect(schema.skippedMessages == ["known", "allowed"])
    #expect(schema.skippedText == "d <is> known")
  }

  /// Each two successive readings of the clock are a second apart.
  @Test func `a JUnit report says how long each failure took`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.runs = 60
    settings.seed = 11
    settings.shrinkBudget = 30
    let moment = Locked(0.0)
    var campaign = FuzzCampaign(settings)
    campaign.clock = {
      moment.withLock { moment in
        moment += 1
        return moment
      }
    }
    let report = campaign.run()
    let schema = read(MachineReport(report) { _ in "" }.junit())
    #expect(schema.problems == [])
    let seconds = schema.times.compactMap(\.self).compactMap(Double.init)
    #expect(seconds.count == report.violations.count && seconds.allSatisfy { $0 >= 1 })
    // The clock is also read around stages, and while no failure is described.
    #expect(seconds.reduce(0, +) < moment.withLock { $0 })
    // No other format has durations.
    let (timed, untimed) = (report, try self.campaign())
    #expect(MachineReport(timed) { _ in "" }.json() == MachineReport(untimed) { _ in "" }.json())
    #expect(timed.digest == untimed.digest)
  }

  @Test(arguments: [
    (#"tests="-1" name="a""#, "testsuite has tests '-1'"),
    (#"tests="1" name="a" time="1,5""#, "testsuite has time '1,5'"),
    (#"tests="1" name="a" time="1.0625""#, "testsuite has time '1.0625'"),
    (#"tests="1" name="a" timestamp="2027-01-15""#, "testsuite has timestamp '2027-01-15'"),
    (#"tests="1" name="a" skipped="no""#, "testsuite has skipped 'no'"),
    (#"tests="1" name="""#, "testsuite has name ''"),
  ])
  func `an attribute of a wrong type breaks the schema`(attributes: String, problem: String) {
    let schema = read("<testsuites><testsuite \(attributes)/></testsuites>")
    #expect(schema.problems == [problem])
  }

  @Test func `a JUnit report says that all is well`() throws {
    var report = try campaign()
    report.violations = []
    let schema = read(MachineReport(report) { _ in "" }.junit())
    let count = 1 + FailureKind.violations.count { $0.invariant?.judgesDesign == false }
    #expect(schema.problems == [] && schema.counts["testcase"] == count)
    #expect(schema.suite["failures"] == "0" && schema.counts["failure"] == nil)
  }
}

@Suite struct `A summary in Markdown` {
  @Test func `a summary has a row and a diagram for each failure`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.runs = 60
    settings.seed = 11
    settings.shrinkBudget = 30
    var report = FuzzCampaign(settings).run()
    report.violations[0].precedent = "Scenarios/some.scenario"
    report.violations[0].standing = .known
    let text = MachineReport(report) { "replay \($0.seed.text)" }.markdown()
    #expect(text.hasPrefix("## ❌ Faultline\n"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == report.violations.count + 1)
    #expect(rows.allSatisfy { $0.count { $0 == "|" } == 5 })
    #expect(rows[1].contains("known failure, `Scenarios/some.scenario`"))
    #expect(rows[2].contains("**new**"))
    #expect(text.matches(of: /<details>/).count == report.violations.count)
    #expect(text.matches(of: /\n```/).count == 4 * report.violations.count)
    for failure in report.violations { #expect(text.contains("replay \(failure.seed.text)")) }
    report.violations = []
    #expect(MachineReport(report) { _ in "" }.markdown().contains("no invariant was violated"))
  }
}
