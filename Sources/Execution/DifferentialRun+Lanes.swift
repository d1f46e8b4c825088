import ReferenceDispatch
import ReferenceModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Comparison of the engine's lanes with their second account.
extension DifferentialRun {
  /// What the next turn of a lane should come to; nil if lanes are not compared.
  mutating func expectedTurn(of lane: LaneID) -> ReferenceLanes.Turn? {
    if lanes == nil { return nil }
    var needs: [Int] = []
    if lanes!.beginsAction(lane.index) {
      needs = (world.queuesNeeded(on: lane) ?? []).map(\.index)
    }
    let asked = lanes!.questionOfNextTurn(lane.index)
    return lanes!.turn(
      of: lane.index, needs: needs, hasChanges: asked.map { reference.hasChanges($0) } ?? false)
  }

  mutating func compare(
    _ progress: Progress, _ expected: ReferenceLanes.Turn, of lane: LaneID
  ) {
    let actual: ReferenceLanes.Turn =
      switch progress {
      case .performed(let action): .performs(action)
      case .moved: .moves
      case .blocked: .waits
      }
    if expected == actual { return }
    disagree(.turn(world.name(of: lane), expected: expected, actual: actual), after: nil)
  }

  /// What the action sets off is expected of the lanes.
  mutating func followOnLanes(_ action: Action, by lane: LaneID) {
    if lanes == nil { return }
    lanes!.follow(
      action, on: lane.index, reference.events, held: reference.deliveringContexts,
      merging: reference.announcedMerges.map { ($0.context, $0.number) })
  }

  /// Turns of the program's lane that are taken together, and touch no context. False if other
  /// turns are expected.
  mutating func expectMoves(_ count: Int) -> Bool {
    if lanes == nil { return true }
    for _ in 0..<count {
      let turn = lanes!.turn(of: driver.index)
      if turn == .moves { continue }
      disagree(.turn(world.name(of: driver), expected: turn, actual: .moves), after: nil)
      return false
    }
    return true
  }

  /// The turns in which the program's lane takes the queues that an action needs and performs it.
  /// False if a queue should not be free; another action is one that is performed all the same.
  mutating func expectPerformance(of action: Action, needing needs: [QueueID]) -> Bool {
    if lanes == nil { return true }
    var turn = lanes!.turn(of: driver.index, needs: needs.map(\.index))
    for _ in needs {
      if turn != .moves {
        disagree(.turn(world.name(of: driver), expected: turn, actual: .moves), after: nil)
        return false
      }
      turn = lanes!.turn(of: driver.index)
    }
    if turn != .performs(action) {
      disagree(
        .turn(world.name(of: driver), expected: turn, actual: .performs(action)), after: nil)
    }
    return true
  }

  /// A lane that has something left to do, at the end of a run.
  var unfinishedLane: LaneID? { lanes?.unfinishedLane.map { LaneID(index: $0) } }
}
