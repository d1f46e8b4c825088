import ObjectModel
package import Vocabulary

extension StepGenerator {
  /// A kind of step, or of program fragment, whose share can differ between runs.
  package enum Kind: Int, CaseIterable, Sendable {
    case insert, set, save, get, fetch, relate, delete, object, refresh, mergeChanges
    case processPendingChanges, tick, count, existingObject, registeredObject, obtainPermanentIDs
    case refreshAllObjects, rollback, reset, release, perform, performAndWait
    case setPrimitive, insertAgain, assign, detectConflicts, validate
    case changedValues, committedValues, changedValuesForCurrentEvent, hasPersistentChangedValues
    case hasChanges, uriRepresentation, objectForURI
    case batchUpdate, batchDelete, batchInsert, executeSaveRequest
    case mergeRemoteChanges, mergeHistory
    case undo, redo, disableUndoRegistration, enableUndoRegistration
    case removeStore, addStore, setMetadata, metadata, discard
    case performBackgroundTask, directly, sleep
    case performFetch
    case increment, dispatchAsync, dispatchSync, call, kill
    case refuseWrite, suspend
    case destroyStore, policy
    // Code around Core Data: conditions, loops, flags, groups and sets of IDs.
    case when, forEach, raise, enter, remember
    /// Steps that must fail or have no effect.
    case illegal
    // Workloads, which are program fragments that resemble an app's code.
    case importObjects, editForm, showList, syncDeletions, countFromTwoPlaces, insertRelated
    case cancelHalfway, rearrangeList, moveObjects, pageList
    /// Two contexts change one object and save, so that merge policies resolve the conflict.
    case writeConflict
    /// A context is at work on its queue, and another lane waits for the queue.
    case waitForWork
    /// Two contexts read the same objects before and after one of them saves.
    case repeatedRead
    /// A fetch over relationships, with predicate trees, key paths and computed dictionaries.
    case query

    /// The name of the kind in options and reports.
    package var name: String { Kind.allNames[rawValue] }

    /// The names, indexed by raw value.
    private static let allNames = allCases.map { "\($0)" }

    /// The kind of the generated step, or `nil` for illegal steps and fragments of programs.
    package var stepKind: Step.Kind? { Kind.stepKinds[rawValue] }

    /// The kinds of generated steps, indexed by raw value.
    private static let stepKinds = allCases.map { $0.isStep ? Step.Kind(word: $0.name) : nil }

    /// The generated steps without operands, indexed by raw value.
    static let bareSteps: [Step?] = allCases.map { $0.stepKind.flatMap(Step.init(bare:)) }

    /// A Boolean value that indicates whether the kind is one kind of step, rather than illegal
    /// steps or a fragment of a program.
    package var isStep: Bool { rawValue < Kind.illegal.rawValue }

    /// A Boolean value that indicates whether a run uses the kind only on request.
    package var isOnDemand: Bool { self == .destroyStore || self == .policy }

    /// A Boolean value that indicates whether the kind concerns app-defined code and variables. On
    /// a designed stack, only the design uses the kind, unless a campaign requests it.
    package var isPartOfApp: Bool {
      switch self {
      case .when, .forEach, .raise, .enter, .remember: true
      default: false
      }
    }

    /// A Boolean value that indicates whether the kind takes something away that other steps rely
    /// on.
    var isFailure: Bool {
      switch self {
      case .refuseWrite, .removeStore, .destroyStore, .suspend, .kill, .discard: true
      default: false
      }
    }

    /// Further names that reports count, with the kind that generates each.
    private static let others: [String: Kind] = [
      "add": .relate, "remove": .relate, "replace": .relate, "resume": .suspend,
      "unless": .when, "try": .when, "lower": .raise, "leave": .enter, "wait": .enter,
      "notify": .enter,
      "forget": .remember, "wrongQueue": .illegal,
    ]

    /// Creates the kind with this name, or the kind that generates steps of this name. Returns
    /// `nil` if none exists.
    package init?(named name: String) {
      guard let kind = Kind.allCases.first(where: { $0.name == name }) ?? Kind.others[name] else {
        return nil
      }
      self = kind
    }

    /// The kinds, indexed by raw value of the step kind.
    private static let byStepKind = Step.Kind.allCases.map { Kind(named: $0.word) }

    /// Creates the kind that generates steps of `kind`. Returns `nil` if none exists. A shrinker
    /// asks for every step of every candidate, so the lookup is a table.
    package init?(of kind: Step.Kind) {
      guard let kind = Kind.byStepKind[kind.rawValue] else { return nil }
      self = kind
    }

    /// All names that options take.
    package static var names: [String] { allCases.map(\.name) + others.keys.sorted() }

    /// The default weight of the kind. Kinds that change objects or move changes between levels
    /// weigh most. Kinds that only read, or that discard much at once, are rare.
    var weight: Int {
      switch self {
      case .set: 200
      case .insert, .save: 140
      case .relate: 120
      case .get, .object: 80
      case .fetch: 60
      case .delete, .refresh, .perform: 40
      case .performFetch: 50
      case .writeConflict: 25
      case .mergeChanges, .processPendingChanges, .tick: 30
      case .count, .existingObject, .registeredObject, .obtainPermanentIDs: 20
      case .performAndWait: 20
      case .refreshAllObjects, .rollback, .reset, .release: 10
      case .forEach, .when, .raise: 20
      case .enter, .remember: 12
      case .undo: 60
      case .redo: 25
      case .setPrimitive, .batchUpdate, .detectConflicts, .disableUndoRegistration: 10
      case .mergeRemoteChanges: 16
      case .batchDelete, .mergeHistory, .assign: 8
      case .validate, .changedValues, .changedValuesForCurrentEvent: 6
      case .batchInsert, .insertAgain, .objectForURI, .sleep: 5
      case .committedValues, .hasPersistentChangedValues, .hasChanges: 4
      case .policy: 10
      case .uriRepresentation, .removeStore, .destroyStore, .addStore, .setMetadata, .metadata,
        .directly, .performBackgroundTask:
        3
      case .call: 120
      case .dispatchAsync: 30
      case .dispatchSync, .increment: 10
      case .importObjects, .editForm, .showList, .syncDeletions, .countFromTwoPlaces,
        .insertRelated, .cancelHalfway, .rearrangeList, .moveObjects, .pageList:
        8
      case .refuseWrite: 5
      case .suspend: 4
      case .illegal: 20
      case .waitForWork: 12
      case .repeatedRead: 25
      case .query: 30
      case .discard: 2
      case .executeSaveRequest, .enableUndoRegistration, .kill: 1
      }
    }

    /// The weights, indexed by raw value.
    static let weights = allCases.map(\.weight)

    /// A Boolean value that indicates whether every run uses the kind.
    var isIndispensable: Bool {
      switch self {
      case .insert, .set, .save: true
      default: false
      }
    }

    /// A Boolean value that indicates whether a step of the kind discards its context.
    var discards: Bool { self == .discard || self == .performBackgroundTask }

    /// Returns the suitability of the kind for a context of this stack, in eighths.
    func suitability(for context: ContextID, in stack: Stack) -> Int {
      // Computed, because only a few kinds need it.
      var stores: [StoreID] { stack.coordinators[stack.coordinator(of: context).index].stores }
      switch self {
      case .tick: return stack.contexts[context.index].concurrencyType == .mainQueue ? 8 : 0
      case .undo, .redo, .disableUndoRegistration, .enableUndoRegistration:
        return stack.contexts[context.index].hasUndoManager ? 8 : 0
      case .assign: return stores.count > 1 ? 24 : 2
      case .addStore: return stores.count < stack.stores.count ? 24 : 1
      case .batchUpdate, .batchDelete, .batchInsert:
        // An in-memory store refuses batch requests (FE-18).
        return stores.contains { stack.stores[$0.index].isInMemory } ? 2 : 8
      case .mergeHistory:
        // The history contains the saves of other roots.
        return stack.contextIDs.count { stack.parent(of: $0) == nil } > 1 ? 8 : 1
      case .performBackgroundTask:
        // Core Data makes background contexts on the coordinator, each with its own queue.
        return stack.parent(of: context) == nil
          && stack.contexts[context.index].concurrencyType == .privateQueue
          ? 16 : 0
      case .performFetch:
        return stack.controllers.contains { $0.context == context } ? 8 : 0
      case .dispatchAsync, .dispatchSync: return stack.queues.isEmpty ? 0 : 8
      case .suspend: return stack[context].isOnMainQueue && stack.queues.isEmpty ? 0 : 8
      case .call: return stack.entryPoints.isEmpty ? 0 : 8
      case .raise: return stack.flags.isEmpty ? 0 : 8
      case .enter: return stack.groups.isEmpty ? 0 : 8
      case .remember: return stack.idSets.isEmpty ? 0 : 8
      case .importObjects:
        let isOnMain = stack.contexts[context.index].concurrencyType == .mainQueue
        // Only deliveries insert objects with equal keys in two contexts.
        return (isOnMain ? 2 : 8) * (stack.promisesUniqueKeys ? 4 : 1)
      case .syncDeletions, .insertRelated:
        return stack.contexts[context.index].concurrencyType == .mainQueue ? 2 : 8
      case .editForm, .cancelHalfway: return stack.parent(of: context) == nil ? 3 : 8
      case .showList, .pageList:
        return stack.contexts[context.index].concurrencyType == .mainQueue ? 8 : 1
      case .detectConflicts: return stack.parent(of: context) == nil ? 8 : 1
      default: return 8
      }
    }
  }
}
