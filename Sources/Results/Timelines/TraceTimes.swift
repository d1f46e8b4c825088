/// The times of turns, moments and blocks for a trace viewer.
///
/// Virtual time is coarse, and whole programs run within one millisecond of it. Each moment
/// therefore takes a slot of ten microseconds on any queue, in addition to virtual time. Moments
/// thus appear one after the other, and a wait of 50 ms keeps its length.
struct TraceTimes {
  /// The length of a slot, in microseconds. The slice of a moment leaves the first and the last
  /// microsecond to enclosing slices.
  static let slot = 10

  /// The beginning of each turn.
  private(set) var starts: [Int] = []
  /// The end of each turn, before time passes.
  private(set) var ends: [Int] = []
  /// The beginning of each moment's slot.
  private(set) var moments: [Int]
  /// The beginning of the slot in which each block is enqueued.
  private(set) var enqueuings: [Int?]

  /// The end of the run.
  var end: Int { ends.last ?? 0 }

  init(_ timeline: Timeline) {
    moments = Array(repeating: 0, count: timeline.moments.count)
    enqueuings = Array(repeating: nil, count: timeline.blocks.count)
    var blocksByTurn: [[Int]] = Array(repeating: [], count: timeline.turnCount)
    for (number, block) in timeline.blocks.enumerated() {
      if let turn = block.enqueuedAt { blocksByTurn[turn].append(number) }
    }
    var (time, slotCount, next) = (0, 0, 0)
    for turn in 0..<timeline.turnCount {
      if next < moments.count, timeline.moments[next].turn == turn {
        time = max(time, timeline.moments[next].time)
      }
      let first = slotCount
      func start() -> Int { time * 1000 + slotCount * TraceTimes.slot }
      starts.append(start())
      for block in blocksByTurn[turn] {
        enqueuings[block] = start()
        slotCount += 1
      }
      while next < moments.count, timeline.moments[next].turn == turn {
        if timeline.moments[next].kind == .call, !blocksByTurn[turn].isEmpty {
          // The call is shown as the slice that enqueues the block.
          moments[next] = starts[turn]
        } else {
          moments[next] = start()
          slotCount += 1
        }
        next += 1
      }
      slotCount = max(slotCount, first + 1)
      ends.append(start())
    }
    precondition(next == moments.count, "\(next) of \(moments.count) moments are in a turn")
  }
}
