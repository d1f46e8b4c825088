/// The seed from which a run is generated, apart from settings. A run may begin with the first
/// steps of another run.
///
/// Examples of the text are `0x5c1a09` and `0x5c1a09:17:0x33f0`. The latter takes the first 17
/// steps of the run 0x5c1a09, then new choices from the seed 0x33f0. `replay` accepts every seed
/// that reports print.
package struct RunSeed: Hashable, Sendable {
  /// The seeds. The run of each seed begins as the run before it did.
  package private(set) var seeds: [UInt64]
  /// The number of steps that each run has in common with the run before it. Has one element less
  /// than `seeds`.
  package private(set) var stepCounts: [Int] = []

  package init(_ seed: UInt64) { seeds = [seed] }

  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    seeds = []
    for (index, part) in parts.enumerated() {
      if index.isMultiple(of: 2) {
        let isHexadecimal = part.hasPrefix("0x")
        guard
          let seed = isHexadecimal ? UInt64(part.dropFirst(2), radix: 16) : UInt64(part)
        else { return nil }
        seeds.append(seed)
      } else {
        guard let count = Int(part), count > stepCounts.last ?? -1 else { return nil }
        stepCounts.append(count)
      }
    }
    guard seeds.count == stepCounts.count + 1 else { return nil }
  }

  package var text: String {
    var text = "0x" + String(seeds[0], radix: 16)
    for (count, seed) in zip(stepCounts, seeds.dropFirst()) {
      text += ":\(count):0x" + String(seed, radix: 16)
    }
    return text
  }

  /// Returns the seed of a run that has `stepCount` steps in common with this one and continues
  /// with `seed`. Drops seeds that contribute only later steps of this run.
  package func branching(after stepCount: Int, to seed: UInt64) -> RunSeed {
    var result = self
    while let last = result.stepCounts.last, last >= stepCount {
      result.stepCounts.removeLast()
      result.seeds.removeLast()
    }
    result.stepCounts.append(stepCount)
    result.seeds.append(seed)
    return result
  }
}
