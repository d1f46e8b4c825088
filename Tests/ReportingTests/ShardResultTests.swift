import CampaignSupport
import Campaigns
import Execution
import Foundation
import InputFiles
import Reporting
import TestSupport
import Testing
import Vocabulary

@Suite struct `Shares of a campaign` {
  private func campaign(runs: Int = 150, _ change: (inout CampaignSettings) -> Void = { _ in })
    throws -> FuzzCampaign
  {
    var settings = CampaignSettings(models: try Repository.models() + [.generated])
    settings.runs = runs
    settings.seed = 3
    settings.shrinkBudget = 60
    change(&settings)
    return FuzzCampaign(settings)
  }

  /// Returns everything that is counted. Tests of the tool check that reports with examples are
  /// also the same.
  private func text(_ report: CampaignReport) -> String {
    MachineReport(report) { $0.seed.text }.json() + "\(report.failureTallies)"
      + report.mainQueueHolds.sorted().description
      + report.mainQueueOccupancies.sorted().description
      + "\(report.firstDefect as Any) \(report.disagreementCount)"
  }

  @Test(arguments: [2, 3, 7])
  func `shares add up to the report of the whole, in any order`(count: Int) throws {
    let campaign = try campaign()
    let whole = text(campaign.counts(of: campaign.collect()))
    let shares = Shard.all(count).map { campaign.collect($0) }
    #expect(Set(shares.map(\.runs)).count <= 2)
    for order in [shares, shares.reversed()] {
      var sum = ShardResult(.whole, modelCount: campaign.settings.models.count)
      for share in order { sum.merge(share) }
      #expect(text(campaign.counts(of: sum)) == whole)
    }
  }

  @Test func `shares keep the planted bug that only one of them met`() throws {
    let campaign = try campaign { $0.bugs = [.cascadesOneLevel] }
    let whole = campaign.collect()
    var sum = ShardResult(.whole, modelCount: campaign.settings.models.count)
    for part in Shard.all(50) { sum.merge(campaign.collect(part)) }
    let (one, other) = (campaign.survey(), campaign.counts(of: sum))
    #expect(one.failureTallies == other.failureTallies && one.firstDefect == other.firstDefect)
    #expect(whole.kindCount == sum.kindCount)
  }

  @Test func `a share continues where it was stopped`() throws {
    let campaign = try campaign()
    let whole = text(campaign.counts(of: campaign.collect()))
    var share = campaign.collect { $0.runs >= 40 }
    #expect(share.runs == 40 && share.reach == 40)
    share = campaign.collect(after: share) { $0.runs >= 41 }
    #expect(share.runs == 41)
    share = campaign.collect(after: share)
    #expect(share.runs == 150)
    #expect(text(campaign.counts(of: share)) == whole)
  }

  @Test(arguments: [2, 5]) func `a share is the same for any number of threads`(jobs: Int) throws {
    let one = try campaign()
    let pool = FuzzCampaign(one.settings, jobs: jobs)
    func json(_ share: ShardResult) -> String {
      CampaignRecord(share, of: one.settings, options: []).json
    }
    let whole = one.collect()
    #expect(json(pool.collect()) == json(whole))
    let part = try #require(Shard("2/3"))
    #expect(json(pool.collect(part)) == json(one.collect(part)))

    // A campaign stopped in the middle has all runs up to some number, and none after it.
    var askedCount = 0
    let begun = pool.collect { _ in
      askedCount += 1
      return askedCount > 10
    }
    #expect(begun.runs == begun.reach && 10..<150 ~= begun.runs, "\(begun.runs), \(begun.reach)")
    #expect(json(one.collect { $0.runs == begun.runs }) == json(begun))
    #expect(json(pool.collect(after: begun)) == json(whole))
  }

