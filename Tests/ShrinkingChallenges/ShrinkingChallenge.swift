package import Determinism
package import PropertyTesting

/// The problems of https://github.com/jlink/shrinking-challenge, by which property testing
/// libraries compare their shrinkers. Each is a false claim about generated data.
package struct ShrinkingChallenge: Sendable {
  package let name: String
  /// The simplest counterexample known.
  package let best: String
  package let property: @Sendable (inout Choices) -> Verdict<Counterexample>

  /// The data that break a claim, as text. The failure is always the same bug.
  package struct Counterexample: IdentifiedFailure, Equatable, Sendable {
    package let text: String
    package var identity: String { "counterexample" }
  }

  /// Creates a challenge. `claim` returns whether the data that `generate` draws keep the claim, or
  /// nil to discard the data.
  init<Data>(
    _ name: String, best: String, generate: @escaping @Sendable (inout Choices) -> Data,
    claim: @escaping @Sendable (Data) -> Bool?
  ) {
    self.name = name
    self.best = best
    property = { choices in
      let data = generate(&choices)
      return switch claim(data) {
      case nil: .discarded
      case true?: .passed
      case false?: .failed(Counterexample(text: "\(data)"))
      }
    }
  }

  /// Returns a failing case as a campaign would find it, from the first of many seeds.
  package func failingRecording(_ seed: UInt64) -> Choices.Recording {
    var index: UInt64 = 0
    while true {
      var choices = Choices(seed: Generator.derive(seed, index))
      if case .failed = property(&choices) { return choices.recording }
      index += 1
    }
  }
}

extension ShrinkingChallenge {
  package static let bound5 = ShrinkingChallenge(
    "bound5", best: "[[], [], [], [-1], [-32768]]",
    generate: { choices in
      (0..<5).map { _ in choices.integers(in: Int(Int16.min)...Int(Int16.max), upTo: 10) }
    },
    claim: { lists in
      let sum = { (numbers: [Int]) in numbers.reduce(Int16(0)) { $0 &+ Int16($1) } }
      guard lists.allSatisfy({ sum($0) < 256 }) else { return nil }
      return sum(lists.flatMap { $0 }) < 5 * 256
    })

  package static let largeUnionList = ShrinkingChallenge(
    "large union list", best: "[[0, 1, -1, 2, -2]]",
    generate: { choices in
      choices.list(upTo: 30, mean: 5, from: .workload) {
        $0.integers(in: -1_000_000...1_000_000, upTo: 30)
      }
    },
    claim: { lists in Set(lists.flatMap { $0 }).count <= 4 })

  package static let reverse = ShrinkingChallenge(
    "reverse", best: "[0, 1]",
    generate: { $0.integers(in: -1_000_000...1_000_000, upTo: 30) },
    claim: { numbers in numbers == numbers.reversed() })

  package static let lengthList = ShrinkingChallenge(
    "length list", best: "[900]",
    generate: { choices in
      let count = choices.integer(in: 1...100, from: .workload)
      return (0..<count).map { _ in choices.integer(in: 0...1000, from: .workload) }
    },
    claim: { numbers in numbers.max()! < 900 })

  package static let difference = [
    differenceMust("not be zero", best: "[10, 10]") { $0 != 0 },
    differenceMust("not be small", best: "[10, 6]") { !(1...4 ~= $0) },
    differenceMust("not be one", best: "[10, 9]") { $0 != 1 },
  ]

  private static func differenceMust(
    _ claim: String, best: String, keeps: @escaping @Sendable (Int) -> Bool
  ) -> ShrinkingChallenge {
    ShrinkingChallenge(
      "difference must " + claim, best: best,
      generate: { choices in
        (0..<2).map { _ in choices.integer(in: 1...1000, from: .workload) }
      },
      claim: { pair in pair[0] < 10 || keeps(abs(pair[0] - pair[1])) })
  }

  package static let coupling = ShrinkingChallenge(
    "coupling", best: "[1, 0]",
    generate: { $0.integers(in: 0...10, upTo: 20) },
    claim: { numbers in
      guard numbers.allSatisfy({ $0 < numbers.count }) else { return nil }
      return numbers.indices.allSatisfy { numbers[$0] == $0 || numbers[numbers[$0]] != $0 }
    })

  package static let deletion = ShrinkingChallenge(
    "deletion", best: "([0, 0], 0)",
    generate: { choices in
      (
        choices.integers(in: -100...100, upTo: 20),
        choices.integer(in: -100...100, from: .workload)
      )
    },
    claim: { numbers, number in
      guard let first = numbers.firstIndex(of: number) else { return nil }
      return !numbers[(first + 1)...].contains(number)
    })

  package static let distinct = ShrinkingChallenge(
    "distinct", best: "[0, 1, -1]",
    generate: { $0.integers(in: -1_000_000...1_000_000, upTo: 30) },
    claim: { numbers in Set(numbers).count < 3 })

  package static let nestedLists = ShrinkingChallenge(
    "nested lists", best: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]",
    generate: { choices in
      choices.list(upTo: 30, mean: 5, from: .workload) { $0.integers(in: -100...100, upTo: 30) }
    },
    claim: { lists in lists.reduce(0) { $0 + $1.count } <= 10 })

  package static let all =
    [
      bound5, largeUnionList, reverse, calculator, lengthList, coupling, deletion, distinct,
      nestedLists, binheap,
    ] + difference
}

extension Choices {
  fileprivate mutating func integers(in range: ClosedRange<Int>, upTo limit: Int) -> [Int] {
    list(upTo: limit, mean: 5, from: .workload) { $0.integer(in: range, from: .workload) }
  }
}
