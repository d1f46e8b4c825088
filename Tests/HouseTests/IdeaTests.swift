import Foundation
import Testing

/// A file is one idea: it declares few types, and can be read without most other files of its
/// module.
@Suite struct `The ideas of a file` {
  private static let mostTypes = 6

  /// Files that declare more types, each with its reason. The list may only get shorter.
  private static let families: [String: String] = [
    "Sources/AppCode/Combine/Publisher.swift":
      "the protocols of Combine, which refer to each other",
    "Sources/AppCode/CoreData/Requests/NSPersistentStoreRequest.swift":
      "batch requests and their results",
    "Sources/Language/ObjectModel/Entity.swift": "an entity with its properties",
    "Sources/Language/Vocabulary/Event.swift": "an event with its payloads",
    "Sources/Language/Vocabulary/Stack.swift": "a stack with its parts",
    "Sources/Language/Vocabulary/Step.swift": "a step with its operands",
  ]

  /// The largest number of files of a module that refer to each other in a circle.
  private static let mostFilesInACycle = 10

  /// Modules with larger cycles, each with the size of the largest. The sizes may only get smaller.
  private static let cycles = ["CoreData": 61, "FaultlineTool": 20]

  @Test func `a file of Sources declares at most six types`() throws {
    var families = Self.families
    for file in try SourceFile.all(below: "Sources") where file.types.count > Self.mostTypes {
      #expect(
        families.removeValue(forKey: file.path) != nil,
        "\(file.path) declares \(file.types.joined(separator: ", "))")
    }
    for path in families.keys.sorted() { Issue.record("\(path) needs no exception") }
  }

  @Test func `the files of a module refer to each other in small cycles`() throws {
    let modules = Dictionary(grouping: try SourceFile.all(below: "Sources"), by: \.module)
    for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
      let size = FileGraph(files).largestCycle
      #expect(
        size <= Self.cycles[module] ?? Self.mostFilesInACycle,
        "\(module): \(size) of \(files.count) files refer to each other")
      if let limit = Self.cycles[module], size < limit {
        Issue.record("\(module): the cycle has \(size) files, and may have \(limit)")
      }
    }
  }

  @Test func `a cycle leads back to its first file`() {
    let texts = [
      "struct A { var b: B? }", "struct B { var c: C }", "enum C { case a(A) }", "class D {}",
    ]
    let files = texts.enumerated().map { SourceFile(path: "\($0)", lines: [$1[...]]) }
    #expect(files.map(\.types) == [["A"], ["B"], ["C"], ["D"]])
    #expect(FileGraph(files).largestCycle == 3)
    #expect(FileGraph(Array(files.dropFirst())).largestCycle == 1)
  }
}

extension SourceFile {
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect", "open",
  ]

  /// The names of the types that the file declares outside of other types.
  var types: [String] {
    lines.compactMap { line in
      if line.first?.isWhitespace ?? true { return nil }
      let words = line.split(separator: " ")
      let rest = words.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
      guard rest.count > 1, let kind = rest.first, Self.kinds.contains(kind) else { return nil }
      return String(rest[rest.startIndex + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }
}

/// The files of a module, with an edge to each file that declares a type that the first one names.
private struct FileGraph {
  private let edges: [[Int]]

  init(_ files: [SourceFile]) {
    var owners: [Substring: Int] = [:]
    for (index, file) in files.enumerated() {
      for type in file.types { owners[type[...]] = index }
    }
    edges = files.enumerated().map { index, file in
      let code = file.lines.filter { !SourceFile.isComment($0) }
      let words = code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      return Set(words.compactMap { owners[$0] }).subtracting([index]).sorted()
    }
  }

  /// The number of files in the largest set whose files can all be reached from each other.
  var largestCycle: Int {
    let reached = edges.indices.map(files(reachedFrom:))
    return edges.indices.map { file in
      reached[file].count { $0 == file || reached[$0].contains(file) }
    }.max() ?? 0
  }

  private func files(reachedFrom start: Int) -> Set<Int> {
    var (reached, open): (Set<Int>, [Int]) = ([start], [start])
    while let file = open.popLast() {
      for next in edges[file] where reached.insert(next).inserted { open.append(next) }
    }
    return reached
  }
}
