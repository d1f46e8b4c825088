import Failures
import Vocabulary

/// Writes a timeline as trace events. Within the ten microseconds of a moment, its slice lasts from
/// the second to the ninth. Slices at the places that it reaches last from the fourth to the
/// seventh.
struct TraceWriter {
  let timeline: Timeline
  private let times: TraceTimes
  private let carried: CarriedText
  private var events: [TraceEvent] = []
  private var flowCount = 0

  private static let queues = 1
  private static let stores = 2
  private static let program = TraceEvent.Track(process: queues, thread: 1)

  init(_ timeline: Timeline) {
    self.timeline = timeline
    times = TraceTimes(timeline)
    carried = CarriedText(timeline, about: nil)
  }

  consuming func finished() -> [TraceEvent] {
    addNames()
    for block in timeline.blocks.indices { add(block: block) }
    for moment in timeline.moments.indices {
      addSlice(of: moment)
      addWhatItReaches(moment)
      addViolations(of: moment)
    }
    addCounters()
    events = events.sortedByTime
    events.endWaitsAtBlocks()
    return events
  }

  // MARK: Tracks

  private func track(of column: Int) -> TraceEvent.Track {
    let process = column < timeline.queueCount ? TraceWriter.queues : TraceWriter.stores
    return .init(process: process, thread: column + 2)
  }

  private mutating func addNames() {
    name("process", TraceWriter.program, "queues", order: TraceWriter.queues)
    name("thread", TraceWriter.program, "the program", order: 1)
    for (index, column) in timeline.columns.enumerated() {
      let track = track(of: index)
      if index == timeline.queueCount { name("process", track, "stores", order: track.process) }
      name("thread", track, column.name, order: track.thread)
    }
  }

  private mutating func name(
    _ part: String, _ track: TraceEvent.Track, _ name: String, order: Int
  ) {
    events.append(
      .init(phase: .metadata, name: part + "_name", track: track, arguments: ["name": name]))
    events.append(
      .init(
        phase: .metadata, name: part + "_sort_index", track: track,
        arguments: ["sort_index": order]))
  }

  // MARK: Slices

  private mutating func slice(
    _ category: String, _ name: String, on track: TraceEvent.Track, _ time: Range<Int>,
    _ arguments: [String: Any] = [:]
  ) {
    events.append(
      .init(
        phase: .slice, name: name, category: category, track: track, time: time.lowerBound,
        duration: time.count, arguments: arguments))
  }

  /// Adds a flow. `start` and `end` must lie within slices.
  private mutating func flow(
    _ name: String, from start: (track: TraceEvent.Track, time: Int),
    to end: (track: TraceEvent.Track, time: Int)
  ) {
    precondition(start.time <= end.time, "a flow goes from \(start.time) back to \(end.time)")
    flowCount += 1
    events.append(
      .init(
        phase: .flowStart, name: name, category: "flow", track: start.track, time: start.time,
        id: flowCount))
    events.append(
      .init(
        phase: .flowEnd, name: name, category: "flow", track: end.track, time: end.time,
        id: flowCount))
  }

  private mutating func add(block number: Int) {
    let block = timeline.blocks[number]
    let name = "block \(number + 1)"
    let waits = timeline.moments.indices.filter { timeline.moments[$0].block == number }
    let start = times.starts[block.begin]
    let end = ([times.ends[block.end]] + waits.compactMap(end(ofWait:))).max() ?? start
    slice("block", name, on: track(of: block.column), start..<end)
    guard let turn = block.enqueuedAt, let time = times.enqueuings[number] else { return }
    let origin = block.enqueuedFrom.map(track(of:)) ?? TraceWriter.program
    let call = timeline.moments.first { $0.kind == .call && $0.turn == turn }
    slice(
      "call", "\(call?.text ?? "enqueues"), \(name)", on: origin, time + 1..<time + 9,
      call.map(arguments) ?? [:])
    flow("enqueued", from: (origin, time + 2), to: (track(of: block.column), start))
  }

  private func isWait(_ moment: Timeline.Moment) -> Bool {
    moment.kind == .wait || moment.kind == .deadlock
  }

  private func end(ofWait index: Int) -> Int? {
    let moment = timeline.moments[index]
    guard isWait(moment) else { return nil }
    return moment.end.map { times.starts[$0] } ?? times.end
  }

  /// Returns the block that a call enqueues. Such a call is shown as the beginning of the block's
  /// flow.
  private func enqueues(_ moment: Timeline.Moment) -> Timeline.Block? {
    guard moment.kind == .call else { return nil }
    return timeline.blocks.first { $0.enqueuedAt == moment.turn }
  }

