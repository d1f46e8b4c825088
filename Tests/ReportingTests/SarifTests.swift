import CampaignSupport
import Campaigns
import Execution
import Failures
import Foundation
import InputFiles
import Reporting
import Scenario
import TestSupport
import Testing
import Vocabulary

/// The parts of the SARIF 2.1.0 schema for objects in a report: their required and allowed
/// properties, and the shapes of these.
private enum SarifSchema {
  indirect enum Shape: Sendable {
    case text, bag, flag
    case number(from: Int)
    case word(Set<String>)
    case object(String)
    /// A list that is a set has no duplicates.
    case list(Shape, isSet: Bool, least: Int = 0)
  }

  private struct Kind: Sendable {
    var required: [String: Shape] = [:]
    var optional: [String: Shape] = [:]
  }

  private static let texts = Kind(required: ["text": .text])

  private static let kinds: [String: Kind] = [
    "log": Kind(
      required: ["version": .word(["2.1.0"]), "runs": .list(.object("run"), isSet: false)],
      optional: ["$schema": .text]),
    "run": Kind(
      required: ["tool": .object("tool")],
      optional: [
        "results": .list(.object("result"), isSet: false), "properties": .bag,
        "invocations": .list(.object("invocation"), isSet: false),
        "columnKind": .word(["utf16CodeUnits", "unicodeCodePoints"]),
      ]),
    "tool": Kind(required: ["driver": .object("component")]),
    "invocation": Kind(
      required: ["executionSuccessful": .flag],
      optional: [
        "toolConfigurationNotifications": .list(.object("notification"), isSet: false),
        "toolExecutionNotifications": .list(.object("notification"), isSet: false),
      ]),
    "notification": Kind(
      required: ["message": .object("message")],
      optional: [
        "level": .word(["none", "note", "warning", "error"]),
        "locations": .list(.object("location"), isSet: false),
      ]),
    "component": Kind(
      required: ["name": .text],
      optional: ["version": .text, "rules": .list(.object("rule"), isSet: true)]),
    "rule": Kind(
      required: ["id": .text],
      optional: [
        "name": .text, "shortDescription": .object("texts"),
        "fullDescription": .object("texts"), "help": .object("texts"),
      ]),
    "texts": texts, "message": texts,
    "result": Kind(
      required: ["message": .object("message")],
      optional: [
        "ruleId": .text, "ruleIndex": .number(from: -1),
        "level": .word(["none", "note", "warning", "error"]), "occurrenceCount": .number(from: 1),
        "partialFingerprints": .bag, "locations": .list(.object("location"), isSet: false),
        "codeFlows": .list(.object("flow"), isSet: false),
        "suppressions": .list(.object("suppression"), isSet: true),
      ]),
    "location": Kind(
      optional: ["message": .object("message"), "physicalLocation": .object("place")]),
    "place": Kind(
      required: ["artifactLocation": .object("artifact")], optional: ["region": .object("region")]),
    "artifact": Kind(optional: ["uri": .text, "uriBaseId": .text]),
    "region": Kind(optional: ["startLine": .number(from: 1)]),
    "flow": Kind(
      required: ["threadFlows": .list(.object("thread"), isSet: false, least: 1)]),
    "thread": Kind(
      required: ["locations": .list(.object("step"), isSet: false, least: 1)]),
    "step": Kind(
      optional: ["location": .object("location"), "executionOrder": .number(from: -1)]),
    "suppression": Kind(
      required: ["kind": .word(["inSource", "external"])],
      optional: [
        "status": .word(["accepted", "underReview", "rejected"]), "justification": .text,
      ]),
  ]

  /// Returns a sentence for each violation of the schema.
  static func problems(_ report: String) throws -> [String] {
    problems(
      try JSONSerialization.jsonObject(with: Data(report.utf8)), .object("log"), at: "log")
  }

