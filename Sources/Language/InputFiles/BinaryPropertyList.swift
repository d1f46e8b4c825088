import Foundation

/// A property list in Apple's binary format, including the references of archives, which Foundation
/// on Linux does not expose.
struct BinaryPropertyList {
  indirect enum Value {
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case data(Data)
    case array([Value])
    case dictionary([String: Value])
    /// The number of an object in an archive.
    case reference(Int)
  }

  let root: Value

  /// Parses a property list. Returns `nil` if the data is not a valid binary property list.
  init?(_ data: Data) {
    guard let parser = Parser(Array(data)), let root = parser.value(parser.top, depth: 0) else {
      return nil
    }
    self.root = root
  }
}

/// Reads values by their number. Checks every offset and count, because the file may be damaged.
private struct Parser {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  let top: Int
  private let table: Int
  private static let depthLimit = 200

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Array("bplist00".utf8)), bytes.count >= 40 else { return nil }
    self.bytes = bytes
    let trailer = bytes.count - 32
    func word(_ offset: Int) -> Int? {
      Int(
        exactly: bytes[(trailer + offset)..<(trailer + offset + 8)].reduce(0 as UInt64) {
          $0 << 8 | UInt64($1)
        })
    }
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard let count = word(8), let top = word(16), let table = word(24),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize), count < bytes.count,
      table < bytes.count, table + count * offsetSize <= bytes.count
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size >= 0, size <= 8, offset + size <= bytes.count else { return nil }
    return Int(exactly: bytes[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  func value(_ index: Int, depth: Int) -> BinaryPropertyList.Value? {
    guard depth < Parser.depthLimit, (0..<count).contains(index),
      let offset = number(at: table + index * offsetSize, size: offsetSize), offset < bytes.count
    else { return nil }
    let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
    switch kind {
    case 0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : nil
    case 1: return integer(at: offset + 1, size: 1 << low)
    case 2, 3: return real(at: offset + 1, size: 1 << low)
    case 8: return number(at: offset + 1, size: low + 1).map { .reference($0) }
    case 4, 5, 6, 10, 12, 13: break
    default: return nil
    }
    guard let (length, start) = length(at: offset, low) else { return nil }
    switch kind {
    case 4: return slice(start, length).map { .data(Data($0)) }
    case 5: return slice(start, length).flatMap { String(validUTF8: Data($0)) }.map { .string($0) }
    case 6: return slice(start, length * 2).map { .string(Parser.text($0)) }
    case 13: return dictionary(start, length, depth)
    default: return values(start, length, depth).map { .array($0) }
    }
  }

  /// Returns the length and the start of the content of the object at an offset.
  private func length(at offset: Int, _ low: Int) -> (Int, Int)? {
    guard low == 15 else { return (low, offset + 1) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else { return nil }
    let size = 1 << Int(bytes[offset + 1] & 15)
    guard let length = number(at: offset + 2, size: size), length <= bytes.count else { return nil }
    return (length, offset + 2 + size)
  }

  private func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8>? {
    start + length <= bytes.count ? bytes[start..<start + length] : nil
  }

  private func integer(at offset: Int, size: Int) -> BinaryPropertyList.Value? {
    guard size <= 8, offset + size <= bytes.count else { return nil }
    let word = bytes[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return .integer(Int64(bitPattern: word))
  }

  private func real(at offset: Int, size: Int) -> BinaryPropertyList.Value? {
    guard size == 4 || size == 8, offset + size <= bytes.count else { return nil }
    let word = bytes[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return .number(
      size == 8 ? Double(bitPattern: word) : Double(Float(bitPattern: UInt32(word))))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func values(_ start: Int, _ length: Int, _ depth: Int) -> [BinaryPropertyList.Value]? {
    var values: [BinaryPropertyList.Value] = []
    for place in 0..<length {
      guard let index = number(at: start + place * referenceSize, size: referenceSize),
        let value = value(index, depth: depth + 1)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private func dictionary(
    _ start: Int, _ length: Int, _ depth: Int
  ) -> BinaryPropertyList.Value? {
    guard let keys = values(start, length, depth),
      let members = values(start + length * referenceSize, length, depth)
    else { return nil }
    var result: [String: BinaryPropertyList.Value] = [:]
    for (key, value) in zip(keys, members) {
      guard case .string(let name) = key else { return nil }
      result[name] = value
    }
    return .dictionary(result)
  }
}
