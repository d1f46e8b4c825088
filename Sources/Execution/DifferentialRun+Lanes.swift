import ReferenceDispatch
import ReferenceModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Comparison of the engine's lanes with their second account.
extension DifferentialRun {
  /// The engine's lane takes its turn, and must come to what is expected of it.
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

  /// What the next turn of a lane should come to.
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

  /// What the action sets off is expected of the lanes.
  mutating func followOnLanes(_ action: Action, by lane: LaneID) {
    if !comparesLanes { return }
    for merge in reference.announcedMerges {
      lanes.announceMerge(into: merge.context, number: merge.number)
    }
    lanes.follow(action, on: lane.index, reference.events, held: reference.deliveringContexts)
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
    for queue in needs where !lanes.takeAlone(queue.index) {
      disagree(.turn(world.name(of: driver), expected: .waits, actual: .moves), after: nil)
      return false
    }
    if lanes.performAlone(action) { return true }
    let (expected, actual) = (lanes.turnAlone, ReferenceLanes.Turn.performs(action))
    disagree(.turn(world.name(of: driver), expected: expected, actual: actual), after: nil)
    return true
  }

  /// A lane that has something left to do, at the end of a run.
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

  /// Written out: to make a turn of the progress would be to copy its action.
  fileprivate func isSame(as progress: Progress) -> Bool {
    switch progress {
    case .moved: if case .moves = self { true } else { false }
    case .blocked: if case .waits = self { true } else { false }
    case .performed(let action):
      if case .performs(let expected) = self { expected == action } else { false }
    }
  }
}
