import Foundation

/// An error of JSON-RPC 2.0.
struct ProtocolError: Error {
  let code: Int
  let message: String

  static func unreadable(_ message: String) -> ProtocolError {
    ProtocolError(code: -32_700, message: message)
  }

  static func invalidRequest(_ message: String) -> ProtocolError {
    ProtocolError(code: -32_600, message: message)
  }

  static func unknownMethod(_ method: String) -> ProtocolError {
    ProtocolError(code: -32_601, message: "unknown method '\(method)'")
  }

  static func invalidParameters(_ message: String) -> ProtocolError {
    ProtocolError(code: -32_602, message: message)
  }
}

/// A message of JSON-RPC 2.0 from the client.
enum ProtocolMessage {
  case request(id: RequestID, method: String, parameters: [String: Any])
  /// A message that expects no answer: a notification, or the response to a request of the server.
  case notification
  /// A message that breaks the protocol. The identifier is nil if it could not be read.
  case malformed(id: RequestID?, ProtocolError)

  enum RequestID: Hashable {
    case number(Int)
    case text(String)

    init?(_ value: Any) {
      if let text = value as? String {
        self = .text(text)
      } else if let number = JSONNumber.integer(value) {
        self = .number(number)
      } else {
        return nil
      }
    }

    var json: Any {
      switch self {
      case .number(let number): number
      case .text(let text): text
      }
    }
  }

  /// The maximum number of bytes in a message.
  private static let sizeLimit = 1_000_000

  init(line: String) {
    guard line.utf8.count <= ProtocolMessage.sizeLimit else {
      self = .malformed(
        id: nil, .invalidRequest("a message must not exceed \(ProtocolMessage.sizeLimit) bytes"))
      return
    }
    guard
      let value = try? JSONSerialization.jsonObject(
        with: Data(line.utf8), options: .fragmentsAllowed)
    else {
      self = .malformed(id: nil, .unreadable("the line is not JSON"))
      return
    }
    guard let object = value as? [String: Any] else {
      self = .malformed(id: nil, .invalidRequest("each line must be one JSON object"))
      return
    }
    self = ProtocolMessage.read(object)
  }

  private static func read(_ object: [String: Any]) -> ProtocolMessage {
    let id = object["id"].flatMap(RequestID.init)
    guard object["jsonrpc"] as? String == "2.0" else {
      return .malformed(id: id, .invalidRequest("'jsonrpc' must be \"2.0\""))
    }
    if object["method"] == nil, object["result"] != nil || object["error"] != nil {
      return .notification
    }
    guard let method = object["method"] as? String else {
      return .malformed(id: id, .invalidRequest("'method' must be a string"))
    }
    if object["id"] == nil { return .notification }
    guard let id else {
      return .malformed(id: nil, .invalidRequest("'id' must be a string or an integer"))
    }
    let given = object["params"] ?? [String: Any]()
    guard let parameters = given as? [String: Any] else {
      return .malformed(id: id, .invalidParameters("'params' must be an object"))
    }
    return .request(id: id, method: method, parameters: parameters)
  }
}

/// Numbers and Boolean values of JSON, which Foundation represents by one class.
enum JSONNumber {
  static func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    // Foundation reads no number of JSON as a C character.
    return unsafe number.objCType.pointee == CChar(UInt8(ascii: "c"))
  }

  /// Returns the integer, or nil for a Boolean value, a fraction or another type.
  static func integer(_ value: Any) -> Int? {
    guard let number = value as? NSNumber, !isBoolean(value) else { return nil }
    return Int(exactly: number.doubleValue) == nil ? nil : number as? Int
  }
}
