import Foundation

/// A Swift file of this checkout, as lines.
struct SourceFile {
  /// The path relative to the root of the checkout, such as `Sources/Base/Prose/Wrapping.swift`.
  let path: String
  let lines: [Substring]

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  /// Returns the Swift files below a folder, in the order of their paths.
  static func all(below folder: String) throws -> [SourceFile] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
    return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted().map {
      let path = folder + "/" + $0
      return SourceFile(
        path: path,
        lines: try text(path).split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// The module of a file of Sources: the folder on a floor, or `Faultline`.
  var module: String {
    let folders = path.split(separator: "/")
    return String(folders[1] == "Faultline" ? folders[1] : folders[2])
  }

  var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

  /// Returns whether a line is nothing but a comment.
  static func isComment(_ line: Substring) -> Bool {
    line.drop(while: { $0 == " " }).hasPrefix("//")
  }

  /// A Boolean value for each line that indicates whether it belongs to a literal of several lines.
  var isInText: [Bool] {
    var isInside = false
    return lines.map { line in
      let wasInside = isInside
      if line.contains("\"\"\"") { isInside.toggle() }
      return wasInside || isInside
    }
  }
}
