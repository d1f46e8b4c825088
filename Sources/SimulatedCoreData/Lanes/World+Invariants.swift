import ObjectModel
import SimulatedDispatch

/// Checks of the world itself. They hold after every action; a debug build checks them there.
extension World {
  /// Traps unless every invariant of the graph and of the dispatcher holds.
  package func checkInvariants() {
    var broken = BrokenRules()
    check(&broken)
    broken.trapIfAny()
    dispatcher.checkInvariants()
  }

  /// The broken rules, as sentences. Those of the dispatcher trap only.
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
