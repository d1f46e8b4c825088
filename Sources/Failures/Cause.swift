package import Vocabulary

/// What has to be changed for a violation not to happen.
package enum Cause: Hashable, Sendable {
  case quirk(Quirk)
  /// Two quirks, each of which is enough.
  case quirks(Quirk, Quirk)
  case mergePolicy(MergePolicy)
  /// Two policies, each of which settles the conflict in one order of the saves.
  case mergePolicies(MergePolicy, MergePolicy)
  /// Each of which is enough.
  case quirkAndPolicy(Quirk, MergePolicy)
  case automaticMerge
  case observer
  /// A named list of steps that the stack offers.
  case entryPoint
  case interleaving
  /// Steps that go past what contexts keep track of.
  case bypass(Bypass)
  /// A delete rule of the model that leaves references to deleted objects behind (RL-09).
  case noActionRule
  /// A relationship of the model has no inverse, so that no deletion clears it (RL-09).
  case missingInverse
  /// A `willSave` of the model's classes, which changes its object.
  case willSave
  case severalCoordinators
  case severalRoots
  /// Which contexts stand where, and what they do on which queue.
  case design
  case program
  /// Put into the engine on purpose.
  case plantedBug(PlantedBug)

  /// As text, with the part of the design where a part is the cause, or has taken the step that
  /// showed it.
  package func text(in part: DesignPart?) -> String {
    isOfPart || self == .program ? part?.text ?? text : text
  }

  /// Likewise, of a failure in which these queues wait for each other, if any do: that says more
  /// than that they ran in some order.
  package func text(in part: DesignPart?, waits: [String]) -> String {
    guard part == nil, self == .interleaving || self == .design, let queue = waits.first else {
      return text(in: part)
    }
    return waits.count == 1
      ? "a block on \(queue) that waits for \(queue)"
      : "\(waits.dropLast().joined(separator: ", ")) and \(waits[waits.count - 1]), which wait for each other"
  }

  /// The one quirk that it names; nil if it names none, or two.
  var quirk: Quirk? {
    switch self {
    case .quirk(let quirk), .quirkAndPolicy(let quirk, _): quirk
    default: nil
    }
  }

  /// Whether it is about how the design is made, so that it is another cause in another part.
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

  package var text: String {
    switch self {
    case .quirk(let quirk): "quirk \(quirk.name)"
    case .quirks(let a, let b): "quirks \(a.name) and \(b.name)"
    case .mergePolicy(let policy): "merge policy \(policy.rawValue)"
    case .mergePolicies(let a, let b): "merge policies \(a.rawValue) and \(b.rawValue)"
    case .quirkAndPolicy(let quirk, let policy):
      "quirk \(quirk.name) and merge policy \(policy.rawValue)"
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

/// A way past the bookkeeping of contexts, as the steps that take it.
package enum Bypass: String, CaseIterable, Sendable {
  case batchRequests, primitiveSetters, undo, removedStores

  package var text: String {
    switch self {
    case .batchRequests: "batch requests"
    case .primitiveSetters: "primitive setters"
    case .undo: "undo"
    case .removedStores: "a store that is removed"
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
