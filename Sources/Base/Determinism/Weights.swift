/// The probabilities of alternatives that are picked often. The sums of the weights are computed
/// once.
@usableFromInline package struct Weights: Hashable, Sendable {
  /// The sum of the weights up to and including each alternative.
  @usableFromInline let sums: [Int]

  package init(_ weights: [Int]) { self.init(count: weights.count) { weights[$0] } }

  /// Creates weights for alternatives numbered from 0.
  @inlinable package init(count: Int, of weight: (Int) -> Int) {
    var sum = 0
    var sums: [Int] = []
    sums.reserveCapacity(count)
    for number in 0..<count {
      let weight = weight(number)
      precondition(weight >= 0, "a weight of \(weight)")
      sum += weight
      sums.append(sum)
    }
    self.sums = sums
  }

  @inlinable package var total: Int { sums.last ?? 0 }

  /// Returns the alternative to which `number` of the total belongs, which is the first with a
  /// greater sum.
  @inlinable func alternative(at number: Int) -> Int {
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Choices {
  /// Returns the index of one of `weights`, in proportion to its weight. A weight of zero is never
  /// chosen.
  @inlinable package mutating func pick(weights: Weights, from stream: Stream) -> Int {
    weights.alternative(at: draw(below: weights.total, from: stream))
  }
}
