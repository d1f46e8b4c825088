import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `The benchmark` {
  /// The contents of `bench.json`.
  private struct Results: Decodable {
    struct Figure: Decodable {
      var name: String
      var unit: String
      var median, least, greatest: Double
      var samples: [Double]
    }
    struct Section: Decodable {
      var title: String
      var figures: [Figure]
    }
    struct Curve: Decodable {
      struct Point: Decodable {
        var x: Int
        var time: Figure
        var memory: Figure?
      }
      var title: String
      var points: [Point]
    }
    var coreCount: Int
    var programsPerSecond: Double
    var sections: [Section]
    var curves: [Curve]
  }

  /// Counts the elements of a picture.
  private final class ElementCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) { counts[element, default: 0] += 1 }
  }

  @Test func `the benchmark measures every part, as table, JSON, picture and page`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-bench-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("page.md")
    // The modules as Tests/modules.sh prints them.
    let modules = folder.appendingPathComponent("modules.txt")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "all 33232 100.0\nSimulatedCoreData 12074 36.3\n".write(
      to: modules, atomically: true, encoding: .utf8)
    let run = try Faultline.run(
      Faultline.bench,
      [
        "--quick", "--samples", "2", "--seconds", "0.001", "--output", folder.path, "--page",
        page.path, "--modules", modules.path,
      ], in: Faultline.root)
    #expect(run.code == 0, "\(run.error)")

    let results = try JSONDecoder().decode(
      Results.self, from: Data(contentsOf: folder.appendingPathComponent("bench.json")))
    #expect(results.programsPerSecond > 0 && results.coreCount > 0)
    #if os(Linux)
      // One section is about the library on an app's own code.
      #expect(results.sections.count == 9)
    #endif
    #expect(results.curves.count == 5)
    let points = results.curves.flatMap(\.points)
    for figure in results.sections.flatMap(\.figures) + points.map(\.time) {
      #expect(figure.samples.count == 2, "\(figure.name)")
      #expect(0 < figure.least, "\(figure.name)")
      #expect(figure.least <= figure.median && figure.median <= figure.greatest)
      #expect(figure.samples.min() == figure.least && figure.samples.max() == figure.greatest)
      #expect(run.output.contains(figure.name))
    }

    let picture = ElementCounter()
    let parser = XMLParser(
      data: try Data(contentsOf: folder.appendingPathComponent("growth.svg")))
    parser.delegate = picture
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let memories = points.compactMap(\.memory)
    #if os(Linux)
      #expect(memories.count == points.count)
    #endif
    for memory in memories {
      #expect(memory.samples.count == 2 && 0 <= memory.least && memory.least <= memory.greatest)
    }
    // A few objects need no further page of memory.
    for last in results.curves.compactMap(\.points.last?.memory) { #expect(0 < last.least) }
    #expect(picture.counts["circle"] == points.count + memories.count)
    #expect(picture.counts["polyline"] == (memories.isEmpty ? 5 : 10))

    // The committed page has the chapters of a new measurement.
    let committed = try String(
      contentsOf: Faultline.root.appendingPathComponent("Tests/SPEED.md"), encoding: .utf8)
    let new = try String(contentsOf: page, encoding: .utf8)
    #expect(chapters(of: new) == chapters(of: committed))
    #expect(new.contains("| `SimulatedCoreData` | 12,074 | 36.3 |\n"))
    #expect(new.contains("![") && committed.contains("!["))
    for page in [page, Faultline.root.appendingPathComponent("Tests/SPEED.md")] {
      let beside = page.deletingPathExtension().appendingPathExtension("svg")
      #expect(FileManager.default.fileExists(atPath: beside.path), "\(beside.path)")
    }
    for section in results.sections {
      for figure in section.figures { #expect(new.contains("| \(figure.name) | ")) }
    }
  }

  private func chapters(of page: String) -> [Substring] {
    // Returns titles, and heads of tables.
    let lines = page.split(separator: "\n")
    return lines.indices.filter {
      lines[$0].hasPrefix("#") || $0 + 1 < lines.count && lines[$0 + 1].hasPrefix("|--")
    }.map { lines[$0] }
  }

  #if os(Linux)
    @Test func `the benchmark shows memory that is proportional to live objects`() throws {
      func bytes(_ what: String, _ count: Int) throws -> Int {
        let run = try Faultline.run(
          Faultline.bench, ["--memory", what, "\(count)"], in: Faultline.root)
        return try #require(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
      // Ten times the objects need ten times the memory. Arrays may have up to twice the room that
      // they need.
      for (what, count) in [
        ("objects", 1_000), ("rows", 10_000), ("contexts", 10), ("levels", 4), ("steps", 2_000),
      ] {
        let ratio = Double(try bytes(what, 10 * count)) / Double(try bytes(what, count))
        #expect(5...20 ~= ratio, "\(what): \(ratio)")
      }
    }
  #endif

  @Test func `the benchmark says in one line what it does not understand`() throws {
    for (words, complaint) in [
      (["--oops"], "'--oops' is not an option; --help lists them"),
      (["--only"], "'--only' needs a value"),
      (["--only", "nothing"], "no part is called 'nothing'"),
      (["--samples", "2.5"], "write a whole number"),
      (["--samples", "0"], "write a number from 1"),
      (["--memory", "dust", "1"], "'--memory' counts contexts, levels, objects, rows, steps"),
      (["--memory", "rows", "0"], "'--memory rows': write a number from 1 to 1000000"),
      (["--case", "nothing"], "there are steps, small, broken"),
      (["--peers", "nowhere.json", "--only", "steps"], "nowhere.json"),
      (["--modules", "Makefile", "--only", "steps"], "is not a line that Tests/modules.sh prints"),
      (["--only", "small", "--output", "/dev/null/here"], "cannot create this folder"),
    ] {
      let run = try Faultline.run(Faultline.bench, words, in: Faultline.root)
      #expect(run.code == 2, "\(words)")
      #expect(run.output.isEmpty)
      #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
      #expect(run.error.contains(complaint), "\(run.error)")
    }
  }
}