  private static func problems(_ value: Any, _ shape: Shape, at path: String) -> [String] {
    switch (shape, value) {
    case (.text, is String): return []
    case (.bag, is [String: Any]): return []
    case (.flag, is Bool): return []
    case (.number(let least), let number as Int):
      return number >= least ? [] : ["\(path) \(number)"]
    case (.word(let words), let word as String):
      return words.contains(word) ? [] : ["\(path) is \(word)"]
    case (.object(let name), let object as [String: Any]):
      guard let kind = kinds[name] else { return ["\(path): no kind \(name)"] }
      let lacking = kind.required.keys.filter { object[$0] == nil }.map { "\(path) lacks \($0)" }
      return object.sorted { $0.key < $1.key }.reduce(into: lacking.sorted()) { found, entry in
        let (key, value) = entry
        if let shape = kind.required[key] ?? kind.optional[key] {
          found += problems(value, shape, at: "\(path).\(key)")
        } else {
          found.append("\(path) has \(key)")
        }
      }
    case (.list(let element, let isSet, let least), let list as [Any]):
      var found = list.count < least ? ["\(path) has \(list.count) elements"] : []
      let texts = list.map { NSDictionary(object: $0, forKey: "e" as NSString) }
      if isSet, Set(texts).count < texts.count { found.append("\(path) has an element twice") }
      for (index, value) in list.enumerated() {
        found += problems(value, element, at: "\(path)[\(index)]")
      }
      return found
    default: return ["\(path) is no \(shape)"]
    }
  }
}

