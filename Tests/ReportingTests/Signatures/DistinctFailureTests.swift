import CampaignSupport
import Campaigns
import Diagnosis
import Execution
import Failures
import Foundation
import InputFiles
import Invariants
import Reporting
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

/// A kind of failure has several causes, and a design several parts. Each is reported separately.
@Suite struct `A failure of a designed stack` {
  private struct Finished: Sendable {
    var settings: CampaignSettings
    var campaign: FuzzCampaign
    var report: CampaignReport
    /// The failures of each run.
    var failures: [Int: [FailureSignature]] = [:]

    var all: [FailureReport] { report.violations + report.misuses }

    /// Returns the number of runs that showed one of the signatures, and the first of them.
    func runs(showing isWanted: (FailureSignature) -> Bool) -> (count: Int, first: Int?) {
      let numbers = failures.filter { $0.value.contains(where: isWanted) }.keys
      return (numbers.count, numbers.min())
    }

    /// Returns the runs of every set of the kind's signatures, or nothing if there are too many
    /// sets.
    func unions(of kind: FailureKind) -> [Set<Int>] {
      var runs: [FailureSignature: Set<Int>] = [:]
      for (number, failures) in failures {
        for failure in failures where failure.kind == kind {
          runs[failure, default: []].insert(number)
        }
      }
      if runs.count > 8 { return [] }
      return runs.values.reduce([[]]) { unions, next in unions + unions.map { $0.union(next) } }
    }
  }

  private static let names = ["private-root-main-workers", "background-import-merged-on-DidSave"]
  private static let finished: [String: Finished] = Dictionary(
    uniqueKeysWithValues: names.compactMap { name in
      (try? finish(name)).map { (name, $0) }
    })

  private static func settings(_ name: String) throws -> CampaignSettings {
    let models = "\(Repository.root)/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: models, try ModelFile.read(path: models))])
    settings.stack = try StackFile.read(path: "\(Repository.root)/Fixtures/Stacks/\(name).stack")
      .stack
    settings.runs = 80
    settings.steps = 30
    settings.seed = 2
    settings.shrinkBudget = 200
    return settings
  }

  private static func finish(_ name: String) throws -> Finished {
    let settings = try settings(name)
    let campaign = FuzzCampaign(settings, certifying: 2)
    var result = Finished(settings: settings, campaign: campaign, report: campaign.run())
    for number in 1...settings.runs {
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      result.failures[number] = campaign.run(source, &choices).failures
    }
    return result
  }

  private func finished(_ name: String) throws -> Finished {
    try #require(Self.finished[name])
  }

  // MARK: Each for itself

  /// Both workers' saves wait for the main queue, in observers that are alike.
  @Test func `a failure is reported once for all parts that do the same`() throws {
    let finished = try finished("private-root-main-workers")
    let kind: FailureKind = "deadlock by the stack"
    let deadlocks = finished.all.filter { $0.kind == kind }
    let parts = deadlocks.compactMap(\.part)
    #expect(parts == [.observer(of: .didSave, by: "work*", in: "view")])
    let report = try #require(deadlocks.first)
    let workers = ["work1", "work2"].map { worker in
      finished.runs {
        $0.kind == kind
          && $0.detail?.part == .observer(of: .didSave, by: worker, in: "view")
      }
    }
    #expect(workers.allSatisfy { $0.count > 0 && $0.count < report.count })
    #expect(report.firstRun == workers.compactMap(\.first).min())
    #expect(report.causeText == "the observer of didSave by work*, in view")
    #expect(report.group == .design)
  }

  @Test(arguments: names) func `a failure is reported once`(name: String) throws {
    let all = try finished(name).all
    for (index, failure) in all.enumerated() {
      for other in all[(index + 1)...] {
        #expect(failure.blame.key != other.blame.key, "\(failure.kind), \(failure.causeText ?? "")")
      }
    }
    // Some kinds have several failures.
    #expect(Set(all.map(\.kind)).count < all.count)
  }

  /// The same cause in another part is another bug. A quirk is one bug wherever it shows.
  @Test func `a failure in another part is another, unless the part is not the cause`() throws {
    let finished = try finished("private-root-main-workers")
    var failure = try #require(finished.all.first { $0.kind == "deadlock by the stack" })
    failure.cause = .observer
    failure.part = .entryPoint("a")
    var other = failure
    other.part = .entryPoint("b")
    #expect(failure.blame.key != other.blame.key)
    for cause: Cause in [.quirk(.childKeepsTemporaryID), .mergePolicy(.overwrite), .program] {
      (failure.cause, other.cause) = (cause, cause)
      #expect(failure.blame.key == other.blame.key, "\(cause.text)")
      // A failure that a part of the design shows is not attributed to the program.
      #expect(failure.causeText == (cause == .program ? "the entry point a" : cause.text))
    }
    other.cause = .design
    #expect(failure.blame.key != other.blame.key)
  }

