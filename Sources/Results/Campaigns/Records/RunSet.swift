import Foundation

/// A set of runs by number, from 1. Merged shards use it to count a run once if it failed in
/// several ways.
///
/// - Complexity: One bit for each run up to the greatest number.
package struct RunSet: Hashable, Sendable {
  private var words: [UInt64] = []

  package init() {}

  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The smallest number, or nil if the set is empty.
  package var first: Int? {
    words.firstIndex { $0 != 0 }.map { $0 * 64 + words[$0].trailingZeroBitCount + 1 }
  }

  package mutating func insert(_ number: Int) {
    precondition(number > 0, "run \(number)")
    let (word, bit) = (number - 1).quotientAndRemainder(dividingBy: 64)
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(bit)
  }

  package mutating func formUnion(_ other: RunSet) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }
}

extension RunSet {
  /// The bits, lowest number first, as base64.
  package var text: String {
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return Data(bytes).base64EncodedString()
  }

  /// Creates a set from its `text`. Returns nil if the text is not valid.
  package init?(_ text: String) {
    guard let data = Data(base64Encoded: text), data.count % 8 == 0 else { return nil }
    let bytes = [UInt8](data)
    words = stride(from: 0, to: bytes.count, by: 8).map { start in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
    }
  }
}
