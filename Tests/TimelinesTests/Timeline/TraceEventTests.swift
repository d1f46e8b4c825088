import Foundation
import Scenario
import TestSupport
import Testing
import Timelines

/// A file in the Trace Event format, as a viewer reads it.
private struct Trace {
  struct Track: Hashable {
    var process: Int
    var thread: Int
  }

  struct Event {
    var phase: String
    var name: String
    var category: String
    var track: Track
    var time: Int
    var duration: Int
    var id: Int
    var scope: String?
    var bindingPoint: String?
    var arguments: [String: Any]
  }

  let events: [Event]

  init(_ text: String) throws {
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let objects = try #require(file["traceEvents"] as? [[String: Any]])
    events = try objects.map { object in
      let phase = try #require(object["ph"] as? String)
      // Metadata have no time, and slices need a duration.
      #expect((object["ts"] is Int) == (phase != "M"))
      #expect((object["dur"] is Int) == (phase == "X"))
      return Event(
        phase: phase, name: try #require(object["name"] as? String),
        category: object["cat"] as? String ?? "",
        track: .init(
          process: try #require(object["pid"] as? Int),
          thread: try #require(object["tid"] as? Int)),
        time: object["ts"] as? Int ?? 0, duration: object["dur"] as? Int ?? 0,
        id: object["id"] as? Int ?? 0, scope: object["s"] as? String,
        bindingPoint: object["bp"] as? String,
        arguments: object["args"] as? [String: Any] ?? [:])
    }
  }

  init(ofScenario path: String) throws {
    try self.init(TimelineFiles(try Recorded.timeline(path)).traceEvents)
  }

  func of(_ phase: String) -> [Event] { events.filter { $0.phase == phase } }

  var end: Int { of("X").map { $0.time + $0.duration }.max() ?? 0 }

  func trackName(_ track: Track) -> String {
    let name = events.first { $0.name == "thread_name" && $0.track == track }
    return name?.arguments["name"] as? String ?? ""
  }

  /// Returns the innermost slice that contains an event, where the event's flow is drawn.
  func slice(around event: Event) -> Event? {
    of("X").last {
      $0.track == event.track && $0.time <= event.time && event.time < $0.time + $0.duration
    }
  }

  /// `left | save → main queue | save of left`
  func flows(_ name: String) -> [String] {
    of("s").filter { $0.name == name }.map { start in
      let ends = of("f").filter { $0.id == start.id }
      return ([start] + ends).map { end in
        "\(trackName(end.track)) | \(slice(around: end)?.name ?? "nothing")"
      }.joined(separator: " → ")
    }
  }

  /// Sentences about errors. The list is empty if a viewer reads the file as intended.
  var faults: [String] { faultsOfOrder + faultsOfFlows + faultsOfTracks }

  private var faultsOfOrder: [String] {
    var faults: [String] = []
    if zip(events, events.dropFirst()).contains(where: { $0.time > $1.time }) {
      faults.append("events go back in time")
    }
    var open: [Track: [Event]] = [:]
    for slice in of("X") {
      if slice.duration < 0 { faults.append("\(slice.name) ends before it begins") }
      var around = open[slice.track, default: []]
      while let last = around.last, last.time + last.duration <= slice.time { around.removeLast() }
      if let last = around.last, last.time + last.duration < slice.time + slice.duration {
        faults.append("\(slice.name) outlasts \(last.name), which it begins in")
      }
      open[slice.track] = around + [slice]
    }
    return faults
  }

  private var faultsOfFlows: [String] {
    var faults: [String] = []
    let (starts, ends) = (of("s"), of("f"))
    if starts.map(\.id).sorted() != Array(1..<starts.count + 1) {
      faults.append("flows share an id")
    }
    if ends.map(\.id).sorted() != starts.map(\.id).sorted() {
      faults.append("not each flow has one end")
    }
    for end in ends {
      guard let start = starts.first(where: { $0.id == end.id }) else { continue }
      if start.time > end.time { faults.append("flow \(end.id) goes back in time") }
      if (start.name, start.category) != (end.name, end.category) || end.bindingPoint != "e" {
        faults.append("flow \(end.id) does not pair")
      }
    }
    for event in starts + ends + of("i") where slice(around: event) == nil {
      faults.append("\(event.phase) \(event.name) \(event.id) at \(event.time) is in no slice")
    }
    return faults
  }

  private var faultsOfTracks: [String] {
    let known = ["M", "X", "s", "f", "i", "C"]
    var faults = events.filter { !known.contains($0.phase) }.map { "phase \($0.phase)" }
    for kind in ["process_sort_index", "thread_sort_index", "process_name", "thread_name"] {
      let named = of("M").filter { $0.name == kind }
      let isProcess = kind.hasPrefix("process")
      for track in Set(events.map(\.track)) {
        let count = named.filter {
          isProcess ? $0.track.process == track.process : $0.track == track
        }.count
        if count != 1 { faults.append("\(track) has \(count) times \(kind)") }
      }
    }
    faults += of("i").filter { $0.scope != "t" && $0.scope != "g" }.map { "\($0.name): no scope" }
    faults += of("C").filter { $0.arguments.values.contains { ($0 as? Int ?? -1) < 0 } }
      .map { "\($0.name) counts no objects" }
    return faults
  }
}

@Suite struct `Trace events` {
  private static let lostUpdate = "Conflicts/childs-merge-loses-an-update.scenario"

