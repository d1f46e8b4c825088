import Execution
import Failures
import Foundation
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct `A picture` {
  private let merge = "Conflicts/childs-merge-loses-an-update.scenario"
  private let deadlock = "Stacks/observer-merges-against-a-fetch.scenario"

  private func texts(_ picture: Picture, _ kind: String) throws -> [String] {
    let document = try XMLDocument(xmlString: picture.file)
    let path = "//*[local-name()='text'][contains(concat(' ',@class,' '),' \(kind) ')]"
    return try document.nodes(forXPath: path).map { node in
      // The text without the hint, which has the whole text.
      node.children?.first?.stringValue ?? ""
    }
  }

  @Test func `a picture has at each save and merge what it carries`() throws {
    let picture = Picture(try Recorded.timeline(merge))
    #expect(
      try texts(picture, "save") == [
        "new n", "title = \"right\"", "title = \"right\"", "title = \"left\"",
      ])
    #expect(try texts(picture, "merge") == ["new n", "title = \"right\", keeps \"left\""])
  }

  /// Areas are in pixels. A character of a label takes 6.7.
  private func labelAreas(_ picture: Picture) -> [(text: String, x: Range<Double>, y: Double)] {
    picture.file.matches(of: /<text class="label ([^"]*)" x="(\d+)" y="(\d+)">([^<]*)/).map {
      label in
      let (x, y) = (Double(label.2) ?? 0, Double(label.3) ?? 0)
      let width = Double(label.4.count) * 6.7
      let isLeftwards = label.1.contains("leftwards")
      return (String(label.4), isLeftwards ? x - width..<x : x..<x + width, y)
    }
  }

  /// A save to two stores, a wait beside another, and edges of a deadlock beside a save.
  @Test(arguments: [
    "Stores/assigned-store", "Stores/entities-find-their-store",
    "Stores/refusal-of-one-store-spares-none",
    "Concurrency/group-left-behind-a-block-that-waits",
    "Concurrency/waiting-observer-meets-an-automatic-merge",
  ])
  func `a picture writes no label over another`(name: String) throws {
    let timeline = try Recorded.timeline(name + ".scenario")
    let areas = labelAreas(Picture(timeline))
    #expect(areas.count > 1)
    for (index, one) in areas.enumerated() {
      for other in areas[(index + 1)...] {
        // Two merges of one save into one context have the same text in one place.
        let isSame = one.text == other.text && one.x == other.x && one.y == other.y
        #expect(
          isSame || !one.x.overlaps(other.x) || abs(one.y - other.y) >= 10,
          "'\(one.text)' and '\(other.text)'")
      }
    }
  }

  @Test func `a picture numbers the steps that prove what it is about`() throws {
    let timeline = try Recorded.timeline(merge)
    let document = try XMLDocument(
      xmlString: Picture(timeline, about: FailureKind("lost update through a merge")).file)
    let proving = try document.nodes(
      forXPath: "//*[contains(concat(' ',@class,' '),' moment ')]"
        + "[contains(concat(' ',@class,' '),' proof ')]/*[@class='step']")
    #expect(proving.map(\.stringValue) == ["6", "8", "10", "11"])
    let numbers = try document.nodes(
      forXPath: "//*[@class='marks shown']/*[local-name()='text'][@class='badge']")
    #expect(numbers.map(\.stringValue) == ["1", "2", "3", "4"])
  }

  @Test func `a picture and a diagram shorten names of lanes that have no room`() throws {
    let names = (1...7).map { "attachmentDownloadContext\($0)" }
    let text = smallScenario(
      steps: (["view"] + names).map { "  \($0)  fetch Note" }.joined(separator: "\n")
    ).replacing(
      "  edit  privateQueue parent view",
      with: names.map { "  \($0)  privateQueue coordinator store" }.joined(separator: "\n"))
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    let (_, timeline) = ProgramRunner(
      RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    ).timeline(of: Program(scenario))
    let heads = try texts(Picture(timeline), "head")
    #expect(heads.count == 9 && heads[1...7].allSatisfy { $0.hasSuffix("…") }, "\(heads)")
    let lines = LaneDiagram(timeline).lines
    #expect(lines[0].contains("…") && lines.allSatisfy { $0.count <= 6 + 8 * 19 }, "\(lines)")
  }

  @Test func `a picture closes the cycle of a deadlock`() throws {
    let timeline = try Recorded.timeline(deadlock)
    let cycle = try #require(timeline.findings.first).cycle
    #expect(cycle.map(\.holds) == ["main queue", "write"])
    #expect(cycle.map(\.waitsFor) == ["write", "main queue"])
    let moments = cycle.map { link in
      [link.taken, link.wait].map { $0.map { timeline.moments[$0].text } ?? "" }
    }
    #expect(
      moments == [
        ["performAndWait", "'view fetch Note' waits for write"],
        ["insert Note as a", "'view performAndWait' waits for the main queue"],
      ])
    #expect(
      try texts(Picture(timeline), "cycle") == [
        "holds main queue", "waits for write", "holds write", "waits for main queue",
      ])
  }

  @Test func `a picture closes the cycle of a lane that comes back to the main queue`() throws {
    let timeline = try Recorded.timeline("Concurrency/block-on-main-comes-back.scenario")
    let cycle = try #require(timeline.findings.first).cycle
    #expect(cycle.map(\.holds) == ["root", "main queue"])
    #expect(cycle.map(\.waitsFor) == ["main queue", "root"])
    #expect(
      try texts(Picture(timeline), "cycle") == [
        "holds root", "waits for main queue", "holds main queue", "waits for root",
      ])
  }

  @Test func `a picture for a card is narrow and describes its steps`() throws {
    func width(of svg: String) throws -> Int {
      try #require(svg.firstMatch(of: /width="(\d+)"/).flatMap { Int($0.1) })
    }
    for path in [merge, deadlock] {
      let timeline = try Recorded.timeline(path)
      let card = Picture(forCard: timeline, about: nil).element
      #expect(throws: Never.self) { try XMLDocument(xmlString: card) }
      let (narrow, wide) = (try width(of: card), try width(of: Picture(timeline).file))
      #expect(narrow < wide, "\(path)")
      let text = try #require(card.firstMatch(of: /role="img" aria-label="([^"]*)"/)?.1)
      #expect(text.contains("step 1, ") && text.contains("; step 2, "), "\(text)")
    }
  }

  @Test func `a picture for a card omits the reason of a failure`() throws {
    let timeline = try Recorded.timeline("Saving/poisoned-context.scenario")
    let card = Picture(forCard: timeline, about: nil).element
    #expect(card.contains(">save → failed</text>"))
    #expect(!card.contains(">save → failed v"))
  }

  /// Later elements of the file are drawn above earlier ones.
  @Test func `a picture has its arrows above its boxes`() throws {
    for path in [merge, deadlock] {
      let file = Picture(try Recorded.timeline(path)).file
      let box = try #require(file.range(of: "data-moment=", options: .backwards))
      let arrow = try #require(file.range(of: "class=\"arrow"))
      #expect(box.upperBound < arrow.lowerBound, "\(path)")
    }
  }

  /// An edge of a deadlock's cycle may cross the text that a save carries.
  @Test func `a picture has the labels of arrows above all lines`() throws {
    let picture = Picture(try Recorded.timeline(deadlock))
    let edge = try #require(picture.file.range(of: "class=\"arrow cycle", options: .backwards))
    for text in ["class=\"label save", "class=\"label cycle"] {
      let label = try #require(picture.file.range(of: text))
      #expect(edge.upperBound < label.lowerBound, "\(text)")
    }
  }

  /// A label that the edge of the picture cuts off cannot be read.
  @Test func `a picture keeps its labels inside`() throws {
    var count = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let file = Picture(try Recorded.timeline(of: scenario)).file
      let width = try #require(file.firstMatch(of: /width="(\d+)"/).flatMap { Int($0.1) })
      for label in file.matches(of: /<text class="label ([^"]*)" x="(\d+)"[^>]*>([^<]*)/) {
        let x = try #require(Int(label.2))
        let length = 6 * label.3.replacing(/&[a-z]+;/, with: "&").count
        let isInside = label.1.contains("leftwards") ? x >= length : x + length <= width
        #expect(isInside, "\(path): \(label.0)")
        count += 1
      }
    }
    #expect(count > 300)
  }
}

