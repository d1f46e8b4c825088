import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A context that is given up has nothing unsaved in it: it goes without asking (CC-19). Nor
/// has one that an observer resets or rolls back while it is being edited.
///
/// An entry point that gives a context up and does not save it is called for that: to cancel. One
/// that saves it first is handed the context with all that is in it; a program that goes on
/// changing objects there loses them by its own doing. Where a save has raised an exception, the
/// app ends before anything is given up.
struct Losses: Hashable {
  /// A context that an entry point is about to finish, in which lane, and what the program has
  /// changed there since.
  private struct Handover: Hashable {
    let context: ContextID
    let lane: LaneID
    var late: [ObjectID] = []
  }

  private var handovers: [Handover] = []
  /// Contexts whose last save raised.
  private var raised: Set<ContextID> = []

  mutating func check(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    let context = moment.action.context
    let isUnderWay = handovers.contains { $0.context == context && $0.lane == moment.lane }
    if case .entryPoint(let id) = moment.author, !isUnderWay,
      world.stack.entryPoints(thatFinish: context).contains(id)
    {
      handovers.append(Handover(context: context, lane: moment.lane))
    }
    if moment.action.isSave { noteSave(in: context, world) }
    guard let step = moment.whole, !moment.hasFailed else { return }
    if moment.author == .program { noteChange(step, in: world) }
    switch moment.kind {
    case .discard where moment.author.isCancelling(context, in: world.stack): break
    case .discard: report(moment, step, in: world, &found)
    // The program's own says that it wants nothing of it.
    case .reset where moment.origin != .program, .rollback where moment.origin != .program:
      report(moment, step, in: world, &found)
    case .kill: (handovers, raised) = ([], [])
    default: return
    }
    raised.remove(context)
    // Two calls may be under way at a time. One whose last lane is another than its first ends them
    // all: which of them it is, is not known.
    handovers.removeAll { $0.context == context && ($0.lane == moment.lane || !isUnderWay) }
  }

  private mutating func noteSave(in context: ContextID, _ world: World) {
    raised.remove(context)
    // LC-09.
    for case .failed(.willSaveLoop) in world.events { raised.insert(context) }
  }

  private mutating func noteChange(_ step: AddressedStep, in world: World) {
    guard handovers.contains(where: { $0.context == step.context }), step.step.kind.writes else {
      return
    }
    var names: [ObjectName] = []
    var visit = StepMapping()
    visit.name = { name in
      names.append(name)
      return name
    }
    _ = visit.map(step.step)
    let changed = names.compactMap { world.lifelongID(of: $0, in: step.context) }
    for index in handovers.indices where handovers[index].context == step.context {
      handovers[index].late += changed
    }
  }

  private func report(
    _ moment: Moment, _ step: AddressedStep, in world: World, _ found: inout [Violation]
  ) {
    if raised.contains(step.context) { return }
    let late = handovers.filter { $0.context == step.context }.flatMap(\.late)
    var violation = Violation(.ContextsTakeNothingWithThem, in: step.context)
    if moment.author.isDesign { violation.site = .stack }
    for case .lost(let context, let object, let loss) in world.evidence
    where !late.contains(world.lifelongID(object)) {
      var property: PropertyID?
      switch loss {
      case .value(let changed, _), .members(let changed): property = changed
      case .insertion, .deletion: property = nil
      }
      violation.object = violation.object ?? object
      violation.proof.append(
        ProofLine(
          .loses(loss), by: context, of: world.lifelongID(object), property, step: moment.step))
    }
    if !violation.proof.isEmpty { found.append(violation) }
  }
}

extension Author {
  /// Whether it is an entry point that does not save the context.
  fileprivate func isCancelling(_ context: ContextID, in stack: Stack) -> Bool {
    guard case .entryPoint(let id) = self else { return false }
    return !stack.entryPoints[id.index].steps.contains { step in
      step.contains { taken in
        if case .call = taken.step { true } else { taken.context == context && taken.step == .save }
      }
    }
  }
}