  @Test func `a share is the same in one round and in many`() throws {
    // A round is 16,000 steps for each thread.
    let one = try campaign(runs: 1_200)
    let whole = one.collect()
    #expect(whole.steps > 64_000)
    let shared = FuzzCampaign(one.settings, jobs: 2).collect()
    let records = [whole, shared].map { CampaignRecord($0, of: one.settings, options: []).json }
    #expect(records[0] == records[1])
  }

  @Test func `a share is written to a file and read back the same`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-record-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(CampaignRecord.fileName)
    let campaign = try campaign { $0.strategy = .exhaustive }
    let part = try #require(Shard("2/3"))
    let share = campaign.collect(part) { $0.runs >= 30 }
    let record = CampaignRecord(share, of: campaign.settings, options: ["--runs=150"])
    try Data(record.json.utf8).write(to: file)

    let read = try CampaignRecord(folder: folder.path)
    #expect(read.options == ["--runs=150"])
    let again = try read.share(of: campaign, file.path)
    #expect(again.part == part && again.reach == share.reach)
    #expect(
      CampaignRecord(again, of: campaign.settings, options: ["--runs=150"]).json == record.json)
    let ends = [share, again].map { campaign.counts(of: campaign.collect(after: $0)) }
    let texts = ends.map { MachineReport($0) { $0.seed.text }.json() }
    #expect(texts[0] == texts[1] && ends[0].failureTallies == ends[1].failureTallies)

    // The campaign has other programs than the record.
    let other = try self.campaign { $0.steps = 5 }
    #expect(throws: InputError.self) { try read.share(of: other, file.path) }
    // The record counts more entities than the model has.
    let larger = record.json.replacing(
      /"insertions":\[(?=\d)/, with: "\"insertions\":[" + String(repeating: "0,", count: 50))
    try Data(larger.utf8).write(to: file)
    let foreign = try CampaignRecord(folder: folder.path)
    #expect(throws: InputError.self) { try foreign.share(of: campaign, file.path) }
    let edited = [
      ("\"version\":\"", "\"version\":\"0."), ("\"runs\":", "\"runs\":-"),
      ("\"smallest\":", "\"smallest\":-1"),
    ].map { record.json.replacing($0.0, with: $0.1) }
    for broken in edited + ["{", ""] {
      #expect(broken != record.json)
      try Data(broken.utf8).write(to: file)
      #expect(throws: InputError.self) { try CampaignRecord(folder: folder.path) }
    }
  }

  @Test func `a share is named by its number and the number of shares`() throws {
    let part = try #require(Shard("2/3"))
    #expect((1...7).filter(part.contains) == [2, 5])
    #expect(Shard.whole.text == "1/1" && (1...3).allSatisfy(Shard.whole.contains))
    for text in ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5", "1/", "/3", "1/100001"] {
      #expect(Shard(text) == nil, "\(text)")
    }
  }
}

@Suite struct `Samples over time` {
  @Test func `samples are thinned out when there are many`() {
    var samples = Samples()
    for index in 0..<100_000 {
      let seconds = Double(index) / 100
      samples.note(.init(seconds: seconds, runs: index, steps: 0, states: 0, kinds: 0))
    }
    #expect(200...400 ~= samples.all.count)
    #expect(samples.all[0].runs == 0)
    let gaps = zip(samples.all, samples.all.dropFirst()).map { $1.seconds - $0.seconds }
    #expect((gaps.max() ?? 0) <= 2.1 * (gaps.min() ?? 0))
  }

  @Test func `the last sample is kept, however soon it follows`() {
    var samples = Samples()
    for (index, isLast) in [false, false, true].enumerated() {
      samples.note(
        .init(seconds: Double(index) / 1_000, runs: index, steps: 0, states: 0, kinds: 0),
        isLast: isLast)
    }
    #expect(samples.all.map(\.runs) == [0, 2])
    samples.note(.init(seconds: 9, runs: 2, steps: 0, states: 0, kinds: 0), isLast: true)
    #expect(samples.all.map(\.runs) == [0, 2] && samples.all.last?.seconds == 9)
  }
}
