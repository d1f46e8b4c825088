package import Failures

extension Cause {
  /// Returns the cause in terms of the code, without references to stacks and programs.
  ///
  /// - Parameter context: The context in which the failure showed.
  package func text(inCodeOf context: String?) -> String {
    let ofContext = context.map { " of \($0)" } ?? ""
    return switch self {
    case .mergePolicy, .mergePolicies, .quirkAndPolicy: text + ofContext
    case .observer: "an observer of a notification"
    case .interleaving: "the order in which the queues run"
    case .design, .entryPoint:
      "the parents and queues of the contexts, and the code that runs there"
    case .program: "the code itself, in any order of the queues"
    case .automaticMerge, .quirk, .quirks, .bypass, .noActionRule, .missingInverse, .willSave,
      .severalCoordinators,
      .severalRoots, .plantedBug:
      text
    }
  }
}