  private func track(ofMoment index: Int) -> TraceEvent.Track {
    let moment = timeline.moments[index]
    guard let block = enqueues(moment) else { return track(of: moment.column) }
    return block.enqueuedFrom.map(track(of:)) ?? TraceWriter.program
  }

  private mutating func addSlice(of index: Int) {
    let moment = timeline.moments[index]
    if enqueues(moment) != nil { return }
    let start = times.moments[index] + 1
    let end = max(start + 8, end(ofWait: index) ?? 0)
    let isInCycle = timeline.findings.contains { $0.cycle.contains { $0.wait == index } }
    slice(
      isInCycle ? "deadlock" : moment.kind.rawValue, timeline.label(moment),
      on: track(of: moment.column), start..<end, arguments(of: moment))
  }

  private func arguments(of moment: Timeline.Moment) -> [String: Any] {
    var arguments: [String: Any] = ["origin": moment.origin.rawValue]
    if !moment.details.isEmpty { arguments["details"] = moment.details }
    if moment.step > 0 { arguments["step"] = moment.step }
    arguments["context"] = moment.context.map { timeline.places[$0.index] }
    let carries = moment.arrows.flatMap(carried.lines)
    if !carries.isEmpty { arguments["carries"] = carries }
    if !moment.violations.isEmpty { arguments["violations"] = timeline.kinds(at: moment) }
    return arguments
  }

  // MARK: Saves and merges

  /// Adds the rows that a moment writes, the parent that it saves to, and the saves that it merges.
  private mutating func addWhatItReaches(_ index: Int) {
    let moment = timeline.moments[index]
    let (own, time) = (track(ofMoment: index), times.moments[index])
    let saver = moment.context.map { timeline.places[$0.index] } ?? "the program"
    for column in timeline.queueCount..<timeline.columns.count {
      let rows = rows(of: moment, in: column)
      if rows.isEmpty { continue }
      let isSave = moment.arrows.contains { $0.kind == .save && $0.to == column }
      let name = isSave ? "save of \(saver)" : timeline.label(moment)
      slice("store", name, on: track(of: column), time + 3..<time + 7, ["rows": rows])
      flow(isSave ? "save" : "write", from: (own, time + 2), to: (track(of: column), time + 4))
    }
    for arrow in moment.arrows {
      if let source = arrow.from {
        let start = (track: track(ofMoment: source), time: times.moments[source] + 2)
        flow("merge", from: start, to: (own, time + 2))
      } else if let target = arrow.to, target < timeline.queueCount {
        slice(
          "save", "save of \(saver)", on: track(of: target), time + 3..<time + 7,
          ["carries": carried.lines(arrow)])
        flow("save", from: (own, time + 2), to: (track(of: target), time + 4))
      }
    }
  }

  /// Returns descriptions of changed rows, such as `n version 2 {title: "a"}`.
  private func rows(of moment: Timeline.Moment, in column: Int) -> [String] {
    let place = timeline.contextCount + column - timeline.queueCount
    return moment.changes.filter { $0.place == place }.map { change in
      let object = timeline.objects[change.object]
      guard let look = change.look else { return "\(object) deleted" }
      return "\(object) version \(look.version) \(look.values)"
    }
  }

  // MARK: Violations and counters

  private mutating func addViolations(of index: Int) {
    for number in timeline.moments[index].violations {
      let finding = timeline.findings[number]
      var arguments: [String: Any] = ["sentence": finding.sentence, "place": finding.place]
      arguments["proof"] = finding.proof.map { line in
        line.step > 0 ? "step \(line.step): \(line.text)" : line.text
      }
      events.append(
        .init(
          phase: .instant, name: finding.kind.name, category: "violation",
          track: track(ofMoment: index), time: times.moments[index] + 7, arguments: arguments))
    }
  }

  /// Adds counters of the objects with unsaved changes in each context.
  private mutating func addCounters() {
    for place in 0..<timeline.contextCount {
      count([], of: place, at: 0)
      var pending: [Int] = []
      for (index, moment) in timeline.moments.enumerated() {
        let before = pending.count
        for change in moment.changes where change.place == place {
          pending.removeAll { $0 == change.object }
          if change.look?.isPending ?? false { pending.append(change.object) }
        }
        if pending.count != before { count(pending, of: place, at: times.moments[index] + 9) }
      }
    }
  }

  private mutating func count(_ pending: [Int], of place: Int, at time: Int) {
    events.append(
      .init(
        phase: .counter, name: "pending changes of \(timeline.places[place])",
        track: TraceWriter.program, time: time, arguments: ["objects": pending.count]))
  }
}

extension Timeline.Look {
  fileprivate var isPending: Bool { ["inserted", "updated", "deleted"].contains(state) }
}
