import Foundation
import Testing

@Suite struct `Every Swift file` {
  /// Functions that are longer than the limit, each with its reason. The list may only get shorter.
  static let longFunctions: [String: String] = [
    "Sources/Oracle/ReferenceModel/ReferenceStack/ReferenceStack+Steps.swift: run":
      "the only switch of the reference model over all kinds of steps: what each does, in one place",
    "Sources/Engine/SimulatedCoreData/ObjectGraph/ObjectGraph+Performing.swift: perform":
      "the only switch of the engine over all kinds of steps",
    "Sources/Language/Vocabulary/Step+Kind.swift: kind":
      "a table: a line for each kind of step, which the compiler keeps complete",
  ]

  static func files() throws -> [SourceFile] {
    try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests")
  }

  /// `swift format` breaks code, but no comments and no literals. Literals may be longer, because a
  /// search does not find a sentence that is broken.
  @Test func `every file keeps comments and code to 100 columns`() throws {
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

  @Test func `the files of Sources have functions of at most 60 lines`() throws {
    var long: Set<String> = []
    for file in try SourceFile.all(below: "Sources") {
      for (line, name, count) in functions(of: file) where count > 60 {
        let function = "\(file.path): \(name)"
        long.insert(function)
        #expect(
          Self.longFunctions[function] != nil, "\(file.path):\(line): \(name) has \(count) lines")
      }
    }
    for function in Set(Self.longFunctions.keys).subtracting(long).sorted() {
      Issue.record("\(function) needs no exception")
    }
    #expect(Self.longFunctions.count <= 3)
  }

  /// Tests how the test above recognizes functions and counts their lines.
  @Test func `functions, initializers, subscripts and computed variables are found`() {
    let text = """
      struct A {
        var stored: Int = list.count {
        }
        package var short: Int { 1 }
        package var computed: Int {
          1
        }
        @inlinable static func method<T>(
          _ value: T
        ) -> T {
          self.init(value)
        }
        init?<T>(_ value: T) {
        }
        subscript(index: Int) -> Int {
          get { 1 }
        }
      }
      """
    let file = SourceFile(
      path: "A.swift", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    let found = functions(of: file).map { "\($0.line) \($0.name) \($0.count)" }
    #expect(found == ["5 computed 3", "8 method 5", "13 init 2", "15 subscript 3"])
  }

  /// Returns functions, initializers, subscripts and computed variables, in the layout of `swift
  /// format`. Each ends with the next closing brace in the column of its first line.
  private func functions(of file: SourceFile) -> [(line: Int, name: String, count: Int)] {
    var found: [(line: Int, name: String, count: Int)] = []
    for (index, line) in file.lines.enumerated() {
      let indent = line.prefix(while: { $0 == " " })
      let words = line.dropFirst(indent.count).split(separator: " ")
      guard let (position, name) = declaration(in: words),
        words[..<position].allSatisfy({ $0.allSatisfy { $0.isLetter || "@()".contains($0) } }),
        !line.hasSuffix("}"),
        let end = file.lines[index...].firstIndex(where: { $0 == indent + "}" })
      else { continue }
      found.append((index + 1, name, end - index + 1))
    }
    return found
  }

  /// Returns the name of the declaration that can have a body, and the index of its word.
  private func declaration(in words: [Substring]) -> (position: Int, name: String)? {
    for (position, word) in words.enumerated() {
      let keyword = word.prefix(while: \.isLetter)
      let isCalled = word.dropFirst(keyword.count).contains { "(<".contains($0) }
      switch keyword {
      case "init" where isCalled, "subscript" where isCalled: return (position, String(keyword))
      case "func" where position + 1 < words.count:
        return (position, String(words[position + 1].prefix { $0 != "(" && $0 != "<" }))
      case "var" where position + 1 < words.count:
        let isComputed =
          words[position + 1].hasSuffix(":") && words.last == "{" && !words.contains("=")
        return isComputed ? (position, String(words[position + 1].dropLast())) : nil
      default: continue
      }
    }
    return nil
  }
}
