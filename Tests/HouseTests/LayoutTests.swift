import Foundation
import Testing

@Suite struct `Every Swift file` {
  /// Files that were longer than the limit when it was introduced. The list may only get shorter.
  static let longFiles: Set<String> = []

  /// Functions that were longer than the limit when it was introduced, mostly switches that know
  /// all kinds of steps or events. The list may only get shorter.
  static let longFunctions: Set<String> = [
    "Sources/ReferenceModel/ReferenceStack+Steps.swift: run",
    "Sources/SimulatedCoreData/World+Performing.swift: perform",
  ]

  static func files() throws -> [SourceFile] {
    try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests")
  }

  /// `swift format` breaks code, but no comments and no literals. Literals may be longer: a search
  /// does not find a sentence that is broken.
  @Test func `keeps comments and code to 100 columns`() throws {
    for file in try Self.files() {
      let isInText = file.isInText
      for (index, line) in file.lines.enumerated() where line.utf8.count > 100 {
        guard line.count > 100, !isInText[index] else { continue }
        let isLiteral = !SourceFile.isComment(line) && (line.contains("\"") || line.hasSuffix("/"))
        let isName = line.contains("`") && line.contains("@Test")
        #expect(isLiteral || isName, "\(file.path):\(index + 1) has \(line.count) columns")
      }
    }
  }

  @Test func `has at most 350 lines`() throws {
    for file in try Self.files() where !Self.longFiles.contains(file.path) {
      #expect(file.lineCount <= 350, "\(file.path) has \(file.lineCount) lines: split it by ideas")
    }
    let long = Set(try Self.files().filter { $0.lineCount > 350 }.map(\.path))
    for path in Self.longFiles.subtracting(long).sorted() {
      Issue.record("\(path) needs no exception")
    }
  }

  @Test func `of Sources has fewer than 120 lines as a median`() throws {
    let counts = try SourceFile.all(below: "Sources").map(\.lineCount).sorted()
    #expect(counts[counts.count / 2] < 120)
  }

  @Test func `of Sources has functions of at most 60 lines`() throws {
    var long: Set<String> = []
    for file in try SourceFile.all(below: "Sources") {
      for (line, name, count) in functions(of: file) where count > 60 {
        let function = "\(file.path): \(name)"
        long.insert(function)
        #expect(
          Self.longFunctions.contains(function), "\(file.path):\(line): \(name) has \(count) lines")
      }
    }
    for function in Self.longFunctions.subtracting(long).sorted() {
      Issue.record("\(function) needs no exception")
    }
  }

  /// The functions of a file as `swift format` lays them out: a function ends with the next closing
  /// brace that stands as far left as its first line.
  private func functions(of file: SourceFile) -> [(line: Int, name: String, count: Int)] {
    var found: [(line: Int, name: String, count: Int)] = []
    for (index, line) in file.lines.enumerated() {
      let indent = line.prefix(while: { $0 == " " })
      let words = line.dropFirst(indent.count).split(separator: " ")
      guard let position = words.firstIndex(of: "func"), position + 1 < words.count,
        words[..<position].allSatisfy({ $0.allSatisfy { $0.isLetter || "@()".contains($0) } }),
        !line.hasSuffix("}")
      else { continue }
      let name = words[position + 1].prefix(while: { $0 != "(" && $0 != "<" })
      guard let end = file.lines[index...].firstIndex(where: { $0 == indent + "}" }) else {
        continue
      }
      found.append((index + 1, String(name), end - index + 1))
    }
    return found
  }
}
