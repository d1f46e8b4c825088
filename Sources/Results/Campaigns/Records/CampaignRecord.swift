import Failures
import Determinism
import Execution
import Foundation
package import InputFiles
import ObjectModel
import PropertyTesting
import Prose
import Scenario
import SimulatedCoreData

/// The results of a shard as a file, `campaign.json`, from which a campaign can be continued or its
/// shards merged.
///
/// The file contains no programs, because their seeds generate them again.
package struct CampaignRecord: Codable {
  /// The version of Faultline. Other versions may generate other programs from the same seeds.
  private var version: String
  /// The arguments of `fuzz` that determine the campaign.
  package var options: [String]
  /// A digest of the models and the stack, which are read again from their files.
  private var material: UInt64
  private var part: String
  /// The number of the last run reached, counting the runs of all shards.
  package private(set) var reach: Int
  private var runs: Int
  private var steps: Int
  private var wastedSteps: Int
  private var models: [Runs]
  /// The number of steps by kind of step.
  private var stepCounts: [String: Int]
  private var saves: SaveTally
  private var entryCounts: [Int]
  private var promiseCounts: [Int]
  /// Pairs of an abstract state and the number of the first run that reached it.
  private var states: [[UInt64]]
  /// For each mark, the number of runs that reached it, and the number of the first of them.
  private var marks: [String: [Int]]
  private var exhaustion: ExhaustiveTally?
  private var disagreementCount: Int
  private var firstDefect: Int?

  /// The results of the runs on one model.
  private struct Runs: Codable {
    var runs: Int
    var steps: Int
    var digest: UInt64
    /// The number of inserted objects, indexed by entity. Empty for generated models.
    var insertions: [Int]
    var findings: [Found]
  }

  private struct Found: Codable {
    /// The text of a `FailureSignature`.
    var failure: String
    var count: Int
    /// The index of the first run that showed the failure. `position` is the position of the
    /// failure among the failures of that run.
    var first: Int
    var position: Int
    /// The index of the run with the smallest program.
    var smallest: Int
    /// The text of a `RunSet` with the numbers of the runs on any model that showed the failure.
    var runs: String
  }

  package static let fileName = "campaign.json"

  package init(_ share: ShardResult, of settings: CampaignSettings, options: [String]) {
    version = faultlineVersion
    material = settings.material
    self.options = options
    part = share.part.text
    (reach, runs) = (share.reach, share.runs)
    (steps, wastedSteps) = (share.steps, share.wastedSteps)
    models = zip(share.campaigns, share.insertionCounts).map { campaign, insertions in
      Runs(
        runs: campaign.runs, steps: campaign.steps, digest: campaign.digest, insertions: insertions,
        findings: campaign.findings.map {
          Found(
            failure: $0.identity, count: $0.count, first: $0.firstIndex,
            position: $0.firstPosition, smallest: $0.example.index,
            runs: share.failingRuns[$0.example.failure, default: RunSet()].text)
        })
    }
    stepCounts = Dictionary(
      uniqueKeysWithValues: share.stepTally.byVerb.map { ($0.verb, $0.count) })
    (saves, entryCounts, promiseCounts) = (share.saveTally, share.entryCounts, share.promiseCounts)
    states = share.coverageMap.states.sorted { $0.state < $1.state }
      .map { [$0.state, UInt64($0.number)] }
    marks = [:]
    for mark in Mark.allCases where share.coverage[mark] > 0 {
      marks[mark.name] = [share.coverage[mark], share.coverageMap.marks[mark.rawValue]]
    }
    (exhaustion, disagreementCount) = (share.exhaustion, share.disagreementCount)
    firstDefect = share.firstDefect
  }

  // MARK: Files

  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("a record is made of numbers, texts and lists")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Reads the record in the output folder of a campaign.
  package init(folder: String) throws(InputError) {
    let path = "\(folder)/\(CampaignRecord.fileName)"
    guard FileManager.default.fileExists(atPath: path) else {
      let isOutput = FileManager.default.fileExists(atPath: "\(folder)/report.json")
      throw InputError(
        file: path,
        message: "no such file; "
          + (isOutput
            ? "a campaign with '--guidance on' writes no record, and neither does a merge of unfinished shards"
            : "give a folder that 'faultline fuzz --output' has written"))
    }
    let data = Data(try TextFile.read(path: path).utf8)
    guard let record = try? JSONDecoder().decode(CampaignRecord.self, from: data),
      record.isPossible
    else {
      throw InputError(
        file: path, message: "is not a complete record of a campaign; run the campaign again")
    }
    self = record
    guard version == faultlineVersion else {
      throw InputError(
        file: path,
        message:
          "was written by Faultline \(version), in which seeds may generate other programs than in "
          + "\(faultlineVersion); run the campaign again")
    }
  }

  /// Returns the recorded shard, and runs its smallest programs again.
  ///
  /// - Throws: An error if a model or the stack has changed, or if a program does not show its
  ///   recorded failure.
  package func share(of campaign: FuzzCampaign, _ path: String) throws(InputError) -> ShardResult {
    guard let part = Shard(part), models.count == campaign.settings.models.count,
      material == campaign.settings.material
    else { throw changed(path) }
    var share = ShardResult(part, modelCount: models.count)
    (share.reach, share.runs) = (reach, runs)
    (share.steps, share.wastedSteps) = (steps, wastedSteps)
    for (model, runs) in models.enumerated() {
      var findings: [Finding<FailureSignature>] = []
      for found in runs.findings {
        guard let finding = finding(found, of: model, campaign), let runs = RunSet(found.runs)
        else { throw changed(path) }
        findings.append(finding)
        share.failingRuns[finding.example.failure] = runs
      }
      share.campaigns[model] = Campaign(
        runs: runs.runs, steps: runs.steps, digest: runs.digest, findings: findings)
      guard runs.insertions.count <= campaign.settings.models[model].entityCount else {
        throw changed(path)
      }
      share.add(runs.insertions, toInsertionsOf: model)
    }
    share.saveTally = saves
    share.add(entryCounts)
    share.add(promiseCounts: promiseCounts)
    for (verb, count) in stepCounts { share.stepTally.add(count, to: verb) }
    for pair in states where pair.count == 2 {
      share.coverageMap.note(pair[0], Int(clamping: pair[1]))
    }
    for mark in Mark.allCases {
      guard let numbers = marks[mark.name], numbers.count == 2 else { continue }
      share.coverage.add(numbers[0], to: mark)
      share.coverageMap.marks[mark.rawValue] = numbers[1]
    }
    (share.exhaustion, share.disagreementCount) = (exhaustion, disagreementCount)
    share.firstDefect = firstDefect
    return share
  }

  /// A Boolean value that indicates whether every number is in the range that a campaign can write.
  /// False only for edited files.
  private var isPossible: Bool {
    let numbers =
      [reach, runs, steps, wastedSteps, disagreementCount, firstDefect ?? 0]
      + models.flatMap { [$0.runs, $0.steps] + $0.insertions } + Array(stepCounts.values)
      + saves.counts + entryCounts + promiseCounts
      + marks.values.flatMap(\.self)
    let findings = models.flatMap(\.findings).flatMap {
      [$0.count, $0.first, $0.position, $0.smallest]
    }
    // The limit prevents overflow when the maximum number of shards is summed.
    return (numbers + findings).allSatisfy { 0...(1 << 45) ~= $0 }
  }

  private func finding(
    _ found: Found, of model: Int, _ campaign: FuzzCampaign
  ) -> Finding<FailureSignature>? {
    let seed = campaign.seed(ofRun: found.smallest, of: model)
    let source = campaign.settings.models[model]
    var choices = campaign.choices(RunSeed(seed), source)
    let outcome = campaign.run(source, &choices)
    guard let failure = outcome.failures.first(where: { $0.text == found.failure }) else {
      return nil
    }
    return Finding(
      identity: failure.text, count: found.count, firstIndex: found.first,
      firstPosition: found.position, firstSeed: campaign.seed(ofRun: found.first, of: model),
      example: Example(
        index: found.smallest, seed: seed, recording: choices.recording, failure: failure))
  }

  private func changed(_ path: String) -> InputError {
    InputError(
      file: path,
      message:
        "a model, the stack or an option has changed since the record was written; run the campaign "
        + "again")
  }
}

extension CampaignSettings {
  /// A digest of the models and the stack that are read from files.
  fileprivate var material: UInt64 {
    var digest = Digest()
    // A stack that names entities belongs to a single model. The text of any other stack does not
    // depend on the model.
    var first = ObjectModel(entities: [])
    for case .file(_, let model, _) in models {
      digest.feed(ModelText.print(model))
      first = model
    }
    if let stack {
      digest.feed(
        StackDesignText.print(StackDesign(name: "x", origin: .inferred, model: first, stack: stack))
      )
    }
    return digest.value
  }
}
