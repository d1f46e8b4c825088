import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import InputFiles
import Scenario
import TestSupport
import Testing

@Suite struct `A set of runs` {
  private func runs(_ numbers: some Sequence<Int>) -> RunSet {
    var set = RunSet()
    for number in numbers { set.insert(number) }
    return set
  }

  @Test func `a set of runs counts each run once, and knows the first`() {
    #expect(RunSet().count == 0 && RunSet().first == nil)
    for number in [1, 2, 63, 64, 65, 128, 129, 5_000] {
      let one = runs([number])
      #expect(one.count == 1 && one.first == number, "\(number)")
      #expect(runs([number, number]) == one)
    }
    let some = runs([129, 64, 65, 64, 500])
    #expect(some.count == 4 && some.first == 64)
  }

  @Test func `a set of runs is united with a set of any numbers`() {
    var generator = Generator(seed: 27)
    for _ in 0..<200 {
      func numbers() -> Set<Int> {
        Set((0..<generator.next(below: 12)).map { _ in 1 + generator.next(below: 300) })
      }
      let (a, b) = (numbers(), numbers())
      var union = runs(a)
      union.formUnion(runs(b))
      var other = runs(b)
      other.formUnion(runs(a))
      #expect(union == other && union == runs(a.union(b)))
      #expect(union.count == a.union(b).count && union.first == a.union(b).min())
    }
  }

  @Test func `a set of runs is written as text and read back the same`() throws {
    #expect(RunSet().text.isEmpty)
    for numbers in [[], [1], [64], [65], [1, 64, 65, 128, 129], Array(1...1_000), [12_345]] {
      let set = runs(numbers)
      #expect(try #require(RunSet(set.text)) == set, "\(numbers)")
    }
    // The lowest number comes first, in the same byte order on every machine.
    #expect(runs([1]).text == "AQAAAAAAAAA=")
  }

  @Test(arguments: ["?", "AQ==", "AQAAAAAAAAA", "AQAAAAAAAAAB", "AQAAAAAAAAA= ", "runs"])
  func `a set of runs is not read from other texts`(text: String) {
    #expect(RunSet(text) == nil)
  }

  /// The shards' results on one campaign, put together, equal those of one process.
  @Test func `the sets of runs of shards are united to that of the whole`() throws {
    let path = "\(Repository.root)/Fixtures/Stacks/private-root-main-workers.stack"
    var settings = CampaignSettings(models: try Repository.models())
    settings.stack = try StackFile.read(path: path).stack
    settings.runs = 90
    settings.steps = 30
    let campaign = FuzzCampaign(settings)
    let whole = campaign.counts(of: campaign.collect())
    #expect(whole.failureTallies.contains { $0.count > 2 })
    for count in [2, 5, 90] {
      var sum = ShardResult(.whole, modelCount: settings.models.count)
      for part in Shard.all(count).reversed() { sum.merge(campaign.collect(part)) }
      #expect(campaign.counts(of: sum).failureTallies == whole.failureTallies)
    }
    // Counted separately: a run that shows a kind in several ways counts once.
    var byHand: [FailureKind: [Int]] = [:]
    for number in 1...settings.runs {
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      for kind in campaign.run(source, &choices).failureKinds {
        byHand[kind, default: []].append(number)
      }
    }
    #expect(byHand.count == whole.failureTallies.count)
    for tally in whole.failureTallies {
      #expect(tally.count == byHand[tally.kind]?.count, "\(tally.kind)")
      #expect(tally.firstRun == byHand[tally.kind]?.first, "\(tally.kind)")
    }
  }
}