/// The rules of the SARIF 2.1.0 schema for reports, and the properties that code scanning reads.
@Suite struct `A report in SARIF` {
  /// The report has several failures of one kind, some with the same remedy.
  @Test func `a SARIF report of a stack keeps to its schema`() throws {
    let path = Repository.root + "/Fixtures/Example/Tests/NotesTests/Form.stack"
    var settings = CampaignSettings(models: try Repository.models())
    settings.stack = try StackFile.read(path: path).stack
    settings.runs = 120
    settings.seed = 3
    settings.shrinkBudget = 200
    var report = FuzzCampaign(settings, certifying: 2).run()
    report.violations.append(try #require(report.violations.last))
    report.violations[0].standing = .allowed
    let kinds = report.violations.map(\.kind)
    let text = MachineReport(
      report, replay: { "replay \($0.seed.text)" },
      place: { SourcePlace(of: $0, inStack: path) },
      contextPlace: { SourcePlace(ofContext: $0, inStack: path) }
    ).sarif()
    #expect(try SarifSchema.problems(text) == [])
    for part in ["codeFlows", "suppressions", "startLine", "help"] {
      #expect(text.contains("\"\(part)\""), "\(part)")
    }
    // Each failure has a result. Each kind has one rule with all its remedies.
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = try #require(driver?["rules"] as? [[String: Any]])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == kinds.count && rules.count == Set(kinds).count)
    for (failure, result) in zip(report.violations, results) {
      let rule = rules[try #require(result["ruleIndex"] as? Int)]
      #expect(rule["id"] as? String == result["ruleId"] as? String)
      #expect(rule["name"] as? String == failure.kind.name)
      let help = (rule["help"] as? [String: Any])?["text"] as? String
      #expect(failure.remedy.map { help?.contains($0) == true } ?? true, "\(failure.kind)")
    }
  }

  @Test func `a SARIF report has a rule and a result for each kind of failure`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    settings.runs = 120
    settings.seed = 11
    settings.shrinkBudget = 100
    var report = FuzzCampaign(settings, certifying: 2).run()
    try #require(report.violations.count >= 3)
    report.violations[0].precedent = "Scenarios/some.scenario"
    report.violations[0].standing = .known
    let text = MachineReport(
      report, replay: { "replay \($0.seed.text)" },
      place: { $0.precedent.map { SourcePlace(path: $0, line: 7) } }
    ).sarif()
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let runs = try #require(log["runs"] as? [[String: Any]])
    try #require(runs.count == 1)
    let tool = try #require(runs[0]["tool"] as? [String: Any])
    let driver = try #require(tool["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "Faultline")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(runs[0]["results"] as? [[String: Any]])
    try #require(rules.count == report.violations.count && results.count == rules.count)
    let identifiers = rules.compactMap { $0["id"] as? String }
    #expect(Set(identifiers).count == rules.count)
    for (index, result) in results.enumerated() {
      #expect(result["ruleIndex"] as? Int == index)
      #expect(result["ruleId"] as? String == identifiers[index])
      let level =
        switch report.violations[index].standing {
        case .new: "error"
        case .warning: "warning"
        case .known, .allowed: "note"
        }
      #expect(result["level"] as? String == level)
      let message = try #require(result["message"] as? [String: Any])
      let words = try #require(message["text"] as? String)
      let isMetByTheWay = report.violations[index].metWhileShrinking != nil
      let share = isMetByTheWay ? "found while shrinking" : " of 120 programs"
      #expect(words.contains("replay 0x") && words.contains(share), "\(words)")
      // The first line identifies the failure in the same way for each campaign.
      #expect(words.hasPrefix(report.violations[index].kind.name))
      #expect(!words.prefix { $0 != "\n" }.contains("programs"))
      // A known failure is suppressed, with the reason.
      let suppressions = result["suppressions"] as? [[String: Any]] ?? []
      #expect(suppressions.count == (index == 0 ? 1 : 0))
      #expect(suppressions.allSatisfy { $0["kind"] as? String == "external" })
      // The proof has one location for each line.
      let flows = result["codeFlows"] as? [[String: Any]] ?? []
      let threads = flows.flatMap { $0["threadFlows"] as? [[String: Any]] ?? [] }
      let steps = threads.flatMap { $0["locations"] as? [[String: Any]] ?? [] }
      let proof = report.violations[index].details?.split(separator: "\n").dropFirst() ?? []
      #expect(flows.count == (proof.isEmpty ? 0 : 1) && steps.count == proof.count)
      #expect(steps.enumerated().allSatisfy { $1["executionOrder"] as? Int == $0 + 1 })
      let count = try #require(result["occurrenceCount"] as? Int)
      #expect(count >= 1)
      let locations = result["locations"] as? [[String: Any]] ?? []
      #expect(locations.count == 1)
      for location in locations {
        let place = try #require(location["physicalLocation"] as? [String: Any])
        let artifact = try #require(place["artifactLocation"] as? [String: Any])
        let path = try #require(artifact["uri"] as? String)
        #expect(artifact["uriBaseId"] as? String == "%SRCROOT%")
        let name = report.violations[index].example.name
        #expect(path == (index == 0 ? "Scenarios/some.scenario" : "\(name).scenario"))
        let region = try #require(place["region"] as? [String: Any])
        #expect(region["startLine"] as? Int == (index == 0 ? 7 : 1))
      }
    }
  }

  @Test func `a SARIF report has kept failures that remain, and files that cannot be read`() throws
  {
    let folder = NSTemporaryDirectory() + "faultline-sarif-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var settings = CampaignSettings(models: try Repository.models())
    (settings.runs, settings.seed, settings.shrinkBudget) = (40, 11, 100)
    var report = FuzzCampaign(settings).run()
    var first = try RegressionCorpus(path: folder)
    first.keep(&report.violations)
    try TextFile.write("nonsense\nagain\n", to: folder + "/bad {1}.scenario")
    var folderNow = try RegressionCorpus(path: folder)
    folderNow.replay(bugs: PlantedBugSet(), baseline: Baseline())
    (report.violations, report.failures) = ([], folderNow)
    let text = MachineReport(report, replay: { _ in "" }).sarif()
    #expect(try SarifSchema.problems(text) == [])
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    try #require(!folderNow.onlyKept.isEmpty)
    #expect(results.count == folderNow.onlyKept.count)
    let levels = folderNow.onlyKept.map { $0.isNew ? "error" : "warning" }
    #expect(results.map { $0["level"] as? String } == levels)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let notes = try #require(
      invocation["toolConfigurationNotifications"] as? [[String: Any]])
    #expect(notes.count == folderNow.problems.flatMap(\.all).count)
    // A path outside of the repository is absolute, and braces would be placeholders.
    #expect(text.contains("\"file://\(folder)/bad%20%7B1%7D.scenario\""))
    let junit = MachineReport(report, replay: { _ in "" }).junit()
    #expect(junit.contains("errors=\"\(folderNow.problems.count)\""))
  }

  @Test func `a message in SARIF doubles its braces`() throws {
    var settings = CampaignSettings(models: try Repository.models())
    (settings.runs, settings.seed, settings.shrinkBudget) = (40, 11, 100)
    let report = FuzzCampaign(settings).run()
    try #require(!report.violations.isEmpty)
    let text = MachineReport(report, replay: { _ in "run { 1 }" }).sarif()
    #expect(text.contains("run {{ 1 }}") && !text.contains("run { 1 }"))
  }
}
