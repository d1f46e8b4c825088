import Foundation
import Prose

/// A server of the Model Context Protocol, which answers messages one after the other.
struct ModelContextServer {
  /// The versions of the protocol that the server speaks, the preferred one first.
  private static let versions = ["2025-06-18", "2024-11-05"]

  private static let instructions = """
    Faultline finds lost updates, deadlocks and stale reads in designs of Core Data contexts. Call \
    read_guide first. Then write a stack, run_campaign, read_finding, change the stack, and run \
    again. Paths are relative to the folder in which the server was started.
    """

  private let folder: ServerFolder

  init(folder: ServerFolder) { self.folder = folder }

  /// Returns the line that answers a message, or nil for a message that expects no answer.
  func answer(to line: String) -> String? {
    switch ProtocolMessage(line: line) {
    case .notification: return nil
    case .malformed(let id, let error): return text(of: error, to: id)
    case .request(let id, let method, let parameters):
      do throws(ProtocolError) {
        let result = try result(of: method, parameters)
        return text(["jsonrpc": "2.0", "id": id.json, "result": result])
      } catch {
        return text(of: error, to: id)
      }
    }
  }

  private func result(
    of method: String, _ parameters: [String: Any]
  ) throws(ProtocolError) -> [String: Any] {
    switch method {
    case "initialize": return try initialize(parameters)
    case "ping": return [:]
    case "tools/list":
      if parameters["cursor"] != nil {
        throw .invalidParameters("'cursor' is unknown: the list has one page")
      }
      return ["tools": ServerTool.allCases.map(\.json)]
    case "tools/call": return try call(parameters)
    default: throw .unknownMethod(method)
    }
  }

  private func initialize(_ parameters: [String: Any]) throws(ProtocolError) -> [String: Any] {
    guard let version = parameters["protocolVersion"] as? String else {
      throw .invalidParameters("'protocolVersion' must be a string")
    }
    let versions = ModelContextServer.versions
    return [
      "protocolVersion": versions.contains(version) ? version : versions[0],
      "capabilities": ["tools": ["listChanged": false]],
      "serverInfo": ["name": "faultline", "title": "Faultline", "version": faultlineVersion],
      "instructions": ModelContextServer.instructions,
    ]
  }

  private func call(_ parameters: [String: Any]) throws(ProtocolError) -> [String: Any] {
    guard let name = parameters["name"] as? String else {
      throw .invalidParameters("'name' must be a string")
    }
    guard let tool = ServerTool(rawValue: name) else {
      let names = ServerTool.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParameters("unknown tool '\(name)'; the tools are \(names)")
    }
    guard let given = (parameters["arguments"] ?? [String: Any]()) as? [String: Any] else {
      throw .invalidParameters("'arguments' must be an object")
    }
    let arguments = try ToolArguments(given, of: tool)
    let answer = ToolCall(tool, arguments, in: folder).answer
    return [
      "content": [["type": "text", "text": answer.text]], "isError": answer.isError,
    ]
  }

  private func text(of error: ProtocolError, to id: ProtocolMessage.RequestID?) -> String {
    text([
      "jsonrpc": "2.0", "id": id?.json ?? NSNull(),
      "error": ["code": error.code, "message": error.message],
    ])
  }

  /// Returns a message as one line, because the encoder escapes line breaks.
  private func text(_ message: [String: Any]) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: message, options: options) else {
      preconditionFailure("a message is made of numbers, texts and lists")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
