import ObjectModel
import SimulatedDispatch

/// Checks of the world itself, which a debug build makes after every action.
extension World {
  /// Traps unless every invariant of the graph and of the dispatcher holds.
  package func checkInvariants() {
    var broken = BrokenRules()
    check(&broken)
    broken.trapIfAny()
    dispatcher.checkInvariants()
  }

  /// Returns the broken rules as sentences. Broken rules of the dispatcher trap instead.
  package func brokenInvariants() -> [String] {
    var broken = BrokenRules()
    check(&broken)
    return broken.sentences
  }

  private func check(_ broken: inout BrokenRules) {
    graph.checkInvariants(&broken)
    broken.require(
      queues.finishedCount <= queues.enqueuedCount,
      "\(queues.finishedCount) of \(queues.enqueuedCount) blocks are finished")
  }
}
