import Execution
import Failures
import Invariants
import SimulatedCoreData
import Vocabulary

extension Intervention {
  /// Returns an intervention that omits the author's steps of a sort. The default cause suits steps
  /// of the generated program.
  static func omitting(
    _ sort: StepSort, _ author: Author, as cause: Cause = .program
  ) -> Intervention {
    Intervention(cause, by: author, .omit(sort, of: author))
  }

  static let omittingCalls = omitting(.calls, .program, as: .entryPoint)
  static let keepingOrder = Intervention(.interleaving, .keepOrder)
  static let settlingErrors = Intervention(
    .mergePolicy(.error), .replacePolicy(.error, by: .mergeByPropertyObjectTrump))

  static func replacing(_ policy: MergePolicy) -> Intervention {
    Intervention(.mergePolicy(policy), .replacePolicy(policy, by: .error))
  }
}

/// The interventions that the rules try, in order.
extension Experiment {
  var plantedBugs: [Intervention] {
    PlantedBug.allCases.filter(configuration.bugs.contains).map {
      Intervention(.plantedBug($0), .removeBug($0))
    }
  }

  var namedBypasses: [Intervention] {
    guard case .bypass(let bypass)? = target.kind.anomaly?.mainSuspect else { return [] }
    return [.omitting(.bypass(bypass), .program, as: .bypass(bypass))]
  }

  /// Quirks, narrowest effect first. Turning off temporary IDs or second awakenings changes so much
  /// of a run that unrelated violations vanish as well.
  private static let quirksByWidth: [Quirk] = [
    .childSaveIgnoresEqualValues, .childSaveIgnoresMergePolicy, .ancestorCacheHidesUpdates,
    .rowHasTwoInstances, .inaccessibleFaultRaises, .deletedInsertReportsNotDeleted,
    .mergeNotificationLacksObjects, .parentAwakensInsertedObject, .childKeepsTemporaryID,
  ]

  /// The quirk after which the kind of failure is named, if the campaign simulates that quirk.
  var namedQuirks: [Quirk] {
    guard case .quirk(let quirk)? = target.kind.anomaly?.mainSuspect else { return [] }
    return suspectedQuirks.filter { $0 == quirk }
  }

  /// The quirks that the diagnosis turns off, one at a time, to find the cause. Contested quirks
  /// come first, because the user requested them by name. The quirk after which the kind of failure
  /// is named follows, and then the others.
  var suspectedQuirks: [Quirk] {
    guard suspects?.scopes.contains(.quirks) == true else { return [] }
    var order = Quirk.contested
    if case .quirk(let quirk)? = target.kind.anomaly?.mainSuspect { order.append(quirk) }
    order += Experiment.quirksByWidth.filter { !order.contains($0) }
    return order.filter(configuration.quirks.contains)
  }

  var pairsOfQuirks: [Intervention] {
    let quirks = suspectedQuirks
    return quirks.enumerated().flatMap { index, first in
      quirks[(index + 1)...].map {
        Intervention(.quirks(first, $0), .turnOff(first), .turnOff($0))
      }
    }
  }

  /// Returns interventions that each replace one conflict-settling policy of the stack with the
  /// error policy.
  func policies() -> [Intervention] { policiesThatSettle.map { .replacing($0) } }

  /// Returns the interventions of `policies()`, each of which also turns off a quirk.
  func policies(beside quirk: Quirk) -> [Intervention] {
    policiesThatSettle.map {
      Intervention(.quirkAndPolicy(quirk, $0), .turnOff(quirk), .replacePolicy($0, by: .error))
    }
  }

  /// Interventions that each give the error policy to one context, either the context that shows
  /// the violation or one of its ancestors.
  var ownPolicies: [Intervention] {
    guard let shown = violation?.context else { return [] }
    return program.stack.chain(from: shown).compactMap { context in
      let policy = program.stack[context].mergePolicy
      return policy == .error
        ? nil : Intervention(.mergePolicy(policy), .letConflictsFail(in: context))
    }
  }

