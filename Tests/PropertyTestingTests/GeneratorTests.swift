import Determinism
import PropertyTesting
import Testing

@Suite struct `A drawn integer` {
  @Test func `a drawn integer counts in zig-zag order from the one nearest to zero`() {
    #expect(order(of: -2...3) == [0, 1, -1, 2, -2, 3])
    #expect(order(of: -4...1) == [0, 1, -1, -2, -3, -4])
    #expect(order(of: 5...8) == [5, 6, 7, 8])
    #expect(order(of: -8 ... -5) == [-5, -6, -7, -8])
    #expect(order(of: 3...3) == [3])
  }

  @Test func `a drawn integer may come from a range wider than one draw`() {
    let range = -(1 << 60)...1 << 60
    #expect(integer([0, 0], in: range) == 0)
    #expect(integer([0, 4], in: range) == -2)
    #expect(integer([1, 0], in: range) == -(1 << 30))
    #expect(integer([.max, .max], in: range) == -(1 << 60))
    var choices = Choices(seed: 1)
    let numbers = (0..<1000).map { _ in choices.integer(in: range, from: .workload) }
    #expect(numbers.allSatisfy { range ~= $0 })
  }

  private func order(of range: ClosedRange<Int>) -> [Int] {
    (0..<UInt32(range.count)).map { integer([$0], in: range) }
  }

  private func integer(_ values: [UInt32], in range: ClosedRange<Int>) -> Int {
    var choices = Choices(replaying: Choices.Recording(streams: [[], values]))
    return choices.integer(in: range, from: .workload)
  }
}

@Suite struct `A drawn list` {
  @Test func `a drawn list has the mean length and stays below its limit`() {
    var choices = Choices(seed: 1)
    let counts = (0..<2000).map { _ in draw(&choices, upTo: 1000).count }
    #expect(4.5...5.5 ~= Statistics(counts).mean)
    let short = (0..<2000).map { _ in draw(&choices, upTo: 3).count }
    #expect(Set(short) == [0, 1, 2, 3])
  }

  @Test func `a drawn list loses exactly the element whose span is deleted`() {
    for limit in [6, 100] {
      var choices = Choices(replaying: Choices.Recording(streams: [[], full]))
      let numbers = draw(&choices, upTo: limit)
      let next = choices.draw(below: 100, from: .workload)
      let spans = choices.spans.filter { $0.range.count == 2 }
      #expect(spans.count == 6)
      for (index, span) in spans.enumerated() {
        var edited = choices.recording
        edited[.workload].removeSubrange(span.range)
        var replay = Choices(replaying: edited)
        var expected = numbers
        expected.remove(at: index)
        let remaining = draw(&replay, upTo: limit)
        let after = replay.draw(below: 100, from: .workload)
        #expect(remaining == expected)
        #expect(after == next)
      }
    }
  }

  /// The choices of six elements, of the end, and of a number after it.
  private var full: [UInt32] { (1...6).flatMap { [1, $0] } + [0, 77] }

  private func draw(_ choices: inout Choices, upTo limit: Int) -> [Int] {
    choices.list(upTo: limit, mean: 5, from: .workload) { $0.draw(below: 100, from: .workload) }
  }
}

@Suite struct `A pick` {
  @Test func `a pick reaches each alternative, the first one by zero`() {
    var zeros = Choices(replaying: Choices.Recording())
    let simplest = (zeros.pick(["a", "b", "c"], from: .shape), zeros.boolean(from: .shape))
    #expect(simplest == ("a", false))
    var choices = Choices(seed: 1)
    let picks = (0..<100).map { _ in choices.pick(["a", "b", "c"], from: .shape) }
    #expect(Set(picks) == ["a", "b", "c"])
    let flags = (0..<100).map { _ in choices.boolean(from: .shape) }
    #expect(Set(flags) == [true, false])
  }
}
