import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// All invariants, asked after every action. Each has a file of its own; this one passes on what
/// happened.
struct InvariantChecks {
  private var awakenings = Awakenings()
  private var visibility = Visibility()
  private var reportedDeadlockCount = 0

  mutating func check(_ action: Action, in world: World) -> [Violation] {
    var found: [Violation] = []
    awakenings.check(world, &found)
    visibility.check(action, in: world, &found)
    checkEvidence(world, &found)
    checkLoads(world, &found)
    switch action {
    case .step(let step, let phase):
      switch phase {
      case .commit where world.stack.parent(of: step.context) == nil:
        checkTemporaryIDs(after: step.context, in: world, &found)
        checkInversesOfRows(world, &found)
        checkDurability(of: step.context, in: world, &found)
      case .whole:
        checkInverses(in: world, &found)
        checkInstances(after: step, in: world, &found)
      default: break
      }
    case .merge, .mergeRemote, .wrongQueue, .endOfEvent: break
    }
    return found
  }

  mutating func deadlocks(in world: World) -> [Violation] {
    let new = world.dispatcher.deadlocks.dropFirst(reportedDeadlockCount)
    reportedDeadlockCount += new.count
    return new.map { deadlock in
      Violation(
        .NobodyWaitsForHimself,
        detail: deadlock.description(
          lane: { world.name(of: $0) }, queue: { world.name(of: $0) }))
    }
  }

  func atEnd(of world: World) -> [Violation] {
    guard world.dispatcher.deadlocks.isEmpty, world.dispatcher.isQuiescent,
      world.unfinishedBlockCount > 0
    else { return [] }
    return [
      Violation(.EveryBlockRuns, detail: "\(world.unfinishedBlockCount) never ran to their end")
    ]
  }
}
