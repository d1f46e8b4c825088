/// When things happened, for a viewer.
///
/// Virtual time is coarse: whole programs run within one millisecond of it. Each moment therefore
/// takes a slot of ten microseconds, whichever queue it is on, and virtual time passes besides. So
/// moments stand one after the other, in their order, and a wait of 50 ms looks like one.
struct TraceTimes {
  /// In microseconds. A moment's slice leaves the first and the last of them to what is around it.
  static let slot = 10

  /// By turn: when it begins.
  private(set) var starts: [Int] = []
  /// By turn: when it is over, before time passes.
  private(set) var ends: [Int] = []
  /// By moment: when its slot begins.
  private(set) var moments: [Int]
  /// By block: when the slot begins in which it is enqueued.
  private(set) var enqueuings: [Int?]

  /// When the run is over.
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
          // It shows as what enqueues the block.
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
