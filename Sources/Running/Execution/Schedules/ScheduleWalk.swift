import SimulatedCoreData
package import SimulatedDispatch

/// The work of a lane between two points at which Core Data synchronises. The scheduler decides the
/// order of turns.
package struct Turn {
  /// The lane, or `nil` if time passes. Time passes only while no lane is runnable.
  package var lane: LaneID?
  var footprint: Footprint

  func depends(on other: Turn) -> Bool { lane == other.lane || footprint.meets(other.footprint) }
}

/// Enumerates the schedules of a program, depth first. Schedules that differ only in the order of
/// independent turns count as one.
///
/// The walk prunes with sleep sets. A lane that was tried at a state sleeps below the lanes that
/// are tried there after it. A sleeping lane wakes when a lane takes a turn on which its own turn
/// depends. Until then, every schedule that runs the sleeping lane was already seen in another
/// order.
package struct ScheduleWalk {
  /// A finished run, with its turns.
  package struct Schedule {
    package let played: PlayedProgram
    package let turns: [Turn]
  }

  private struct Node {
    /// The state before the turn. Not kept where only one lane could run.
    let driver: RunDriver<GivenSteps>?
    let alternatives: [LaneID]
    var chosen: Int
    var turn: Turn
    /// The turns of lanes that need not be tried here, or that have been tried.
    var sleeping: [Turn]

    /// Returns the first lane from `start` on that does not sleep.
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
  /// The turns of lanes that need not be tried at the walk's present state.
  private var sleeping: [Turn] = []
  private var isOver = false

  /// Creates a walk whose logs keep the world after each of `steps`. Those worlds depend on the
  /// order of otherwise independent turns, so a walk that keeps worlds must not prune.
  package init(
    _ program: Program, _ configuration: RunConfiguration, prunes: Bool = true,
    keepingWorldsAfter steps: [Int] = []
  ) {
    precondition(!prunes || steps.isEmpty, "a pruned walk keeps worlds between steps")
    self.prunes = prunes
    self.program = program
    driver = RunDriver(walking: program, configuration) {
      $0.beginLogging(keepingWorldsAfter: steps)
    }
  }

  /// Creates a walk of the schedules that continue a run.
  init(from driver: RunDriver<GivenSteps>, of program: Program) {
    prunes = true
    self.program = program
    self.driver = driver
  }

  /// Returns the next schedule, or `nil` after the last.
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

  /// Continues to the end of a run. Returns `false` if all runnable lanes sleep before that.
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

  /// Returns to the last state at which another lane remains to be tried, and runs that lane.
  /// Returns `false` if no such state exists.
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

  /// The scheduler's choices along the path.
  private var choices: [UInt32] {
    path.filter { $0.alternatives.count > 1 }.map { UInt32($0.chosen) }
  }
}
