/// What a run is generated from, apart from settings: a seed; or the first steps of another run,
/// and a seed for what follows.
///
/// As text `0x5c1a09`, or `0x5c1a09:17:0x33f0`: the first 17 steps of the run 0x5c1a09, then chance
/// anew. All that reports print can be given to `replay`.
package struct RunSeed: Hashable, Sendable {
  /// Each run begins as the one before did.
  package private(set) var seeds: [UInt64]
  /// How many steps it has in common with the one before; one less than there are seeds.
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

  /// The run that has `stepCount` steps in common with this one and goes on with `seed`. Of runs
  /// that this one itself has only shorter beginnings in common with, nothing is left.
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
