/// How likely each of some alternatives is, for those that are picked from often: what the weights
/// add up to is computed once.
@usableFromInline package struct Weights: Hashable, Sendable {
  /// By alternative: its weight and all before it.
  @usableFromInline let sums: [Int]

  package init(_ weights: [Int]) { self.init(count: weights.count) { weights[$0] } }

  /// Of alternatives with numbers from 0.
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

  /// The alternative that `number` of the total falls to: the first whose sum is greater.
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
  /// The index of one of `weights`, in proportion to its weight. Zero weights are never chosen.
  @inlinable package mutating func pick(weights: Weights, from stream: Stream) -> Int {
    weights.alternative(at: draw(below: weights.total, from: stream))
  }
}
