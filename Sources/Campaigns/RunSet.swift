import Foundation

/// A set of runs by number, from 1. Takes a bit for each run up to the last, so that shards of a
/// campaign can say how many runs failed in one of several ways, each counted once.
package struct RunSet: Hashable, Sendable {
  private var words: [UInt64] = []

  package init() {}

  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The smallest number; nil if there is none.
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

  /// Nil if `text` is no such text.
  package init?(_ text: String) {
    guard let data = Data(base64Encoded: text), data.count % 8 == 0 else { return nil }
    let bytes = [UInt8](data)
    words = stride(from: 0, to: bytes.count, by: 8).map { start in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
    }
  }
}
