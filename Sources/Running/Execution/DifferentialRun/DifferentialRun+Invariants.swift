import Determinism
import Invariants
import ObjectModel
import ReferenceModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

extension DifferentialRun {
  /// Traps unless every fact that is kept in two places is the same in both. Called at the end of
  /// every run, and in debug builds after every turn.
  package func checkInvariants() {
    allowance.checkInvariants()
    // A disagreement ends the run before a full comparison that is due.
    if disagreement == nil { fullComparison.checkInvariants() }
    checkCounts()
    checkEnding()
    checkAgreement()
  }

  private func checkCounts() {
    precondition(
      0...stepCount ~= wastedStepCount, "\(wastedStepCount) of \(stepCount) steps were wasted")
    precondition(
      0...mainQueueOccupancy ~= longestMainQueueHold || world.mainQueueHold != nil,
      "the main queue was held for \(mainQueueOccupancy) ms, at a stretch for "
        + "\(longestMainQueueHold) ms")
    if let current {
      precondition(
        current.index < world.dispatcher.laneCount, "lane \(current.index) ran and does not exist")
      precondition(
        busyLanes & 1 << UInt64(current.index & 63) != 0,
        "lane \(current.index) ran and is not counted")
    }
    if let eventLog { eventLog.checkInvariants(stepCount: stepCount) }
    if let recorder {
      precondition(recorder.turns.isEmpty || busyLanes != 0, "turns are recorded, no lane ran")
    }
  }

  private func checkEnding() {
    precondition(disagreement == nil || isOver, "a run goes on after a disagreement")
    precondition(
      ending != .disagreement || disagreement != nil, "a run ended by a disagreement without one")
    precondition(
      world.dispatcher.deadlocks.isEmpty || isOver, "a run goes on after a deadlock")
    precondition(
      ending != .deadlock || !world.dispatcher.deadlocks.isEmpty, "a run ended by no deadlock")
    precondition(
      (ending == .endlessReaction) == allowance.isUsedUp,
      "\(allowance.left) turns are left in a run that ended by \(String(describing: ending))")
    precondition(
      !isFinished || isOver || isAtRest, "a run is finished although lanes can still run")
  }

  /// Checks that engine and reference model have equal counts after a full comparison.
  private func checkAgreement() {
    guard comparesWithReference, disagreement == nil, fullComparison.actionsSinceLast == 0,
      stepCount > 0
    else { return }
    for context in (0..<world.graph.contextCount).map({ ContextID($0) }) {
      precondition(
        world.graph.instanceCount(of: context) == reference.instanceCount(of: context),
        "context \(context.index) has \(world.graph.instanceCount(of: context)) instances, "
          + "in the reference model \(reference.instanceCount(of: context))")
    }
    for store in (0..<world.graph.storeCount).map({ StoreID($0) }) {
      precondition(
        world.graph.rowCount(of: store) == reference.rowCount(of: store),
        "store \(store.index) has \(world.graph.rowCount(of: store)) rows, "
          + "in the reference model \(reference.rowCount(of: store))")
    }
  }
}
