import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks that a discarded context has no unsaved changes, which it would lose without asking
/// (CC-19). The same holds for a context that an observer resets or rolls back. It also holds for
/// an object that the design refreshes without merging, which drops the object's changes (FL-02).
///
/// An entry point that discards a context without a save is called to cancel. An entry point that
/// saves first takes over the context with its changes. If the program changes objects there
/// afterwards, it causes their loss itself. After a save that raised an exception, the app ends
/// before the context is discarded.
struct Losses: InvariantCheck {
  static let invariants: [Invariant] = [.ContextsTakeNothingWithThem]

  /// A context that an entry point is about to finish, the lane of the call, and the objects that
  /// the program has changed there since.
  private struct Handover: Hashable {
    let context: ContextID
    let lane: LaneID
    var late: [ObjectID] = []
  }

  private var handovers: [Handover] = []
  /// The contexts whose last save raised an exception.
  private var raised: Set<ContextID> = []
  /// The entry points of the stack that finish a context, indexed by context.
  private let finishers: [[EntryPointID]]

  init(_ stack: Stack) { finishers = stack.contextIDs.map(stack.entryPoints(thatFinish:)) }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let context = moment.context
    let isUnderWay = handovers.contains { $0.context == context && $0.lane == moment.lane }
    if case .entryPoint(let id) = moment.author, !isUnderWay,
      finishers[context.index].contains(id)
    {
      handovers.append(Handover(context: context, lane: moment.lane))
    }
    if moment.action.isSave { noteSave(in: context, moment, world) }
    guard let kind = moment.done else { return }
    if moment.author == .program { noteChange(kind, moment, in: world) }
    switch kind {
    case .discard where moment.author.isCancelling(context, in: world): break
    case .discard: report(moment, in: world, &found)
    // A reset or rollback by the program itself discards on purpose.
    case .reset where moment.origin != .program, .rollback where moment.origin != .program:
      report(moment, in: world, &found)
    // The context stays in use, and the calls that will finish it continue.
    case .refresh where moment.author.isDesign, .forEach where moment.author.isDesign:
      report(moment, in: world, &found)
      return
    case .kill: (handovers, raised) = ([], [])
    default: return
    }
    if !raised.isEmpty { raised.remove(context) }
    // Two calls may be in progress at once. If a call ends on another lane than it began on, it is
    // unknown which call ended, so all handovers of the context end.
    handovers.removeAny { $0.context == context && ($0.lane == moment.lane || !isUnderWay) }
  }

  private mutating func noteSave(in context: ContextID, _ moment: Moment, _ world: World) {
    if !raised.isEmpty { raised.remove(context) }
    if !moment.hasFailed { return }
    // Core Data raises an exception (LC-09).
    for case .failed(.willSaveLoop) in world.graph.result.events { raised.insert(context) }
  }

  private mutating func noteChange(_ kind: Step.Kind, _ moment: Moment, in world: World) {
    guard !handovers.isEmpty, kind.traits.contains(.writes), let step = moment.whole,
      handovers.contains(where: { $0.context == step.context })
    else { return }
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

  private func report(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    if world.graph.result.evidence.isEmpty { return }
    let context = moment.context
    if raised.contains(context) { return }
    let late = handovers.filter { $0.context == context }.flatMap(\.late)
    var violation = Violation(.ContextsTakeNothingWithThem, in: context)
    if moment.author.isDesign { violation.site = .stack }
    if moment.kind == .refresh || moment.kind == .forEach { violation.step = moment.whole }
    for case .lost(let context, let object, let loss) in world.graph.result.evidence
    where !late.contains(world.lifelongID(object)) {
      let property = loss.property
      violation.object = violation.object ?? object
      violation.proof.append(
        ProofLine(
          .loses(loss), by: context, of: world.lifelongID(object), property, step: moment.step))
    }
    if !violation.proof.isEmpty { found.append(violation) }
  }
}

extension Author {
  /// Returns a Boolean value that indicates whether the author is an entry point that does not save
  /// the context.
  fileprivate func isCancelling(_ context: ContextID, in world: World) -> Bool {
    guard case .entryPoint(let id) = self else { return false }
    return !world.stack.entryPoints[id.index].steps.contains { step in
      step.contains { taken in
        if case .call = taken.step { true } else { taken.context == context && taken.step == .save }
      }
    }
  }
}

extension Evidence.Loss {
  /// The changed property, or `nil` if the object was inserted or deleted.
  var property: PropertyID? {
    switch self {
    case .value(let changed, _), .members(let changed): changed
    case .insertion, .deletion: nil
    }
  }
}
