package import Vocabulary

/// The feature of a run that has to change to prevent a violation.
package enum Cause: Hashable, Sendable {
  case quirk(Quirk)
  /// Two quirks, each of which suffices.
  case quirks(Quirk, Quirk)
  case mergePolicy(MergePolicy)
  /// Two policies, each of which settles the conflict in one order of the saves.
  case mergePolicies(MergePolicy, MergePolicy)
  /// A quirk and a policy, each of which suffices.
  case quirkAndPolicy(Quirk, MergePolicy)
  case automaticMerge
  case observer
  /// A named list of steps that the stack offers.
  case entryPoint
  case interleaving
  /// Steps that bypass the change tracking of contexts.
  case bypass(Bypass)
  /// A delete rule of the model that leaves references to deleted objects behind (RL-09).
  case noActionRule
  /// A relationship of the model without an inverse, so that no deletion clears it (RL-09).
  case missingInverse
  /// A `willSave` of a managed object class, which changes its object.
  case willSave
  case severalCoordinators
  case severalRoots
  /// The tree of contexts, and the steps of the design on their queues.
  case design
  case program
  /// A bug planted in the engine on purpose.
  case plantedBug(PlantedBug)

  /// Returns the cause as text. If a part of the design is the cause, or took the violating step,
  /// the text names the part.
  package func text(in part: DesignPart?) -> String {
    isOfPart || self == .program ? part?.text ?? text : text
  }

  /// Returns the cause as text, or `nil` for the design as a whole. A reader cannot look for that.
  package func specificText(in part: DesignPart? = nil) -> String? {
    self == .design ? nil : text(in: part)
  }

  /// Returns the cause of a failure as text. `waits` are the queues that wait for each other, if
  /// any. Naming them says more than naming their order.
  package func text(in part: DesignPart?, waits: [String]) -> String {
    guard part == nil, self == .interleaving || self == .design, let queue = waits.first else {
      return text(in: part)
    }
    return waits.count == 1
      ? "a block on \(queue) that waits for \(queue)"
      : "\(waits.dropLast().joined(separator: ", ")) and \(waits[waits.count - 1]), which wait for each other"
  }

  /// The only quirk of the cause, or `nil` if the cause has no quirk or two.
  var quirk: Quirk? {
    switch self {
    case .quirk(let quirk), .quirkAndPolicy(let quirk, _): quirk
    default: nil
    }
  }

  /// A Boolean value that indicates whether the cause lies in the design, so that the same cause in
  /// another part is a different one.
  package var isOfPart: Bool {
    switch self {
    case .observer, .entryPoint, .interleaving, .design, .severalRoots: true
    case .automaticMerge, .quirk, .quirks, .mergePolicy, .mergePolicies, .quirkAndPolicy, .bypass,
      .noActionRule, .missingInverse, .willSave, .severalCoordinators, .program, .plantedBug:
      false
    }
  }

  /// A Boolean value that indicates whether the cause is one merge policy or two.
  package var isPolicy: Bool {
    switch self {
    case .mergePolicy, .mergePolicies: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the cause is a policy that settles conflicts. The error
  /// policy settles none.
  package var settlesConflicts: Bool { isPolicy && self != .mergePolicy(.error) }

  package var text: String {
    switch self {
    case .quirk(let quirk): "quirk \(quirk.name)"
    case .quirks(let a, let b): "quirk \(a.name) or quirk \(b.name), each of which suffices"
    case .mergePolicy(let policy): "merge policy \(policy.rawValue)"
    case .mergePolicies(let a, let b):
      "merge policy \(a.rawValue) or \(b.rawValue), for either order of the saves"
    case .quirkAndPolicy(let quirk, let policy):
      "quirk \(quirk.name) or merge policy \(policy.rawValue), each of which suffices"
    case .automaticMerge: "automaticallyMergesChangesFromParent"
    case .observer: "an observer of the stack"
    case .entryPoint: "an entry point of the stack"
    case .interleaving: "the interleaving of the queues"
    case .bypass(let bypass): bypass.text
    case .noActionRule: "the delete rule noAction"
    case .missingInverse: "a relationship without an inverse"
    case .willSave: "a willSave that changes its object in every round"
    case .severalCoordinators: "two coordinators on one store"
    case .severalRoots: "several root contexts"
    case .design: "the design of the stack"
    case .program: "the program itself"
    case .plantedBug(let bug): "planted bug \(bug.name)"
    }
  }
}

/// Steps that bypass the change tracking of contexts.
package enum Bypass: String, CaseIterable, Sendable {
  case batchRequests, primitiveSetters, undo, removedStores

  package var text: String {
    switch self {
    case .batchRequests: "batch requests"
    case .primitiveSetters: "primitive setters"
    case .undo: "undo"
    case .removedStores: "the removal of a store"
    }
  }

  package func takes(_ step: Step) -> Bool {
    switch self {
    case .batchRequests: if case .batch = step { true } else { false }
    case .primitiveSetters: step.kind == .setPrimitive
    case .undo: step == .undo || step == .redo
    case .removedStores: step.traits.contains(.takesStore)
    }
  }
}
