import ReferenceDispatch
import ReferenceModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Comparison of the engine's lanes with their second account.
extension DifferentialRun {
  /// What the next turn of a lane should come to; nil if lanes are not compared.
  mutating func expectedTurn(of lane: LaneID) -> ReferenceLanes.Turn? {
    if !comparesLanes { return nil }
    var needs: [Int] = []
    if lanes.beginsAction(lane.index) {
      needs = (world.queuesNeeded(on: lane) ?? []).map(\.index)
    }
    let asked = lanes.questionOfNextTurn(lane.index)
    return lanes.turn(
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
    if !comparesLanes { return }
    lanes.follow(
      action, on: lane.index, reference.events, held: reference.deliveringContexts,
      merging: reference.announcedMerges.map { ($0.context, $0.number) })
  }

  /// The program's thread begins a step that nothing should come between. False if it should.
  mutating func expectBegin(of step: AddressedStep) -> Bool {
    if !comparesLanes || lanes.beginAlone(step) { return true }
    lanes.submit(step)
    disagree(.turn(world.name(of: driver), expected: .waits, actual: .moves), after: nil)
    return false
  }

  /// It takes the queues that its action needs, and performs it. False if a queue should not be
  /// free; another action is one that is performed all the same.
  mutating func expectPerformance(of action: Action, needing needs: [QueueID]) -> Bool {
    if !comparesLanes { return true }
    let turn = lanes.performAlone(needing: needs.map(\.index))
    if turn == .performs(action) { return true }
    let actual = turn == .waits ? ReferenceLanes.Turn.moves : .performs(action)
    disagree(.turn(world.name(of: driver), expected: turn, actual: actual), after: nil)
    return turn != .waits
  }

  /// A lane that has something left to do, at the end of a run.
  var unfinishedLane: LaneID? {
    comparesLanes ? lanes.unfinishedLane.map { LaneID(index: $0) } : nil
  }
}
