import Failures
import Foundation
import Vocabulary

/// A timeline in formats for other programs: Trace Event JSON for Perfetto and Chrome, and JSON
/// Lines.
package struct TimelineFiles {
  private let timeline: Timeline

  package init(_ timeline: Timeline) { self.timeline = timeline }

  // MARK: JSON Lines

  /// The moments as JSON Lines, in order of time. Each line is an object with sorted keys.
  ///
  /// All objects have `kind` (action, call, wait, deadlock or rest), `turn` (from 0), `time`
  /// (virtual milliseconds), `queue` and `text`. They also have `origin` (program, observer or
  /// automatic merge).
  ///
  /// Objects may have `step` (as in reports), `context`, `answers`, `details` (observable events),
  /// `failed`, `block` (from 0) and `violations`.
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

  /// The timeline in the Trace Event format, sorted by time.
  ///
  /// The program, each queue and each store have a track. Blocks, steps, waits and writes to stores
  /// are slices. Flows lead from the enqueuing of a block to its run, and from a save to its
  /// destination and its merges. Violations are instants. Counters show pending changes.
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
