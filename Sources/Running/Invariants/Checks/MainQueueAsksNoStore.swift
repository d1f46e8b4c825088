import Failures
import SimulatedCoreData
import Vocabulary

/// Checks that a lane that owns the main queue sends no requests to stores. Merges are exempt,
/// because they must run on the context's queue. Only stacks that declare request times are
/// checked. Each context is reported once for the program's steps and once for the design's,
/// because such requests recur.
struct MainQueueRequests: InvariantCheck {
  static let invariants: [Invariant] = [.MainQueueAsksNoStore]

  private struct Report: Hashable {
    let context: ContextID
    let isByDesign: Bool
  }

  private var reported: [Report] = []
  /// A Boolean value that indicates whether the stack declares how long requests take.
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