  // MARK: Examples

  @Test(arguments: names)
  func `a failure has an example that fails in the same way`(name: String) throws {
    let finished = try finished(name)
    #expect(finished.all.count >= 5)
    for failure in finished.all {
      var configuration = RunConfiguration(
        model: failure.example.model, quirks: failure.example.quirkSet)
      configuration.checkLevel = .design
      configuration.stack = finished.settings.stack
      let outcome = ProgramRunner(configuration).run(Program(failure.example))
      let label = "\(failure.kind), \(failure.causeText ?? "")"
      let details = outcome.failures.filter { $0.kind == failure.kind }.compactMap(\.detail)
      #expect(details.contains { $0.ways == failure.ways }, "\(label)")
      // The example shows the failure in the same part, unless an observer or no part is the cause.
      let isShown = details.contains { $0.part == nil || $0.part == failure.part }
      let isOfPart = failure.cause?.isOfPart != false && failure.cause != .observer
      #expect(isShown || !isOfPart, "\(label)")
      guard failure.metWhileShrinking == nil else { continue }
      let signatures = finished.failures.values.joined().filter { $0.kind == failure.kind }
      #expect(
        outcome.failures.contains { own in signatures.contains { $0.admits(own) } }, "\(label)")
    }
  }

  // MARK: Counts

  /// Each signature belongs to one failure. A failure has the runs of some signatures, and all
  /// failures together have the runs of the kind.
  @Test(arguments: names) func `a failure has the runs of its signatures`(name: String) throws {
    let finished = try finished(name)
    let failures = finished.all.filter { $0.metWhileShrinking == nil }
    var explainedCount = 0
    for tally in finished.report.failureTallies {
      let mine = failures.filter { $0.kind == tally.kind }
      let kind = finished.runs { $0.kind == tally.kind }
      #expect(tally.count == kind.count && tally.firstRun == kind.first)
      #expect(mine.allSatisfy { $0.count <= tally.count }, "\(tally.kind)")
      // A main queue that is blocked by its own requests is counted with these.
      if tally.kind.invariant == .MainQueueKeepsWithinItsBudget { continue }
      #expect(!mine.isEmpty, "\(tally.kind)")
      #expect(mine.reduce(0) { $0 + $1.count } >= tally.count, "\(tally.kind)")
      #expect(mine.map(\.firstRun).min() == tally.firstRun, "\(tally.kind)")
      if let only = mine.first, mine.count == 1 { #expect(only.count == tally.count) }
      let unions = finished.unions(of: tally.kind)
      // Many signatures have too many sets.
      guard !unions.isEmpty else { continue }
      for failure in mine {
        explainedCount += 1
        #expect(
          unions.contains { $0.count == failure.count && $0.min() == failure.firstRun },
          "\(failure.kind), \(failure.causeText ?? ""): \(failure.frequency)")
      }
    }
    #expect(explainedCount >= 5)
    #expect(
      Set(failures.map(\.kind)).isSubset(of: finished.report.failureTallies.map(\.kind)))
  }

  // MARK: The same in any division

  private func texts(_ report: CampaignReport) -> [String] {
    [MachineReport(report) { $0.seed.text }.json()]
      + (report.violations + report.misuses).map { ScenarioText.print($0.example) }
  }

  @Test func `a failure is the same for any number of threads`() throws {
    let finished = try finished("private-root-main-workers")
    let workers = FuzzCampaign(finished.settings, jobs: 3, certifying: 2).run()
    #expect(texts(workers) == texts(finished.report))
  }

  @Test func `a failure is the same when shards are put together`() throws {
    let finished = try finished("background-import-merged-on-DidSave")
    let campaign = finished.campaign
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "faultline-signatures-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(CampaignRecord.fileName)
    var sum = ShardResult(.whole, modelCount: 1)
    for part in Shard.all(3).reversed() {
      let record = CampaignRecord(campaign.collect(part), of: finished.settings, options: [])
      try Data(record.json.utf8).write(to: file)
      sum.merge(try CampaignRecord(folder: folder.path).share(of: campaign, file.path))
    }
    #expect(texts(campaign.report(on: sum)) == texts(finished.report))
    // A text that is no set of runs makes the record invalid.
    let record = CampaignRecord(sum, of: finished.settings, options: []).json
    let runs = try #require(record.range(of: "\"runs\":\""))
    try Data(record.replacingCharacters(in: runs, with: "\"runs\":\"?").utf8).write(to: file)
    let broken = try CampaignRecord(folder: folder.path)
    #expect(throws: InputError.self) { try broken.share(of: campaign, file.path) }
  }
}
