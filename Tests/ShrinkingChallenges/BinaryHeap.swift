import Determinism
import PropertyTesting

extension ShrinkingChallenge {
  /// The claim: a heap that is emptied by merging its two halves, but only once, comes out sorted.
  package static let binheap = ShrinkingChallenge(
    "binheap", best: "(0, -, (0, (0, -, -), (1, -, -)))",
    generate: { BinaryHeap.draw(from: &$0, atLeast: 0, depth: 6) },
    claim: { heap in
      let numbers = heap.wronglySorted
      return numbers == numbers.sorted() && numbers == heap.numbers.sorted()
    })
}

private indirect enum BinaryHeap: CustomStringConvertible {
  case empty
  case node(Int, BinaryHeap, BinaryHeap)

  static func draw(from choices: inout Choices, atLeast least: Int, depth: Int) -> BinaryHeap {
    choices.span(in: .workload) { choices in
      guard choices.draw(below: depth > 0 ? 3 : 1, from: .workload) > 0 else { return .empty }
      let number = choices.integer(in: least...least + 100, from: .workload)
      let left = draw(from: &choices, atLeast: number, depth: depth - 1)
      return .node(number, left, draw(from: &choices, atLeast: number, depth: depth - 1))
    }
  }

  /// The numbers of the root, then of the right half, then of the left.
  var numbers: [Int] {
    switch self {
    case .empty: []
    case .node(let number, let left, let right): [number] + right.numbers + left.numbers
    }
  }

  var wronglySorted: [Int] {
    switch self {
    case .empty: []
    case .node(let number, let left, let right): [number] + left.merged(with: right).numbers
    }
  }

  private func merged(with other: BinaryHeap) -> BinaryHeap {
    switch (self, other) {
    case (.empty, _): other
    case (_, .empty): self
    case (.node(let a, let left, let right), .node(let b, let otherLeft, let otherRight)):
      a <= b
        ? .node(a, right.merged(with: other), left)
        : .node(b, otherRight.merged(with: self), otherLeft)
    }
  }

  var description: String {
    switch self {
    case .empty: "-"
    case .node(let number, let left, let right): "(\(number), \(left), \(right))"
    }
  }
}
