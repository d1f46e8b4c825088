import Campaigns
import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `A folder of failures` {
  private let folder = NSTemporaryDirectory() + "faultline-failures-\(UUID().uuidString)"

  /// One failure of each kind that a note can suffer, lost updates included. No scenario documents
  /// them.
  private static let found: [FailureReport] = {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    guard let model = try? ModelFile.read(path: path) else { return [] }
    var settings = CampaignSettings(models: [.file(path: path, model)])
    settings.runs = 80
    settings.seed = 3
    settings.shrinkBudget = 400
    return FuzzCampaign(settings).run().violations
  }()
  private static let leak = "temporary-ID-leak"

  private func files(_ subfolder: String = "") -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder + subfolder)
    return (names ?? []).sorted()
  }

  private func edit(_ name: String, _ change: (String) -> String) throws {
    let path = "\(folder)/\(name)"
    try TextFile.write(change(TextFile.read(path: path)), to: path)
  }

  /// Returns a folder with all of these failures.
  private func filled() throws -> RegressionCorpus {
    var failures = try replayed()
    keep(in: &failures)
    #expect(failures.problems == [])
    return failures
  }

  private func keep(in failures: inout RegressionCorpus) {
    var found = `A folder of failures`.found
    failures.keep(&found)
  }

  private func replayed() throws -> RegressionCorpus {
    var failures = try RegressionCorpus(path: folder)
    failures.replay(bugs: PlantedBugSet(), baseline: Baseline())
    return failures
  }

  @Test func `a folder has a canonical scenario for each failure`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let failures = try filled()
    #expect(failures.written.count == `A folder of failures`.found.count)
    #expect(failures.written.count >= 3)
    #expect(files() == `A folder of failures`.found.map { $0.fileName + ".scenario" }.sorted())
    #expect(files().contains(`A folder of failures`.leak + ".scenario"))
    for path in failures.written {
      let scenario = try ScenarioFile.read(path: path)
      #expect(try TextFile.read(path: path) == ScenarioText.print(scenario))
      #expect(path.hasSuffix("/\(scenario.name).scenario"))
      #expect(scenario.prose.count >= 3)
      #expect(scenario.modelPath == nil)
      #expect(ScenarioCheck(scenario).problems == [])
    }
  }

  @Test func `a folder is replayed smallest first, and gets no failure twice`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try filled()
    var failures = try replayed()
    #expect(failures.kept.count == `A folder of failures`.found.count)
    #expect(!failures.kept.contains { !$0.isFailing })
    let stepCounts = failures.kept.map { kept in
      `A folder of failures`.found.first { $0.kind == kept.kind }?.stepCount ?? 0
    }
    #expect(stepCounts == stepCounts.sorted())
    keep(in: &failures)
    #expect(failures.written == [])
    #expect(files().count == failures.kept.count)
  }

  @Test func `a folder reports and does not keep what is documented`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try filled()
    let path = "\(folder)/\(`A folder of failures`.leak).scenario"
    let knownFailures = KnownFailures([(path, try ScenarioFile.read(path: path))])
    var failures = try RegressionCorpus(path: folder)
    failures.replay(bugs: PlantedBugSet(), baseline: Baseline(known: knownFailures))
    let leak = try #require(failures.kept.first { $0.path == path })
    #expect(leak.status == .fails(.known, precedent: path))
    #expect(leak.isFailing && !leak.isNew)

    var documented = `A folder of failures`.found
    for index in documented.indices { documented[index].standing = .known }
    var empty = try RegressionCorpus(path: folder + "/empty")
    empty.keep(&documented)
    #expect(empty.written == [])
  }

  @Test func `a folder replaces an example only by a smaller one`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try filled()
    let name = `A folder of failures`.leak + ".scenario"
    let smallest = try TextFile.read(path: "\(folder)/\(name)")
    let context = try #require(
      try ScenarioFile.read(path: "\(folder)/\(name)").stack.contexts.first)
    let step = "  \(context.name)  hasChanges\n"
    try edit(name) { $0.replacing("\nclaims\n", with: step + "\nclaims\n") }
    var failures = try replayed()
    keep(in: &failures)
    #expect(failures.written == ["\(folder)/\(name)"])
    #expect(try TextFile.read(path: "\(folder)/\(name)") == smallest)
    #expect(files().count == `A folder of failures`.found.count)
  }

  @Test func `a folder moves aside what no longer fails, and overwrites nothing there`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = `A folder of failures`.leak
    for count in 1...2 {
      _ = try filled()
      try edit(name + ".scenario") { $0.replacing("profile  current", with: "profile  documented") }
      let text = try TextFile.read(path: "\(folder)/\(name).scenario")
      let failures = try replayed()
      let target = "\(folder)/stale/\(name)\(count == 1 ? "" : "-2").scenario"
      let moved = try #require(failures.kept.first { !$0.isFailing })
      #expect(moved.status == .passes(movedTo: target))
      #expect(try TextFile.read(path: target) == text)
      #expect(!files().contains(name + ".scenario"))
      #expect(failures.kept.count { $0.isFailing } == `A folder of failures`.found.count - 1)
    }
    #expect(files("/stale") == ["\(name)-2.scenario", "\(name).scenario"])
  }

  @Test func `a folder leaves alone what it cannot read, and says where it is wrong`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try RegressionCorpus(path: folder)
    let name = `A folder of failures`.leak + ".scenario"
    let bad = [
      name: "scenario  x\nevidence  inferred\n\nmodle\n",
      "every.scenario": "\u{0}\u{1}",
      "folder.scenario/inner.scenario": "",
    ]
    try FileManager.default.createDirectory(
      atPath: folder + "/folder.scenario", withIntermediateDirectories: true)
    for (file, text) in bad.sorted(by: { $0.key < $1.key }) {
      try TextFile.write(text, to: "\(folder)/\(file)")
    }
    var failures = try replayed()
    #expect(failures.kept.count == 0)
    #expect(
      failures.problems.map { $0.file.dropFirst(folder.count + 1) } == [
        "every.scenario", "folder.scenario", Substring(name),
      ])
    #expect(failures.problems.last?.line == 4)
    keep(in: &failures)
    for (file, text) in bad { #expect(try TextFile.read(path: "\(folder)/\(file)") == text) }
    #expect(files().contains(`A folder of failures`.leak + "-2.scenario"))
  }

  @Test func `a folder needs one claim and one run in each file`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try filled()
    let names = files()
    try edit(names[0]) { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).filter {
        !$0.hasPrefix("  shows")
      }.joined(separator: "\n")
    }
    try edit(names[1]) { $0 + "  shows  lost block\n" }
    let failures = try replayed()
    #expect(failures.problems.count == 2)
    #expect(failures.problems.first?.message.contains("has none") == true)
    #expect(failures.problems.last?.message.contains("has 2") == true)
    #expect(files() == names)
  }

  /// A failure that was mended in the design no longer fails. A failure on a context that the
  /// design no longer has is about another stack.
  @Test func `a folder is replayed on the stack as it is now`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  save
          sync  existingObject view.n
          sync  set n.title "s1"
          view  set n.title "s2"
          view  save
          sync  save
        """, claims: "  shows  lost update in the store"
    ).replacing(
      "  edit  privateQueue parent view\n",
      with: "  sync  privateQueue coordinator store policy overwrite\n")
    let file = folder + "/lost.scenario"
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    func status(on design: Stack) throws -> RegressionCase.Status? {
      _ = try RegressionCorpus(path: folder)
      try TextFile.write(text, to: file)
      var failures = try RegressionCorpus(path: folder)
      failures.replay(on: design, bugs: PlantedBugSet(), baseline: Baseline())
      #expect(failures.problems == [])
      return failures.kept.first?.status
    }
    var design = scenario.stack
    #expect(try status(on: design) == .fails(.new, precedent: nil))
    design.contexts[0].shouldDeleteInaccessibleFaults.toggle()
    #expect(try status(on: design) == .fails(.new, precedent: nil))
    design.contexts[1].isHidden = true
    #expect(try status(on: design) == .isRuledOut(movedTo: folder + "/stale/lost.scenario"))
    design.contexts[1].isHidden = false
    design.contexts[1].mergePolicy = .error
    #expect(try status(on: design) == .passes(movedTo: folder + "/stale/lost-2.scenario"))
    design.contexts[1].name = "background"
    #expect(try status(on: design) == .isAboutAnotherStack)
    #expect(files() == ["lost.scenario", "stale"])
  }

  /// A campaign without a quirk finds failures that do not depend on the profile's other quirks.
  @Test func `a kept scenario names no quirk that changes nothing`() throws {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.runs = 60
    settings.withoutQuirks = [.childSaveIgnoresMergePolicy]
    settings.shrinkBudget = 400
    let found = FuzzCampaign(settings).run().violations
    #expect(found.count > 2)
    for failure in found {
      let kept = failure.kept(as: "kept")
      #expect(kept.profile == .documented && kept.needlessQuirks == [], "\(failure.kind)")
      #expect(ScenarioCheck(kept).problems == [], "\(failure.kind)")
    }
  }

  @Test func `a folder is refused where there can be none`() throws {
    let file = NSTemporaryDirectory() + "faultline-no-folder-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try TextFile.write("", to: file)
    #expect(throws: InputError.self) { try RegressionCorpus(path: file) }
  }
}
