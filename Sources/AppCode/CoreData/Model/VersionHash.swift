import Determinism
import Foundation

/// Hashes of the stored form of an entity or a property. They are equal in all processes, but
/// differ from those of Apple's Core Data.
enum VersionHash {
  /// Returns the hash of a text. Like Apple's hashes, it has 32 bytes.
  static func of(_ text: String) -> Data { bytes(of: text, words: 4) }

  /// Returns a 128-bit checksum of the version hashes of a model's entities.
  static func checksum(of hashes: [String: Data]) -> String {
    let lines = hashes.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.base64EncodedString())" }
    return bytes(of: lines.joined(separator: "\n"), words: 2).base64EncodedString()
  }

  /// Returns whether a text may be a checksum from `checksum(of:)`. Apple's checksums have 256
  /// bits.
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
