import Failures
import Foundation
import Vocabulary

/// A timeline for other programs: Trace Event JSON for Perfetto and Chrome, and JSON Lines.
package struct TimelineFiles {
  private let timeline: Timeline

  package init(_ timeline: Timeline) { self.timeline = timeline }

  // MARK: JSON Lines

  /// One object a line, with sorted keys, in the order in which things happened: `kind` (action,
  /// call, wait or deadlock), `turn` (from 0), `time` (virtual milliseconds), `queue`, `text`;
  /// where there is one also `step` (as reports number them), `context`, `answers`, `details` (what
  /// could be observed, a line each), `failed`, `block` (from 0), `violations`; and `origin`
  /// (program, observer or automatic merge).
  package var jsonLines: String {
    timeline.moments.map { json(object(of: $0)) + "\n" }.joined()
  }

  private func object(of moment: Timeline.Moment) -> [String: Any] {
    var object: [String: Any] = [
      "kind": moment.kind.rawValue, "turn": moment.turn, "time": moment.time,
      "queue": timeline.columns[moment.column].name, "text": moment.text,
      "origin": moment.origin.rawValue,
    ]
    if moment.step > 0 { object["step"] = moment.step }
    object["context"] = moment.context.map { timeline.places[$0.index] }
    object["block"] = moment.block
    if moment.hasFailed { object["failed"] = true }
    if !moment.answers.isEmpty { object["answers"] = moment.answers }
    if !moment.details.isEmpty { object["details"] = moment.details }
    if !moment.violations.isEmpty {
      object["violations"] = moment.violations.map { timeline.findings[$0].kind.name }
    }
    return object
  }

  // MARK: Trace events

  /// In the Trace Event format: a thread for each queue and one for the program; blocks, steps and
  /// waits as slices, and an arrow from where a block was enqueued to where it runs. A turn takes
  /// two microseconds, and virtual time passes besides.
  package var traceEvents: String {
    var writer = TraceWriter(timeline)
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
      + writer.events().map(json).joined(separator: ",\n") + "\n]}\n"
  }

  private func json(_ object: [String: Any]) -> String {
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    else { preconditionFailure("a timeline is made of numbers, texts and lists") }
    return String(decoding: data, as: UTF8.self)
  }
}

private struct TraceWriter {
  private let timeline: Timeline
  private var written: [[String: Any]] = []
  /// By turn, in microseconds.
  private var starts: [Int] = []
  /// By thread: whether a wait is open.
  private var isWaiting: [Bool]
  /// By thread: when its latest event was. What happens in one turn follows each other.
  private var latest: [Int]

  init(_ timeline: Timeline) {
    self.timeline = timeline
    isWaiting = Array(repeating: false, count: timeline.queueCount + 1)
    latest = Array(repeating: 0, count: timeline.queueCount + 1)
    var time = 0
    var moments = timeline.moments[...]
    for turn in 0...timeline.turnCount {
      while let next = moments.first, next.turn <= turn {
        time = max(time, next.time)
        moments = moments.dropFirst()
      }
      starts.append(time * 1000 + turn * 2)
    }
  }

  mutating func events() -> [[String: Any]] {
    let names = ["the program"] + timeline.columns[..<timeline.queueCount].map(\.name)
    for (thread, name) in names.enumerated() {
      written.append([
        "ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": ["name": name],
      ])
    }
    for turn in 0..<timeline.turnCount {
      for (number, block) in timeline.blocks.enumerated() where block.enqueuedAt == turn {
        enqueue(number, from: (block.enqueuedFrom ?? -1) + 1, turn)
      }
      for (number, block) in timeline.blocks.enumerated() where block.begin == turn {
        begin(number, block.column + 1, starts[turn])
      }
      for moment in timeline.moments where moment.turn == turn { add(moment, starts[turn]) }
      for block in timeline.blocks where block.end == turn {
        closeWait(block.column + 1, starts[turn] + 1)
        slice("E", block.column + 1, starts[turn] + 1)
      }
    }
    for thread in isWaiting.indices { closeWait(thread, starts[timeline.turnCount]) }
    return written
  }

  private mutating func slice(_ phase: String, _ thread: Int, _ time: Int, _ name: String? = nil) {
    latest[thread] = max(time, latest[thread])
    var event: [String: Any] = ["ph": phase, "pid": 1, "tid": thread, "ts": latest[thread]]
    event["name"] = name
    written.append(event)
  }

  private mutating func closeWait(_ thread: Int, _ time: Int) {
    guard isWaiting[thread] else { return }
    isWaiting[thread] = false
    slice("E", thread, time)
  }

  private mutating func enqueue(_ block: Int, from thread: Int, _ turn: Int) {
    let time = starts[turn]
    closeWait(thread, time)
    let call = timeline.moments.first { $0.kind == .call && $0.turn == turn }
    slice("B", thread, time, "\(call.map { $0.text } ?? "enqueues"), block \(block + 1)")
    flow("s", block, thread)
    slice("E", thread, time + 1)
  }

  private mutating func begin(_ block: Int, _ thread: Int, _ time: Int) {
    closeWait(thread, time)
    slice("B", thread, time, "block \(block + 1)")
    if timeline.blocks[block].enqueuedAt != nil { flow("f", block, thread) }
  }

  private mutating func flow(_ phase: String, _ block: Int, _ thread: Int) {
    var event: [String: Any] = [
      "ph": phase, "pid": 1, "tid": thread, "ts": latest[thread], "id": block + 1, "cat": "block",
      "name": "enqueued",
    ]
    if phase == "f" { event["bp"] = "e" }
    written.append(event)
  }

  private mutating func add(_ moment: Timeline.Moment, _ time: Int) {
    // It is there as the beginning of a flow.
    if moment.kind == .call, timeline.blocks.contains(where: { $0.enqueuedAt == moment.turn }) {
      return
    }
    let thread = moment.column + 1
    closeWait(thread, time)
    slice("B", thread, time, moment.text)
    if moment.kind == .wait || moment.kind == .deadlock {
      isWaiting[thread] = true
      return
    }
    written[written.count - 1]["args"] = arguments(of: moment)
    slice("E", thread, time + 1)
  }

  private func arguments(of moment: Timeline.Moment) -> [String: Any] {
    var arguments: [String: Any] = ["details": moment.details]
    if moment.step > 0 { arguments["step"] = moment.step }
    arguments["context"] = moment.context.map { timeline.places[$0.index] }
    if !moment.violations.isEmpty {
      arguments["violations"] = moment.violations.map { timeline.findings[$0].kind.name }
    }
    return arguments
  }
}
