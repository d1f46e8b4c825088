import Execution
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

extension Timeline {
  /// Creates the timeline of a recorded run that has ended.
  init(of run: DifferentialRun, _ outcome: Outcome) {
    guard let recorder = run.recorder else { preconditionFailure("the run was not recorded") }
    var builder = TimelineBuilder(run.world, outcome, recorder.interruptedSaves)
    for (number, turn) in recorder.turns.enumerated() { builder.add(turn, number) }
    self = builder.finished()
  }
}

extension Recorder {
  /// The first turns of saves that do not commit before the next numbered action. Includes saves
  /// that never commit.
  fileprivate var interruptedSaves: Set<Int> {
    var interrupted: Set<Int> = []
    /// The first turns of unfinished saves, indexed by lane. A save in an observer may be nested in
    /// another save.
    var open: [Int: [Int]] = [:]
    /// The number of numbered actions before each turn.
    var counts: [Int] = []
    var count = 0
    func close(_ save: Int) { if count > counts[save] { interrupted.insert(save) } }
    for (number, turn) in turns.enumerated() {
      counts.append(count)
      guard case .performed(let action) = turn.progress else { continue }
      let lane = turn.lane.index
      let phase = if case .step(_, let phase) = action { phase } else { Phase.whole }
      if phase == .flush { open[lane, default: []].append(number) }
      let isOver = phase == .commit || phase != .whole && turn.hasFailed
      if isOver, let save = open[lane]?.popLast() { close(save) }
      if action.isNumbered { count += 1 }
    }
    for saves in open.values { interrupted.formUnion(saves) }
    return interrupted
  }
}