  @Test func `trace events of every scenario keep the rules of the format`() throws {
    var flowCount = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let trace = try Trace(TimelineFiles(try Recorded.timeline(of: scenario)).traceEvents)
      #expect(trace.faults.isEmpty, "\(path): \(trace.faults.joined(separator: "; "))")
      flowCount += trace.of("s").count
    }
    #expect(flowCount > 100)
  }

  @Test func `trace events of a long program keep the rules of the format`() throws {
    let steps = (0..<300).map { "  view  insert Note as n\($0)\n  view  save" }
    let scenario = try ScenarioText.parse(smallScenario(steps: steps.joined(separator: "\n"))) {
      _ in
      .failure(UnreadableModel(message: "none"))
    }
    let trace = try Trace(TimelineFiles(try Recorded.timeline(of: scenario)).traceEvents)
    #expect(trace.faults.isEmpty)
    #expect(trace.flows("save").count == 300)
    #expect(trace.flows("save").allSatisfy { $0.hasSuffix(" | save → store main | save of view") })
  }

  @Test func `trace events are the same each time`() throws {
    let texts = try (0..<2).map { _ in
      TimelineFiles(try Recorded.timeline(Self.lostUpdate)).traceEvents
    }
    #expect(texts[0] == texts[1])
  }

  @Test func `trace events show a violation with its proof`() throws {
    let trace = try Trace(ofScenario: Self.lostUpdate)
    let violation = try #require(
      trace.of("i").first { $0.name == "lost update through a merge" })
    #expect(trace.slice(around: violation)?.name == "save")
    #expect((violation.arguments["sentence"] as? String)?.contains("n.title") == true)
    let proof = try #require(violation.arguments["proof"] as? [String])
    #expect(proof.last == "step 11: left saves n.title = \"left\" to view", "\(proof)")
  }

  @Test func `trace events lead from a save to the store, the parent and the merge`() throws {
    let trace = try Trace(ofScenario: Self.lostUpdate)
    #expect(
      trace.flows("save") == [
        "main queue | save → store main | save of view",
        "right | save → main queue | save of right",
        "main queue | save → store main | save of view",
        "left | save → main queue | save of left",
      ])
    #expect(trace.flows("merge").count == 2, "\(trace.flows("merge"))")
    let rows = trace.of("X").filter { $0.category == "store" }.map { $0.arguments["rows"] }
    #expect(rows.first as? [String] == ["n version 1 {title: nil}"], "\(rows)")
  }

  @Test func `trace events count the pending changes of each context`() throws {
    let trace = try Trace(ofScenario: Self.lostUpdate)
    let counts = trace.of("C").filter { $0.name == "pending changes of left" }
      .map { $0.arguments["objects"] as? Int }
    #expect(counts == [0, 1, 0])
  }

  @Test func `trace events show the waits of a deadlock until the run ends`() throws {
    let trace = try Trace(ofScenario: "Stacks/observer-merges-against-a-fetch.scenario")
    let waits = trace.of("X").filter { $0.category == "deadlock" }
    #expect(waits.count >= 2)
    #expect(waits.contains { $0.name == "'view fetch Note' waits for write" })
    #expect(waits.allSatisfy { $0.time + $0.duration == trace.end })
    #expect(trace.of("i").contains { $0.name.hasPrefix("deadlock") })
  }
}
