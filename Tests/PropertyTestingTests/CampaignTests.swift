import Determinism
import PropertyTesting
import Testing

@Suite struct `A campaign` {
  @Test func `a campaign is a function of its seed`() {
    let campaign = Campaign.run(0..<50, seed: 1, runCase: runCase)
    #expect(campaign.digest == Campaign.run(0..<50, seed: 1, runCase: runCase).digest)
    #expect(campaign.digest != Campaign.run(0..<50, seed: 2, runCase: runCase).digest)
    #expect(campaign.digest != Campaign.run(0..<49, seed: 1, runCase: runCase).digest)
    #expect(campaign.runs == 50)
    #expect(campaign.steps > 50)
  }

  @Test func `a campaign notices one changed case, and two that changed places`() {
    let digests: [[UInt64]] = [[1, 2, 3], [1, 2, 4], [2, 1, 3]]
    let campaigns = digests.map { digests in
      var rest = digests.makeIterator()
      return Campaign<String>.run(0..<3, seed: 1) { _ in Case(digest: rest.next()!, steps: 1) }
    }
    #expect(Set(campaigns.map(\.digest)).count == 3)
  }

  @Test func `a campaign names each failure once, in order of appearance, with its smallest case`()
    throws
  {
    var sizes = [5, 3, 4, 2, 2, 9].makeIterator()
    var failures = [[], ["b"], ["a", "b"], ["b"], ["b", "c"], ["a"]].makeIterator()
    let campaign = Campaign<String>.run(10..<16, seed: 1) { choices in
      for _ in 0..<sizes.next()! { _ = choices.draw(below: 9, from: .workload) }
      return Case(digest: 0, steps: 1, failures: failures.next()!)
    }
    #expect(campaign.findings.map(\.identity) == ["b", "a", "c"])
    #expect(campaign.findings.map(\.count) == [4, 2, 1])
    #expect(campaign.findings.map(\.firstSeed) == [11, 12, 14].map { Generator.derive(1, $0) })
    #expect(campaign.findings.map(\.example.index) == [13, 12, 14])
    #expect(campaign.findings.map(\.example.size) == [2, 4, 2])
    let example = campaign.findings[0].example
    #expect(example.seed == Generator.derive(1, 13))
    var replay = Choices(replaying: example.recording)
    var original = Choices(seed: example.seed)
    for _ in 0..<2 {
      let replayed = replay.draw(below: 9, from: .workload)
      let drawn = original.draw(below: 9, from: .workload)
      #expect(replayed == drawn)
    }
  }

  @Test func `a campaign stops between two cases on request`() {
    let campaign = Campaign.run(
      0..<50, seed: 1, shouldStop: { !$0.findings.isEmpty }, runCase: runCase)
    #expect(campaign.findings.count == 1)
    #expect(campaign.findings[0].firstIndex == campaign.runs - 1)
    #expect(Campaign.run(0..<50, seed: 1, shouldStop: { _ in true }, runCase: runCase).runs == 0)
  }

  @Test func `a campaign may be divided into shards and merged in any order`() {
    let whole = Campaign.run(0..<60, seed: 1, runCase: runCase)
    let shards = [0..<13, 13..<40, 40..<60].map {
      Campaign.run($0, seed: 1, runCase: runCase)
    }
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
      var merged = Campaign<String>()
      for index in order { merged.merge(shards[index]) }
      #expect(merged.digest == whole.digest)
      #expect(merged.runs == whole.runs)
      #expect(merged.steps == whole.steps)
      #expect(merged.findings.map(\.identity) == whole.findings.map(\.identity))
      #expect(merged.findings.map(\.count) == whole.findings.map(\.count))
      #expect(merged.findings.map(\.firstSeed) == whole.findings.map(\.firstSeed))
      #expect(merged.findings.map(\.example.seed) == whole.findings.map(\.example.seed))
    }
  }

  private func runCase(_ choices: inout Choices) -> Case<String> {
    let numbers = choices.list(upTo: 20, mean: 5, from: .workload) {
      $0.draw(below: 50, from: .workload)
    }
    var digest = Digest()
    for number in numbers { digest.feed(number) }
    return Case(
      digest: digest.value, steps: numbers.count,
      failures: (numbers.contains(7) ? ["seven"] : []) + (numbers.count > 9 ? ["long"] : []))
  }
}
