public import Foundation

/// A type that encodes complete values.
public protocol TopLevelEncoder<Output> {
  /// The type of encoded values.
  associatedtype Output
  /// Returns the encoded value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A type that decodes complete values.
public protocol TopLevelDecoder<Input> {
  /// The type of encoded values.
  associatedtype Input
  /// Returns the decoded value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
