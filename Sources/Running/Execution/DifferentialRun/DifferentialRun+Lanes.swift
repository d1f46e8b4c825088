import ReferenceDispatch
import ReferenceModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Compares the engine's lanes with the reference lanes.
extension DifferentialRun {
  /// Lets the engine's lane take its turn, which must match the turn that the reference lanes
  /// expect.
  mutating func advance(_ lane: LaneID) -> Progress {
    if !comparesLanes { return world.advance(lane) }
    let expected = expectedTurn(of: lane)
    let progress = world.advance(lane)
    if !expected.isSame(as: progress) {
      let actual = ReferenceLanes.Turn(progress)
      disagree(.turn(world.name(of: lane), expected: expected, actual: actual), after: nil)
    }
    return progress
  }

  /// Predicts the next turn of a lane.
  private mutating func expectedTurn(of lane: LaneID) -> ReferenceLanes.Turn {
    switch lanes.questionOfNextTurn(lane.index) {
    case .nothing: break
    case .needs:
      for queue in world.queuesNeeded(on: lane) ?? [] { lanes.need(queue.index, lane.index) }
    case .hasChanges(let context):
      return lanes.turn(of: lane.index, hasChanges: reference.hasChanges(context))
    }
    return lanes.turn(of: lane.index)
  }

  /// Tells the reference lanes which merges, blocks and observers the action sets off.
  mutating func followOnLanes(_ action: Action, by lane: LaneID) {
    if !comparesLanes { return }
    for merge in reference.announcedMerges {
      lanes.announceMerge(into: merge.context, number: merge.number)
    }
    lanes.follow(action, on: lane.index, reference.events, held: reference.deliveringContexts)
  }

  /// Expects the program's thread to begin a step that no other lane interrupts. Returns `false` if
  /// the reference lanes expect the thread to wait.
  mutating func expectBegin(of step: AddressedStep) -> Bool {
    if !comparesLanes || lanes.beginAlone(step) { return true }
    lanes.submit(step)
    disagree(.turn(world.name(of: driver), expected: .waits, actual: .moves), after: nil)
    return false
  }

  /// Expects the lane to take the queues of its action and to perform it. Returns `false` if a
  /// queue should not be free. A different action is a disagreement, but is performed all the same.
  mutating func expectPerformance(of action: Action, needing needs: [QueueID]) -> Bool {
    if !comparesLanes { return true }
    for queue in needs where !lanes.takeAlone(queue.index) {
      disagree(.turn(world.name(of: driver), expected: .waits, actual: .moves), after: nil)
      return false
    }
    if lanes.performAlone(action) { return true }
    let (expected, actual) = (lanes.turnAlone, ReferenceLanes.Turn.performs(action))
    disagree(.turn(world.name(of: driver), expected: expected, actual: actual), after: nil)
    return true
  }

  /// A lane that has work left at the end of a run, or `nil` if no lane has.
  var unfinishedLane: LaneID? {
    comparesLanes ? lanes.unfinishedLane.map { LaneID(index: $0) } : nil
  }
}

extension ReferenceLanes.Turn {
  fileprivate init(_ progress: Progress) {
    self =
      switch progress {
      case .performed(let action): .performs(action)
      case .moved: .moves
      case .blocked: .waits
      }
  }

  /// Compares without making a turn of the progress, which would copy its action.
  fileprivate func isSame(as progress: Progress) -> Bool {
    switch progress {
    case .moved: if case .moves = self { true } else { false }
    case .blocked: if case .waits = self { true } else { false }
    case .performed(let action):
      if case .performs(let expected) = self { expected == action } else { false }
    }
  }
}
