import Failures
import SimulatedCoreData
import Vocabulary

/// A lane that owns the main queue asks no store for rows and writes none, but for a merge, which
/// has no other place than the context's queue. Asked of stacks that say how long that takes, and
/// reported once for each context, of the program's steps and of the design's: what does it does it
/// often.
struct MainQueueRequests: InvariantCheck {
  static let invariants: [Invariant] = [.MainQueueAsksNoStore]

  private struct Report: Hashable {
    let context: ContextID
    let isByDesign: Bool
  }

  private var reported: [Report] = []
  /// Whether the stack says how long requests take.
  private let isAsked: Bool

  init(_ stack: Stack) { isAsked = stack.timing != Stack.Timing() }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let context = moment.context
    let report = Report(context: context, isByDesign: moment.author.isDesign)
    guard isAsked, !world.graph.result.storeAccess.isNone, !moment.action.isMerge,
      world.ownsMainQueue(moment.lane),
      !reported.contains(report)
    else { return }
    reported.append(report)
    var violation = Violation(
      .MainQueueAsksNoStore, in: context, detail: world.name(of: moment.lane))
    violation.proof = [
      ProofLine(
        .asksStore(moment.action, world.graph.result.storeAccess), by: context, step: moment.step)
    ]
    found.append(violation)
  }
}

extension Action {
  fileprivate var isMerge: Bool {
    switch self {
    case .merge, .mergeRemote: true
    default: false
    }
  }
}
