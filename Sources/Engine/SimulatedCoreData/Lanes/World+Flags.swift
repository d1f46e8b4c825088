import SimulatedDispatch
import Vocabulary

/// App-defined variables that conditions test. No queue protects a flag. The answer of a request
/// belongs to a lane. Any lane may run between a test of a flag and its consequence.
extension World {
  /// Raises or lowers a flag. §set-flag
  mutating func set(_ flag: FlagID, to isRaised: Bool) { flags[flag.index] = isRaised }

  func isRaised(_ flag: FlagID) -> Bool { flags[flag.index] }

  /// Records whether a fetch or a count has found an object. §note-answer
  mutating func noteAnswer(to action: Action, on lane: LaneID) {
    guard notesAnswers, case .step(let step, .whole) = action else { return }
    switch step.step {
    case .fetch, .count: break
    default: return
    }
    let place = lanesThatFound.firstIndex { $0.index >= lane.index } ?? lanesThatFound.count
    let isNoted = place < lanesThatFound.count && lanesThatFound[place] == lane
    if graph.result.hasFound == isNoted { return }
    if isNoted {
      lanesThatFound.remove(at: place)
    } else {
      lanesThatFound.insert(lane, at: place)
    }
  }
}
