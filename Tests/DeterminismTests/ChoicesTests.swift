import Determinism
import Testing

@Suite struct `The choices of a run` {
  /// Draws a mixture of all kinds.
  private func draw(_ count: Int, from choices: inout Choices) -> [Int] {
    (0..<count).map { index in
      switch index % 4 {
      case 0: choices.draw(below: 10, from: .workload)
      case 1: choices.pick(weights: [1, 0, 5, 2], from: .shape)
      case 2: choices.chance(1, in: 3, from: .schedule) ? 1 : 0
      default: choices.draw(below: 3, from: .schedule)
      }
    }
  }

  @Test func `choices are a function of their seed`() {
    func drawn(_ seed: UInt64) -> [Int] {
      var choices = Choices(seed: seed)
      return draw(100, from: &choices)
    }
    #expect(drawn(1) == drawn(1))
    #expect(drawn(1) != drawn(2))
  }

  @Test func `choices are the same when they are replayed`() {
    var choices = Choices(seed: 1)
    let drawn = draw(1_000, from: &choices)
    var replayed = Choices(replaying: choices.recording)
    #expect(draw(1_000, from: &replayed) == drawn)
    #expect(replayed.recording == choices.recording)
  }

  @Test func `choices are read from bytes, in order, as many as each bound has`() {
    var choices = Choices(reading: [7, 1, 2, 255, 9])
    #expect(choices.draw(below: 5, from: .workload) == 2)
    #expect(choices.draw(below: 1, from: .shape) == 0)
    #expect(choices.draw(below: 1_000, from: .schedule) == 258)
    #expect(choices.draw(below: 256, from: .workload) == 255)
    // One byte of two is left, and then none.
    #expect(choices.draw(below: 1_000, from: .shape) == 9)
    #expect(choices.draw(below: 1_000, from: .shape) == 0)
    #expect(choices.recording == Choices.Recording(streams: [[0, 9, 0], [2, 255], [258]]))
    #expect(Choices.Stream.allCases.map { choices.positions[$0] } == [3, 2, 1])
    let middle = choices.positions
    _ = choices.draw(below: 10, from: .schedule)
    #expect(
      choices.recording.prefix(middle)
        == Choices.Recording(streams: [[0, 9, 0], [2, 255], [258]]))
    var decided = Choices(reading: [3])
    #expect(decided.decide(below: 4, from: .schedule) { _ in 1 } == 3)
  }

  @Test func `choices are 0 when the recording has ended`() {
    var choices = Choices(replaying: Choices.Recording(streams: [[], [3], [], []]))
    #expect(choices.draw(below: 10, from: .workload) == 3)
    #expect(choices.draw(below: 10, from: .workload) == 0)
    let chance = choices.chance(9, in: 10, from: .workload)
    #expect(!chance)
    #expect(choices.pick(weights: [0, 2, 1], from: .workload) == 1)
    #expect(choices.draw(below: 10, from: .schedule) == 0)
    #expect(choices.recording == Choices.Recording(streams: [[], [3, 0, 0, 0], [0]]))
  }

  @Test func `choices of an edited recording are lowered to what is allowed`() {
    var recording = Choices.Recording()
    recording[.workload] = [9, 2, .max, 5]
    var choices = Choices(replaying: recording)
    #expect((0..<4).map { _ in choices.draw(below: 4, from: .workload) } == [3, 2, 3, 3])
    // The recording has the choices that were taken, so replaying it needs no further correction.
    #expect(choices.recording(of: .workload) == [3, 2, 3, 3])
    #expect(choices.bounds(of: .workload) == [4, 4, 4, 4])
  }

  @Test(arguments: Choices.Stream.allCases)
  func `choices in one stream are not shifted by those in another`(stream: Choices.Stream) {
    var alone = Choices(seed: 7)
    let expected = (0..<100).map { _ in alone.draw(below: 1_000, from: stream) }
    var mixed = Choices(seed: 7)
    var drawn: [Int] = []
    for _ in 0..<100 {
      for other in Choices.Stream.allCases where other != stream {
        _ = mixed.draw(below: 5, from: other)
      }
      drawn.append(mixed.draw(below: 1_000, from: stream))
    }
    #expect(drawn == expected)
    #expect(mixed.recording[stream] == alone.recording[stream])
  }

  @Test func `choices of one alternative are recorded, but cost no chance`() {
    var plain = Choices(seed: 7)
    let expected = (0..<10).map { _ in plain.draw(below: 1_000, from: .shape) }
    var mixed = Choices(seed: 7)
    let drawn = (0..<10).map { _ in
      _ = mixed.draw(below: 1, from: .shape)
      return mixed.draw(below: 1_000, from: .shape)
    }
    #expect(drawn == expected)
    #expect(mixed.recording[.shape].count == 20)
  }

  @Test func `choices by the caller are recorded, and replayed without asking`() {
    func decide(_ choices: inout Choices, _ asked: inout Int) -> [Int] {
      (1...20).map { bound in
        choices.decide(below: bound, from: .schedule) { generator in
          asked += 1
          // Every other choice is by chance.
          return bound % 2 == 0 ? bound - 1 : generator.next(below: bound)
        }
      }
    }
    var choices = Choices(seed: 7)
    var (asked, askedAgain) = (0, 0)
    let decided = decide(&choices, &asked)
    #expect(asked == 19)
    #expect(choices.recording[.schedule].map { Int($0) } == decided)
    #expect(choices.bounds(of: .schedule) == (1...20).map { UInt32($0) })
    let isReplayed = choices.isReplayed
    #expect(!isReplayed)

    var replayed = Choices(replaying: choices.recording)
    let repeated = decide(&replayed, &askedAgain)
    #expect(repeated == decided)
    #expect(replayed.recording == choices.recording)
    let isReplayedNow = replayed.isReplayed
    #expect(isReplayedNow)
    #expect(askedAgain == 0)
  }

  @Test func `choices by the caller cost as much chance as the caller takes`() {
    var drawn = Choices(seed: 7)
    var decided = Choices(seed: 7)
    for bound in 2...50 {
      let number = decided.decide(below: bound, from: .schedule) { $0.next(below: bound) }
      #expect(number == drawn.draw(below: bound, from: .schedule))
    }
  }

  @Test func `choices differ from stream to stream`() {
    var choices = Choices(seed: 7)
    let drawn = Choices.Stream.allCases.map { stream in
      (0..<10).map { _ in choices.draw(below: 1_000, from: stream) }
    }
    #expect(Set(drawn).count == Choices.Stream.allCases.count)
  }

  @Test func `choices that belong together form a span`() {
    var choices = Choices(seed: 1)
    _ = choices.draw(below: 10, from: .workload)
    let drawn = choices.span(in: .workload) { choices in
      _ = choices.draw(below: 10, from: .shape)
      _ = choices.draw(below: 10, from: .workload)
      choices.span(in: .workload) { _ = $0.draw(below: 10, from: .workload) }
      return choices.draw(below: 10, from: .workload)
    }
    choices.span(in: .schedule) { _ in }
    #expect(Int(choices.recording(of: .workload)[3]) == drawn)
    // A span is recorded when it ends, so an inner span comes before the outer one.
    #expect(choices.spans.map(\.stream) == [.workload, .workload, .schedule])
    #expect(choices.spans.map(\.range) == [2..<3, 1..<4, 0..<0])
  }

  @Test func `choices by weight are proportional to it, and never of weight 0`() {
    var choices = Choices(seed: 1)
    var counts = [0, 0, 0, 0, 0]
    for _ in 0..<80_000 { counts[choices.pick(weights: [0, 1, 0, 5, 2], from: .shape)] += 1 }
    #expect(counts[0] == 0 && counts[2] == 0)
    // The standard deviation is at most 139.
    for (index, expected) in [(1, 10_000), (3, 50_000), (4, 20_000)] {
      #expect(abs(counts[index] - expected) < 700, "\(counts)")
    }
  }

  @Test func `choices by weight are the same whether weights are added up or not`() {
    for weights in [[1], [0, 1], [3, 0], [8, 2, 0, 1, 2], [0, 0, 7, 0, 0, 1, 0]] {
      var each = Choices(seed: 3)
      var once = Choices(seed: 3)
      let sums = Weights(weights)
      #expect(sums.total == weights.reduce(0, +))
      for _ in 0..<1_000 {
        let expected = each.pick(weights: weights, from: .shape)
        #expect(once.pick(weights: sums, from: .shape) == expected)
      }
      #expect(each.recording == once.recording)
    }
    #expect(Weights([]).total == 0 && Weights([0, 0]).total == 0)
  }

  @Test func `choices of a restarted run are those of its seed alone`() {
    var fresh = Choices(seed: 2)
    let expected = draw(100, from: &fresh)
    fresh.closeSpan(from: 3, in: .shape)
    var choices = Choices(seed: 1)
    _ = draw(300, from: &choices)
    choices.closeSpan(from: 0, in: .workload)
    choices.restart(seed: 2)
    #expect(draw(100, from: &choices) == expected)
    choices.closeSpan(from: 3, in: .shape)
    #expect(choices.recording == fresh.recording)
    #expect(choices.spans == fresh.spans)
  }

  @Test func `choices by chance are true as often as they should be`() {
    var choices = Choices(seed: 1)
    for (numerator, denominator) in [(0, 5), (1, 5), (1, 2), (4, 5), (5, 5)] {
      var count = 0
      for _ in 0..<10_000 where choices.chance(numerator, in: denominator, from: .schedule) {
        count += 1
      }
      // The standard deviation is at most 50, and there is none at the ends.
      let slack = 0 < numerator && numerator < denominator ? 250 : 0
      #expect(abs(count - 10_000 * numerator / denominator) <= slack)
    }
  }
}
