/// A count that may be a lower bound.
package struct Tally: Hashable, CustomStringConvertible, Sendable {
  package private(set) var value: Int
  /// A Boolean value that indicates whether the count is exact. If `false`, it is a lower bound.
  package private(set) var isExact: Bool

  package init(_ value: Int, isExact: Bool = true) {
    self.value = value
    self.isExact = isExact
  }

  package static func + (a: Tally, b: Tally) -> Tally {
    let (sum, overflows) = a.value.addingReportingOverflow(b.value)
    return Tally(overflows ? .max : sum, isExact: a.isExact && b.isExact && !overflows)
  }

  package static func - (a: Tally, b: Int) -> Tally { Tally(a.value - b, isExact: a.isExact) }

  /// A text such as `12` or `more than 12`.
  package var description: String { isExact ? "\(value)" : "more than \(value)" }
}

/// The partial order that the turns of a run must keep. Each turn follows all earlier turns on
/// which it depends. The run represents every schedule that keeps this order.
package struct TurnOrder {
  /// The numbers of the turns, indexed by lane.
  private var lanes: [[Int]] = []
  /// The number of a lane's turns that must precede a turn, indexed by turn, then by lane.
  private var needs: [[Int]] = []
  /// The maximum number of states that are counted.
  private static let stateLimit = 100_000

  package init(_ turns: [Turn]) {
    var owners: [Turn] = []
    var laneOfTurn: [Int] = []
    for (number, turn) in turns.enumerated() {
      if let lane = owners.firstIndex(where: { $0.lane == turn.lane }) {
        laneOfTurn.append(lane)
        lanes[lane].append(number)
      } else {
        laneOfTurn.append(lanes.count)
        owners.append(turn)
        lanes.append([number])
      }
    }
    var taken = Array(repeating: 0, count: lanes.count)
    for (number, turn) in turns.enumerated() {
      var need = Array(repeating: 0, count: lanes.count)
      for lane in lanes.indices {
        // Turns of one lane depend on each other, so the last relevant turn covers all turns before
        // it. Predecessors that another lane's turn already requires are skipped.
        guard need[lane] < taken[lane],
          let last = lanes[lane][need[lane]..<taken[lane]].lastIndex(where: {
            turn.depends(on: turns[$0])
          })
        else { continue }
        let earlier = lanes[lane][last]
        for other in need.indices { need[other] = max(need[other], needs[earlier][other]) }
        need[lane] = last + 1
      }
      needs.append(need)
      taken[laneOfTurn[number]] += 1
    }
  }

  /// The number of schedules that keep the order. A state is the progress of each lane. The number
  /// of a state has the lanes' progress as digits, so that every turn leads to a higher number.
  package var scheduleCount: Tally {
    var weights: [Int] = []
    var stateCount = 1
    for lane in lanes {
      weights.append(stateCount)
      stateCount *= lane.count + 1
      if stateCount > TurnOrder.stateLimit { return Tally(1, isExact: false) }
    }
    var ways = Array(repeating: Tally(0), count: stateCount)
    ways[0] = Tally(1)
    for state in 0..<stateCount where ways[state].value > 0 {
      let progress = lanes.indices.map { state / weights[$0] % (lanes[$0].count + 1) }
      for lane in lanes.indices where progress[lane] < lanes[lane].count {
        let need = needs[lanes[lane][progress[lane]]]
        guard lanes.indices.allSatisfy({ progress[$0] >= need[$0] }) else { continue }
        let next = state + weights[lane]
        ways[next] = ways[next] + ways[state]
      }
    }
    return ways[stateCount - 1]
  }
}
