import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks that at rest every enqueued block has run to its end.
struct UnfinishedBlocks: InvariantCheck {
  static let invariants: [Invariant] = [.EveryBlockRuns]
  static let signs: EventSigns = []

  let judgesDesigns: Bool

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    if world.waitsForResume {
      // If the program's own steps suspend a queue, that is no finding about the design.
      if judgesDesigns, world.stack.suspendsQueues {
        found.append(Violation(.EveryBlockRuns, detail: suspension(in: world)))
      }
    } else if world.unfinishedBlockCount > 0 {
      let count = world.unfinishedBlockCount
      let detail =
        count == 1 ? "one block did not finish" : "\(count) blocks did not finish"
      found.append(Violation(.EveryBlockRuns, detail: detail))
    }
  }

  /// Returns a text such as "edit is never resumed, and 2 blocks never finish".
  private func suspension(in world: World) -> String {
    let queues = world.suspendedQueues.filter(world.dispatcher.hasLine).map(world.name(of:))
    var waiting: [String] = []
    if world.unfinishedBlockCount > 0 {
      let count = world.unfinishedBlockCount
      waiting.append(
        count == 1 ? "one block never finishes" : "\(count) blocks never finish")
    }
    if !world.isDriverIdle { waiting.append("the program's thread waits forever") }
    let verb = queues.count == 1 ? "is" : "are"
    return "\(queues.joined(separator: " and ")) \(verb) never resumed, and "
      + waiting.joined(separator: "; ")
  }
}

extension Stack {
  /// A Boolean value that indicates whether an observer or an entry point suspends a queue.
  fileprivate var suspendsQueues: Bool {
    (observers.flatMap(\.steps) + entryPoints.flatMap(\.steps)).contains { step in
      step.contains { if case .suspend = $0.step { true } else { false } }
    }
  }
}
