public import Foundation

/// Writes a value as a whole.
public protocol TopLevelEncoder<Output> {
  /// The type that it writes.
  associatedtype Output
  /// The value as it is written.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// Reads a value as a whole.
public protocol TopLevelDecoder<Input> {
  /// The type that it reads.
  associatedtype Input
  /// The value as it is read.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