@Suite struct `A timeline's finding about a violation` {
  /// A line with a number is about a step of the run. Lines about the other lanes of a deadlock
  /// lead to their waits.
  @Test func `a finding leads to the moments that it is about`() throws {
    var count = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let timeline = try Recorded.timeline(of: scenario)
      for finding in timeline.findings {
        for line in finding.proof where line.step > 0 {
          let moment = line.moment.map { timeline.moments[$0] }
          #expect(moment != nil, "\(path): \(line.text)")
          count += 1
        }
        for link in finding.cycle {
          #expect(link.wait.map { timeline.moments[$0].kind } != .action, "\(path)")
          #expect(link.wait != nil, "\(path): \(link)")
        }
        #expect(
          finding.cycle.isEmpty == (finding.kind.invariant != .WaitForGraphIsAcyclic), "\(path)")
      }
    }
    #expect(count > 200)
  }

  @Test func `the main finding is of the kind asked for, or the most severe`() throws {
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let timeline = try Recorded.timeline(of: scenario)
      for finding in timeline.findings {
        let index = try #require(timeline.mainFinding(about: finding.kind))
        #expect(timeline.findings[index].kind == finding.kind, "\(path)")
      }
      let main = timeline.mainFinding(about: nil).map { timeline.findings[$0].kind }
      let worst = timeline.findings.compactMap { $0.kind.invariant?.severity }.min()
      #expect(main?.invariant?.severity == worst, "\(path)")
    }
  }
}
