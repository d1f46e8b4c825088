import Execution
import Failures
import Invariants
import SimulatedCoreData
import Vocabulary

extension Intervention {
  /// The author's steps of a sort are omitted. Steps of the program are the program's own doing.
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

/// The interventions that rules try, in order.
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

  /// The narrowest first: without temporary IDs, or without a second awakening, so much takes
  /// another way that other violations vanish as well.
  private static let quirksByWidth: [Quirk] = [
    .childSaveIgnoresEqualValues, .childSaveIgnoresMergePolicy, .ancestorCacheHidesUpdates,
    .rowHasTwoInstances, .inaccessibleFaultRaises, .deletedInsertReportsNotDeleted,
    .mergeNotificationLacksObjects, .parentAwakensInsertedObject, .childKeepsTemporaryID,
  ]

  /// The quirk that the kind of failure is named after, if the campaign has that quirk.
  var namedQuirks: [Quirk] {
    guard case .quirk(let quirk)? = target.kind.anomaly?.mainSuspect else { return [] }
    return suspectedQuirks.filter { $0 == quirk }
  }

  /// Contested quirks were asked for by name and come first, then the one that the kind is named
  /// after.
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

  /// The policies of the stack that settle conflicts, each with the error policy in its place.
  func policies() -> [Intervention] { policiesThatSettle.map { .replacing($0) } }

  /// The same, with a quirk turned off besides.
  func policies(beside quirk: Quirk) -> [Intervention] {
    policiesThatSettle.map {
      Intervention(.quirkAndPolicy(quirk, $0), .turnOff(quirk), .replacePolicy($0, by: .error))
    }
  }

  /// The policies of the context that shows the violation and of the contexts above it, each with
  /// the error policy in the place of that context's.
  var ownPolicies: [Intervention] {
    guard let shown = violation?.context else { return [] }
    return program.stack.chain(from: shown).compactMap { context in
      let policy = program.stack[context].mergePolicy
      return policy == .error
        ? nil : Intervention(.mergePolicy(policy), .letConflictsFail(in: context))
    }
  }

  /// Two policies of the stack, each of which settles the conflict in one order of the saves.
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

  /// Policies that settle conflicts, first those of contexts whose changes were dropped.
  private var policiesThatSettle: [MergePolicy] {
    let settling = settlersByDeed + program.stack.contextIDs
    return settling.map { program.stack[$0].mergePolicy }.reduce(into: []) { known, policy in
      if policy != .error, !known.contains(policy) { known.append(policy) }
    }
  }

  var automaticMerges: [Intervention] {
    program.stack.contexts.indices.filter {
      program.stack.contexts[$0].automaticallyMergesChangesFromParent
    }.map { Intervention(.automaticMerge, .mergeNothing(in: $0)) }
  }

  /// Observers of the scopes that the invariant suspects.
  var observers: [Intervention] {
    let includesSavers = suspects?.scopes.contains(.savers) == true
    return program.stack.observersByWeight
      .filter { includesSavers || !program.stack.onlySaves(.observer($0)) }
      .map { Intervention(.observer, by: .observer($0), .omitObserver($0)) }
  }

  /// The first part of the design without whose store-taking steps the failure does not happen.
  var storeTaker: Intervention? { first(of: parts(omitting: .storeTaking)) }

  /// The parts of the design, each without its steps of a sort.
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
  /// A Boolean value that indicates whether a part saves, and does nothing else that contexts show.
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

  /// The indices of the observers: first those that change what a context shows, then those that
  /// save. An observer that only keeps IDs, or raises a flag, prepares what another one does.
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
