import Determinism
import PropertyTesting
import ShrinkingChallenges
import Testing

@Suite struct `A shrinker` {
  @Test func `a shrinker gives the same result after the same executions`() throws {
    for challenge in [ShrinkingChallenge.bound5, .coupling, .binheap] {
      let recording = challenge.failingRecording(7)
      let results = try (0..<2).map { _ in
        try #require(
          Shrinker.shrink(
            recording, keeping: "counterexample", budget: 20_000, property: challenge.property))
      }
      #expect(results[0].recording == results[1].recording)
      #expect(results[0].statistics == results[1].statistics)
    }
  }

  @Test(arguments: [1, 2, 3, 10, 30, 50])
  func `a shrinker never runs the property more often than its budget`(budget: Int) throws {
    let challenge = ShrinkingChallenge.largeUnionList
    let start = challenge.failingRecording(3)
    var runs = 0
    let shrunk = try #require(
      Shrinker.shrink(start, keeping: "counterexample", budget: budget) { choices in
        runs += 1
        return challenge.property(&choices)
      })
    #expect(runs == budget)
    #expect(shrunk.statistics.executions == budget)
    #expect(shrunk.statistics.stop == .budget)
    #expect(shrunk.size <= start.size)
    var replay = Choices(replaying: shrunk.recording)
    let verdict = challenge.property(&replay)
    #expect(verdict == .failed(shrunk.failure))
  }

  @Test func `a shrinker counts what each pass tried`() throws {
    let challenge = ShrinkingChallenge.bound5
    let statistics = try #require(
      Shrinker.shrink(
        challenge.failingRecording(1), keeping: "counterexample", budget: 20_000,
        property: challenge.property)
    ).statistics
    #expect(statistics.passes.map(\.pass) == ShrinkPass.allCases)
    #expect(statistics.passes.reduce(0) { $0 + $1.tries } == statistics.executions - 1)
    #expect(statistics.passes.reduce(0) { $0 + $1.successes } == statistics.successes)
    #expect(1...statistics.executions ~= statistics.executionsToBest)
  }

  @Test func `a shrinker is done where it is started again`() throws {
    for challenge in ShrinkingChallenge.all {
      let first = try #require(
        Shrinker.shrink(
          challenge.failingRecording(5), keeping: "counterexample", budget: 20_000,
          property: challenge.property))
      let second = try #require(
        Shrinker.shrink(
          first.recording, keeping: "counterexample", budget: 20_000, property: challenge.property))
      #expect(second.recording == first.recording, "\(challenge.name)")
      #expect(second.statistics.successes == 0, "\(challenge.name)")
    }
  }

  /// Every draw has the same bounds, and there are always six draws. So equal cases come from equal
  /// edits.
  @Test func `a shrinker runs no case twice`() {
    var cases: [[Int]] = []
    let start: [UInt32] = [900, 20, 500, 1, 7, 3]
    _ = Shrinker.shrink(
      Choices.Recording(streams: [[], start]), keeping: "sum", budget: 20_000
    ) { choices in
      let numbers = start.map { _ in choices.draw(below: Int(UInt32.max), from: .workload) }
      cases.append(numbers)
      return numbers[0] + numbers[2] > 1000 ? .failed("sum") : .passed
    }
    #expect(cases.count > 10)
    #expect(Set(cases).count == cases.count)
  }

  @Test func `a shrinker has no result for a case that does not fail, or fails otherwise`() {
    let start = Choices.Recording(streams: [[], [1, 2, 3]])
    for verdict in [Verdict.passed, .discarded, .failed("other")] {
      #expect(Shrinker.shrink(start, keeping: "this", budget: 10) { _ in verdict } == nil)
    }
  }

  /// Below 100 the same draw shows another bug, and below 50 it shows none.
  @Test func `a shrinker keeps the failure and collects others`() throws {
    let shrunk = try #require(
      Shrinker.shrink(
        Choices.Recording(streams: [[], [700]]), keeping: "large", budget: 1000
      ) { choices in
        switch choices.draw(below: 1000, from: .workload) {
        case 100...: .failed("large")
        case 50...: .failed("middle")
        default: .passed
        }
      })
    #expect(shrunk.recording[.workload] == [100])
    #expect(shrunk.failure == "large")
    #expect(shrunk.slips.map(\.identity) == ["middle"])
    #expect(50..<100 ~= shrunk.slips[0].recording[.workload][0])
  }

  @Test func `a shrinker shrinks every stream`() throws {
    var start = Choices.Recording()
    for stream in Choices.Stream.allCases { start[stream] = [9, 8, 7, 6, 5, 4, 3, 2] }
    let shrunk = try #require(
      Shrinker.shrink(start, keeping: "both", budget: 10_000) { choices in
        var sum = 0
        while choices.draw(below: 10, from: .workload) > 0 {
          sum += choices.draw(below: 10, from: .schedule)
          _ = choices.draw(below: 10, from: .shape)
        }
        return sum >= 3 ? .failed("both") : .passed
      })
    #expect(shrunk.recording[.workload] == [1])
    #expect(shrunk.recording[.shape] == [])
    #expect(shrunk.recording[.schedule] == [3])
  }
}
