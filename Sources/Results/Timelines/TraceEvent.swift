/// An event of the Trace Event format.
struct TraceEvent {
  enum Phase: String {
    case metadata = "M"
    case slice = "X"
    case flowStart = "s"
    case flowEnd = "f"
    case instant = "i"
    case counter = "C"

    /// The rank among events with the same time. A slice precedes the events within it.
    fileprivate var rank: Int {
      switch self {
      case .metadata: 0
      case .slice: 1
      case .flowStart, .flowEnd, .instant, .counter: 2
      }
    }
  }

  /// The position of an event. Thread numbers are unique across processes.
  struct Track: Hashable {
    var process: Int
    var thread: Int
  }

  var phase: Phase
  var name: String
  var category = ""
  var track: Track
  /// The time, in microseconds.
  var time = 0
  /// The duration of a slice, in microseconds.
  var duration = 0
  /// The ID of a flow, or 0 for other events.
  var id = 0
  var arguments: [String: Any] = [:]

  var end: Int { time + duration }

  var object: [String: Any] {
    var object: [String: Any] = [
      "ph": phase.rawValue, "name": name, "pid": track.process, "tid": track.thread,
    ]
    if phase != .metadata { object["ts"] = time }
    if !category.isEmpty { object["cat"] = category }
    if !arguments.isEmpty { object["args"] = arguments }
    switch phase {
    case .slice: object["dur"] = duration
    case .flowStart: object["id"] = id
    case .flowEnd: (object["id"], object["bp"]) = (id, "e")
    case .instant: object["s"] = "t"
    case .metadata, .counter: break
    }
    return object
  }
}

extension [TraceEvent] {
  /// The events in order of time. Of slices that begin together, the longest comes first. Other
  /// events keep the order of writing.
  var sortedByTime: [TraceEvent] {
    let keyed = enumerated().map { number, event in
      (key: [event.time, event.phase.rank, -event.duration, number], event: event)
    }
    return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.event)
  }

  /// Ends waits at the beginning of blocks that outlast them, because the slices of a track must be
  /// nested. A lane without a queue waits on the track of the queue that it requests.
  mutating func endWaitsAtBlocks() {
    var open: [TraceEvent.Track: [Int]] = [:]
    for index in indices where self[index].phase == .slice {
      let event = self[index]
      var enclosing = open[event.track, default: []]
      while let last = enclosing.last, self[last].end <= event.time { enclosing.removeLast() }
      while let last = enclosing.last, self[last].end < event.end {
        self[last].duration = event.time - self[last].time
        enclosing.removeLast()
      }
      open[event.track] = enclosing + [index]
    }
  }
}
