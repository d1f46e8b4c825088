import Foundation
import Preparing
import Testing

/// A temporary folder of sources, which is removed with the instance.
final class PreparedFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-prepare-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and the folders in its name, and returns the path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}

/// The result of preparing one source.
struct PreparedSource {
  /// The imports that the preparation adds.
  let imports: [String]
  /// The first line of the rest, which gives the location of the source.
  let location: String
  /// The lines of the source, as they compile.
  let body: String
  /// The errors that stop the compilation, as "line: message".
  let errors: [String]

  init(_ source: String) throws {
    let folder = try PreparedFolder()
    let path = try folder.write(source, to: "Source.swift")
    let outputs = try Preparation(paths: [path]).outputs()
    let text = try #require(outputs.first { $0.name == "Source.prepared.swift" }).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .drop { !$0.hasPrefix("#sourceLocation") }.map { $0 }
    imports = text.split(separator: "\n").prefix { !$0.hasPrefix("#sourceLocation") }
      .map(String.init)
    let count = source.split(separator: "\n", omittingEmptySubsequences: false).count
    location = lines[0].replacingOccurrences(of: path, with: "Source.swift")
    body = lines[1...count].joined(separator: "\n")
      .replacingOccurrences(of: path, with: "Source.swift")
    let rest = lines.dropFirst(count + 1).filter { !$0.isEmpty }
    let numbers = rest.filter { $0.hasPrefix("#sourceLocation") }
    let messages = rest.filter { $0.hasPrefix("#error(\"") }
    try #require(numbers.count == messages.count && numbers.count * 2 == rest.count, "\(rest)")
    errors = zip(numbers, messages).map { number, message in
      let line = number.split(separator: " ").last.map { String($0.dropLast()) } ?? ""
      return line + ": " + message.dropFirst("#error(\"".count).dropLast(2)
    }
  }
}
