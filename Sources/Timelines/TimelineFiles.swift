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

  /// In the Trace Event format: a track for the program, for each queue and for each store; blocks,
  /// steps, waits and what reaches a store as slices; flows from where a block is enqueued to where
  /// it runs, from a save to the store or parent and to the merges of it; violations as instants,
  /// and counters of pending changes. Sorted by time.
  package var traceEvents: String {
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
      + TraceWriter(timeline).finished().map { json($0.object) }.joined(separator: ",\n")
      + "\n]}\n"
  }

  private func json(_ object: [String: Any]) -> String {
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    else { preconditionFailure("a timeline is made of numbers, texts and lists") }
    return String(decoding: data, as: UTF8.self)
  }
}
