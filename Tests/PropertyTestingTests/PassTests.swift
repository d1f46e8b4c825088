import Determinism
import PropertyTesting
import Testing

/// Each pass by itself, on the smallest case that needs it.
@Suite struct `Passes` {
  @Test func `deleteSpans deletes many elements at once`() {
    let numbers = (0..<64).map { $0 == 40 ? 77 : UInt32($0 % 7) }
    let result = shrink(list(numbers), by: .deleteSpans) { readList(&$0).contains(77) }
    #expect(result.values == list([77]))
    #expect(result.executions < 64)
  }

  @Test func `deleteRuns joins two lists`() {
    let start = [1] + list([5, 6]) + [0] + [1] + list([7]) + [0]
    let result = shrink(start, by: .deleteRuns) { choices in
      var count = 0
      while choices.draw(below: 2, from: .workload) > 0 { count += readList(&choices).count }
      return count >= 3
    }
    // The 7 goes too, because only the length matters. Values after the end are drawn as 0.
    #expect(result.values == [1] + list([5, 6]) + [1])
  }

  @Test func `hoistSpans replaces a tree by its branch`() {
    // The values are the tree ((., 5), .), of which only the 5 matters.
    let result = shrink([1, 1, 0, 0, 0, 5, 0, 0], by: .hoistSpans) { readTree(&$0).contains(5) }
    #expect(result.values == [0, 5])
  }

  @Test func `zeroSpans makes an element the simplest`() {
    let result = shrink(list([4, 9, 4]), by: .zeroSpans) { choices in
      let numbers = readPairs(&choices)
      return numbers[1] == 9
    }
    #expect(result.values == [0, 0, 1, 9])
  }

  @Test func `zeroRuns removes the bulk with few executions`() {
    let start = (0..<64).map { $0 == 20 ? 2 : UInt32(1) }
    let result = shrink(start, by: .zeroRuns) { choices in
      (0..<64).map { _ in choices.draw(below: 3, from: .workload) }[20] == 2
    }
    #expect(result.values == Array(repeating: 0, count: 20) + [2])
    #expect(result.executions < 20)
  }

  @Test(arguments: [1, 2, 3, 17, 900, 4_000_000] as [UInt32])
  func `minimiseValues finds the least by bisection`(least: UInt32) {
    let result = shrink([4_100_000], by: .minimiseValues) {
      $0.draw(below: 5_000_000, from: .workload) >= least
    }
    #expect(result.values == [least])
    #expect(result.executions < 80)
  }

  @Test func `minimiseValues keeps the sign of a number`() {
    let result = shrink([20_000], by: .minimiseValues) {
      $0.integer(in: -50_000...50_000, from: .workload) <= -300
    }
    #expect(result.values == [600])
  }

  @Test func `minimiseEqualValues keeps two things equal`() {
    let result = shrink([55, 3, 55], by: .minimiseEqualValues) { choices in
      let numbers = (0..<3).map { _ in choices.draw(below: 100, from: .workload) }
      return numbers[0] == numbers[2] && numbers[0] >= 6
    }
    #expect(result.values == [6, 3, 6])
  }

  @Test func `sortSpans sorts what may stand in any order`() {
    let result = shrink(list([5, 9, 1, 7]), by: .sortSpans) { Set(readList(&$0)) == [1, 5, 7, 9] }
    #expect(result.values == list([1, 5, 7, 9]))
  }

  @Test func `sortSpans sorts as far as it may`() {
    let result = shrink(list([5, 9, 1, 7]), by: .sortSpans) { choices in
      let numbers = readList(&choices)
      return Set(numbers) == [1, 5, 7, 9] && numbers[1] == 9
    }
    #expect(result.values == list([1, 9, 5, 7]))
  }

  @Test func `swapValues moves the smaller one forward`() {
    let result = shrink([9, 4], by: .swapValues) { choices in
      let numbers = (0..<2).map { _ in choices.draw(below: 10, from: .workload) }
      return Set(numbers) == [4, 9]
    }
    #expect(result.values == [4, 9])
  }

  @Test func `lowerTogether keeps a difference`() {
    let result = shrink([700, 650], by: .lowerTogether) { choices in
      let numbers = (0..<2).map { _ in choices.draw(below: 1000, from: .workload) }
      return numbers[0] - numbers[1] == 50 && numbers[1] >= 3
    }
    #expect(result.values == [53, 3])
  }

  @Test func `redistribute keeps a sum`() {
    let result = shrink([700, 650], by: .redistribute) { choices in
      let numbers = (0..<2).map { _ in choices.draw(below: 1400, from: .workload) }
      return numbers[0] + numbers[1] == 1350 && numbers[0] >= 3
    }
    #expect(result.values == [3, 1347])
  }

  @Test func `lowerAndDelete shortens what a number at the front counts`() {
    let result = shrink([5, 1, 2, 77, 4, 3], by: .lowerAndDelete) { choices in
      let count = choices.draw(below: 10, from: .workload)
      return (0..<count).map { _ in choices.draw(below: 100, from: .workload) }.contains(77)
    }
    #expect(result.values == [1, 77])
  }

  @Test func `deleteAndRenumber keeps references intact`() {
    // The second and the last number refer to each other.
    let result = shrink(list([0, 3, 0, 1]), by: .deleteAndRenumber) { choices in
      let numbers = readList(&choices)
      return numbers.indices.contains { index in
        let other = numbers[index]
        return other != index && numbers.indices ~= other && numbers[other] == index
      }
    }
    #expect(result.values == list([1, 0]).dropLast())
  }

  @Test func `deleteAndChange replaces two by one that does their work`() {
    let result = shrink(list([3, 4]), by: .deleteAndChange) {
      readList(&$0).reduce(0, +) >= 7
    }
    #expect(result.values == list([7]))
  }
}

/// Shrinks `values`, a workload, by one pass.
private func shrink(
  _ values: [UInt32], by pass: ShrinkPass, while fails: @escaping (inout Choices) -> Bool
) -> (values: [UInt32], executions: Int) {
  let shrunk = Shrinker.shrink(
    Choices.Recording(streams: [[], values]), keeping: "fails", budget: 10_000, passes: [pass]
  ) { fails(&$0) ? .failed("fails") : .passed }
  return (shrunk?.recording[.workload] ?? [], shrunk?.statistics.executions ?? 0)
}

/// Returns the choices of a list, which have a 1 before each element.
private func list(_ numbers: [UInt32]) -> [UInt32] { numbers.flatMap { [1, $0] } }

private func readList(_ choices: inout Choices) -> [Int] {
  choices.list(upTo: 100, mean: 1, from: .workload) { $0.draw(below: 100, from: .workload) }
}

/// Reads three pairs of choices. The second of each pair is the number.
private func readPairs(_ choices: inout Choices) -> [Int] {
  (0..<3).map { _ in
    choices.span(in: .workload) { choices in
      _ = choices.draw(below: 2, from: .workload)
      return choices.draw(below: 100, from: .workload)
    }
  }
}

/// Reads the numbers at the leaves of a tree.
private func readTree(_ choices: inout Choices) -> [Int] {
  choices.span(in: .workload) { choices in
    choices.draw(below: 2, from: .workload) == 0
      ? [choices.draw(below: 10, from: .workload)]
      : readTree(&choices) + readTree(&choices)
  }
}
