import Failures
import SimulatedCoreData
import Vocabulary

/// A lane that owns the main queue asks no store for rows and writes none. Asked of stacks that say
/// how long that takes, and reported once for each context: a design that does it does it often.
struct MainQueueRequests {
  private var reported: [ContextID] = []
  /// Whether the stack says how long requests take.
  private let isAsked: Bool

  init(_ stack: Stack) { isAsked = stack.timing != Stack.Timing() }

  package mutating func check(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    guard isAsked, !world.storeAccess.isNone, world.ownsMainQueue(moment.lane),
      !reported.contains(moment.action.context)
    else { return }
    let context = moment.action.context
    reported.append(context)
    var violation = Violation(
      .MainQueueAsksNoStore, in: context, detail: world.name(of: moment.lane))
    violation.proof = [
      ProofLine(.asksStore(moment.action, world.storeAccess), by: context, step: moment.step)
    ]
    found.append(violation)
  }
}
