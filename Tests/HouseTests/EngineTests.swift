import Foundation
import Testing

/// The engine consists of a graph of objects, and of lanes that act on it.
@Suite struct `The engine` {
  private static func files(in folder: String) throws -> [SourceFile] {
    try SourceFile.all(below: "Sources/Engine/SimulatedCoreData/" + folder)
  }

  private static func count(_ pattern: Regex<Substring>, in files: [SourceFile]) -> Int {
    files.reduce(0) { count, file in
      file.lines.reduce(count) { $0 + $1.matches(of: pattern).count }
    }
  }

  @Test func `the engine has a graph that knows neither lanes nor queues`() throws {
    for file in try Self.files(in: "ObjectGraph") {
      for (index, line) in file.lines.enumerated() where !SourceFile.isComment(line) {
        let isForeign = line.contains(
          /\b(World|Frame|LaneID|QueueID|[dD]ispatcher|SimulatedDispatch)\b/)
        #expect(!isForeign, "\(file.path):\(index + 1): \(line)")
      }
    }
  }

  @Test func `the engine has lanes that leave instances to the graph`() throws {
    #expect(Self.count(/\.objects\b/, in: try Self.files(in: "Lanes").without("WorldStorage")) == 0)
  }

  /// The number may only get lower, because verbs of contexts replace such accesses.
  @Test func `the engine's graph reaches into contexts at few places`() throws {
    let files = try Self.files(in: "ObjectGraph").filter { $0.path.contains("/ObjectGraph+") }
    #expect(Self.count(/contexts\[[A-Za-z.()]+\]\.objects\[/, in: files) <= 147)
  }

  /// The numbers may only get lower.
  @Test func `the engine spreads its types over a limited number of files`() throws {
    func fileCount(_ type: String) throws -> Int {
      try Self.files(in: "").count { $0.path.contains("/\(type)+") }
    }
    #expect(try fileCount("ObjectGraph") <= 43)
    #expect(try fileCount("World") <= 22)
    #expect(try fileCount("ManagedObjectContext") <= 15)
  }
}

extension [SourceFile] {
  fileprivate func without(_ name: String) -> [SourceFile] {
    filter { !$0.path.hasSuffix("/\(name).swift") }
  }
}
