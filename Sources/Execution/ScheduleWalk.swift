import SimulatedCoreData
package import SimulatedDispatch

/// What a lane does from one point at which Core Data synchronises to the next: what the scheduler
/// decides about.
package struct Turn {
  /// Nil if time passes, which it does only while no lane is runnable.
  package var lane: LaneID?
  var footprint: Footprint

  func depends(on other: Turn) -> Bool { lane == other.lane || footprint.meets(other.footprint) }
}

/// All schedules of a program, depth first; of those that differ only in the order of independent
/// turns, one.
///
/// Pruned with sleep sets: a lane that was tried at a state sleeps below the lanes that are tried
/// there after it, until some lane takes a turn on which its own depends. Until then, every
/// schedule that lets it go has been seen already in another order.
package struct ScheduleWalk {
  /// A run, and what the scheduler did.
  package struct Schedule {
    package let played: PlayedProgram
    package let turns: [Turn]
  }

  private struct Node {
    /// The state before the turn; not kept where no other lane could go.
    let driver: RunDriver<GivenSteps>?
    let alternatives: [LaneID]
    var chosen: Int
    var turn: Turn
    /// Lanes that need not be tried here, or have been.
    var sleeping: [Turn]

    /// The first lane from `start` on that is awake.
    static func awake(_ alternatives: [LaneID], _ sleeping: [Turn], from start: Int) -> Int? {
      alternatives.indices.dropFirst(start).first { index in
        !sleeping.contains { $0.lane == alternatives[index] }
      }
    }
  }

  private let prunes: Bool
  private var path: [Node] = []
  private let program: Program
  private var driver: RunDriver<GivenSteps>
  /// Lanes that need not be tried where the walk is.
  private var sleeping: [Turn] = []
  private var isOver = false

  /// The log of each run has the world after each of `steps`. What is seen there depends on the
  /// order of turns that are otherwise independent: a walk that keeps worlds does not prune.
  package init(
    _ program: Program, _ configuration: RunConfiguration, prunes: Bool = true,
    keepingWorldsAfter steps: [Int] = []
  ) {
    precondition(!prunes || steps.isEmpty, "a pruned walk keeps worlds between steps")
    self.prunes = prunes
    self.program = program
    driver = RunDriver(walking: program, configuration, keepingWorldsAfter: steps)
  }

  /// The next schedule; nil after the last.
  package mutating func next() -> Schedule? {
    while !isOver {
      let reachedEnd = descend()
      let schedule =
        reachedEnd
        ? Schedule(
          played: driver.finish(program, schedule: choices), turns: path.map(\.turn)) : nil
      isOver = !turnBack()
      if let schedule { return schedule }
    }
    return nil
  }

  /// Goes on to the end of a run; false if all runnable lanes sleep before that.
  private mutating func descend() -> Bool {
    while true {
      let alternatives = driver.alternatives
      if alternatives.isEmpty {
        guard driver.wake() else { return true }
        enter(
          Node(
            driver: nil, alternatives: [], chosen: 0, turn: Turn(lane: nil, footprint: .everything),
            sleeping: []))
      } else {
        guard let first = Node.awake(alternatives, sleeping, from: 0) else { return false }
        let before = alternatives.count > 1 ? driver : nil
        let turn = take(alternatives[first])
        enter(
          Node(
            driver: before, alternatives: alternatives, chosen: first, turn: turn,
            sleeping: sleeping)
        )
      }
    }
  }

  /// Back to the last state at which another lane is to be tried, which goes; false if there is
  /// none.
  private mutating func turnBack() -> Bool {
    while var node = path.popLast() {
      if prunes { node.sleeping.append(node.turn) }
      guard let before = node.driver,
        let next = Node.awake(node.alternatives, node.sleeping, from: node.chosen + 1)
      else { continue }
      driver = before
      node.chosen = next
      node.turn = take(node.alternatives[next])
      enter(node)
      return true
    }
    return false
  }

  private mutating func take(_ lane: LaneID) -> Turn {
    Turn(lane: lane, footprint: driver.take(lane))
  }

  private mutating func enter(_ node: Node) {
    precondition(
      node.alternatives.isEmpty ? node.chosen == 0 : node.chosen < node.alternatives.count,
      "lane \(node.chosen) of \(node.alternatives.count) was chosen")
    path.append(node)
    sleeping = node.sleeping.filter { !$0.depends(on: node.turn) }
  }

  /// What the scheduler has to be told to go this way.
  private var choices: [UInt32] {
    path.filter { $0.alternatives.count > 1 }.map { UInt32($0.chosen) }
  }
}
