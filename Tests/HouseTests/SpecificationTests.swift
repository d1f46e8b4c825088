import Foundation
import Testing

/// Engine and reference model are written from `Sources/SEMANTICS.md`, and cite it.
@Suite struct `The specification` {
  private static let path = "Sources/SEMANTICS.md"

  private static let read = Result {
    let text = try SourceFile.text(path)
    return Specification(text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  private static func specification() throws -> Specification { try read.get() }

  /// Operations that only one side implements, each with the reason.
  private static let oneSided = [
    "mark": "`Entity.mark` of the object model, which both sides call",
    "deadlock": "the reference model says that a lane waits; that it waits for good, the scheduler",
    "group-deadlock": "the scheduler's, as `deadlock`",
    "needed-queues": "the reference model is told which queues an action needs",
    "processing-queues": "as `needed-queues`", "commit-queues": "as `needed-queues`",
    "access-time": "the reference model has no time",
    "migration-match": "product CoreData migrates stores, which neither side knows",
    "migration-choose": "as `migration-match`", "migration-passes": "as `migration-match`",
    "migration-mapping-file": "as `migration-match`",
    "migration-first-stage": "as `migration-match`", "migration-stages": "as `migration-match`",
  ]

  @Test func `the specification has no sentence of more than 25 words`() throws {
    for sentence in try Self.specification().sentences where sentence.words.count > 25 {
      Issue.record("line \(sentence.line) has a sentence of \(sentence.words.count) words")
    }
  }

  @Test func `the specification numbers the steps of each operation from 1`() throws {
    #expect(try Self.specification().misnumbered == [])
  }

  @Test func `the specification links only to anchors that exist, each defined once`() throws {
    let specification = try Self.specification()
    let anchors = specification.sections.map(\.anchor)
    #expect(Set(anchors).count == anchors.count)
    let targets = Set(anchors).union(specification.headings)
    for link in specification.links where !targets.contains(link.target) {
      Issue.record("line \(link.line) links to #\(link.target), which does not exist")
    }
  }

  /// An operation that only one account implements cannot be compared.
  @Test(arguments: [
    ["Sources/Engine/SimulatedCoreData", "Sources/Engine/SimulatedDispatch"],
    ["Sources/Oracle/ReferenceModel", "Sources/Oracle/ReferenceDispatch"],
  ])
  func `each account cites the operations of the specification`(folders: [String]) throws {
    var cited: Set<String> = []
    for file in try folders.flatMap({ try SourceFile.all(below: $0) }) {
      for citation in file.citations { cited.insert(citation.anchor) }
    }
    for operation in try Self.specification().operations
    where !cited.contains(operation.anchor) && Self.oneSided[operation.anchor] == nil {
      let places = folders.joined(separator: " or ")
      Issue.record(
        "no file of \(places) cites §\(operation.anchor), line \(operation.line) of \(Self.path)")
    }
  }

  @Test func `the specification has each anchor and step that code cites`() throws {
    let specification = try Self.specification()
    let steps = Dictionary(
      uniqueKeysWithValues: specification.sections.map { ($0.anchor, Set($0.steps)) })
    let files = try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests")
    for file in files where file.path.hasPrefix("Sources/") {
      for citation in file.citations {
        let known = steps[citation.anchor]
        let exists =
          known != nil && (citation.step == nil || known?.contains(citation.step!) == true)
        if !exists {
          Issue.record("\(file.path):\(citation.line) cites \(citation.text), which does not exist")
        }
      }
    }
  }

  @Test func `a specification is read as it is written`() {
    let specification = Specification(
      """
      ## Loading

      ### Load an object

      <a id="load"></a>

      To **load** *id*, see [below](#fire) and [Loading](#loading):

      1. If *id* is temporary: [ID-15]
         1. Return *missing*.
         2. Assert. This is a second sentence.
      2. Return.
      4. Return again.
      """.split(separator: "\n", omittingEmptySubsequences: false))
    #expect(specification.operations.map(\.anchor) == ["load"])
    #expect(specification.operations.map(\.steps) == [["1", "1.1", "1.2", "2", "4"]])
    #expect(specification.misnumbered == [13])
    #expect(specification.links.map(\.target) == ["fire", "loading"])
    #expect(specification.headings == ["loading", "load-an-object"])
    #expect(specification.sentences.map(\.words.count) == [7, 4, 2, 1, 5, 1, 2])
  }
}

/// A mention of a part of the specification in a comment, as `§load.3`.
private struct Citation {
  let line: Int
  let text: String
  let anchor: String
  let step: String?
}

extension SourceFile {
  fileprivate var citations: [Citation] {
    // A line is searched only if it cites, because each search compiles the expression.
    lines.enumerated().filter { $0.element.contains("§") }.flatMap { index, line in
      line.matches(of: /§([a-z][a-z0-9]*(?:-[a-z0-9]+)*)((?:\.[0-9]+)*)/).map { match in
        Citation(
          line: index + 1, text: String(match.0), anchor: String(match.1),
          step: match.2.isEmpty ? nil : String(match.2.dropFirst()))
      }
    }
  }
}
