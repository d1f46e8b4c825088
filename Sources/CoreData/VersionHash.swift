import Determinism
import Foundation

/// A number for what a store has of an entity or a property: the same in each process, and another
/// than the one that Apple's Core Data computes.
enum VersionHash {
  /// As long as Apple's: 32 bytes.
  static func of(_ text: String) -> Data { bytes(of: text, words: 4) }

  /// A number for all entities of a model, of 128 bits.
  static func checksum(of hashes: [String: Data]) -> String {
    let lines = hashes.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.base64EncodedString())" }
    return bytes(of: lines.joined(separator: "\n"), words: 2).base64EncodedString()
  }

  /// Whether a text may be a checksum. Apple's are of 256 bits.
  static func isChecksum(_ text: String) -> Bool { Data(base64Encoded: text)?.count == 16 }

  private static func bytes(of text: String, words: Int) -> Data {
    var data = Data()
    for number in 0..<words {
      var digest = Digest()
      digest.feed(number)
      digest.feed(text)
      for shift in stride(from: 56, through: 0, by: -8) {
        data.append(UInt8(truncatingIfNeeded: digest.value >> UInt64(shift)))
      }
    }
    return data
  }
}