  /// Pairs of policies of the stack, each of which may settle the conflict in one order of the
  /// saves.
  var pairsOfPolicies: [Intervention] {
    let policies = MergePolicy.allCases.filter(policiesThatSettle.contains)
    return policies.enumerated().flatMap { index, first in
      policies[(index + 1)...].map {
        Intervention(
          .mergePolicies(first, $0), .replacePolicy(first, by: .error),
          .replacePolicy($0, by: .error))
      }
    }
  }

  /// The policies that settle conflicts. Policies of contexts that may have dropped changes come
  /// first.
  private var policiesThatSettle: [MergePolicy] {
    let settling = settlersByOperation + program.stack.contextIDs
    return settling.map { program.stack[$0].mergePolicy }.reduce(into: []) { known, policy in
      if policy != .error, !known.contains(policy) { known.append(policy) }
    }
  }

  var automaticMerges: [Intervention] {
    program.stack.contexts.indices.filter {
      program.stack.contexts[$0].automaticallyMergesChangesFromParent
    }.map { Intervention(.automaticMerge, .mergeNothing(in: $0)) }
  }

  /// Interventions that each omit one observer in the scopes that the invariant suspects.
  var observers: [Intervention] {
    let includesSavers = suspects?.scopes.contains(.savers) == true
    return program.stack.observersByWeight
      .filter { includesSavers || !program.stack.onlySaves(.observer($0)) }
      .map { Intervention(.observer, by: .observer($0), .omitObserver($0)) }
  }

  /// The first intervention that prevents the failure by omitting the store-taking steps of one
  /// part of the design.
  var storeTaker: Intervention? { first(of: parts(omitting: .storeTaking)) }

  /// Returns interventions that each omit the steps of a sort from one part of the design.
  func parts(omitting sort: StepSort) -> [Intervention] {
    let stack = program.stack
    let observers = stack.observers.indices.map {
      Intervention.omitting(sort, .observer($0), as: .observer)
    }
    return observers
      + stack.entryPoints.indices.map {
        .omitting(sort, .entryPoint(EntryPointID($0)), as: .entryPoint)
      }
  }
}

extension DesignPart {
  /// The cause that names a part of this kind.
  var asCause: Cause {
    switch self {
    case .observer: .observer
    case .entryPoint: .entryPoint
    }
  }
}

extension Stack {
  /// Returns a Boolean value that indicates whether no step of the part changes the objects that
  /// its context shows. Saves change none.
  fileprivate func onlySaves(_ author: Author) -> Bool {
    let steps: [AddressedStep]
    switch author {
    case .observer(let index): steps = observers[index].steps
    case .entryPoint(let id): steps = entryPoints[id.index].steps
    case .program: return false
    }
    return steps.allSatisfy { step in
      !step.contains { inner in
        if case .call(let id) = inner.step { return !onlySaves(.entryPoint(id)) }
        return !inner.step.traits.contains(.sparesObjects)
      }
    }
  }

  /// The indices of the observers. Observers that merge, refresh or iterate over IDs come first,
  /// then observers that save or call an entry point.
  ///
  /// All others come last. An observer that only records IDs or sets a flag, for example, prepares
  /// the work of another observer.
  var observersByWeight: [Int] {
    func weight(_ observer: Observer) -> Int {
      func has(_ matches: (Step) -> Bool) -> Bool {
        observer.steps.contains { step in step.contains { matches($0.step) } }
      }
      let changes = has { step in
        if case .forEach = step { return true }
        return StepSort.merges.includes(step) || step == .refreshAllObjects
      }
      return changes ? 0 : has { $0 == .save || StepSort.calls.includes($0) } ? 1 : 2
    }
    return observers.indices.sorted { a, b in
      (weight(observers[a]), a) < (weight(observers[b]), b)
    }
  }
}
