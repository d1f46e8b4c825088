import ObjectModel
package import Vocabulary

extension StepGenerator {
  /// A kind of step, or of program fragment, that a run can use more or less of.
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
    // What apps write around it: conditions, loops, flags, groups, sets of IDs.
    case when, forEach, raise, enter, remember
    /// Steps that must fail or have no effect.
    case illegal
    // Workloads: fragments of programs that look like an app's.
    case importObjects, editForm, showList, syncDeletions, countFromTwoPlaces, insertRelated
    case cancelHalfway, rearrangeList
    /// Two contexts change one object and save: what merge policies are for.
    case writeConflict
    /// A context is at work on its queue, and another lane waits for it.
    case waitForWork
    /// Two contexts look at the same objects before and after one of them saves.
    case repeatedRead
    /// A fetch over relationships: predicates as trees, key paths, dictionaries that are computed.
    case query

    /// How options and reports spell it.
    package var name: String { Kind.allNames[rawValue] }

    /// By raw value.
    private static let allNames = allCases.map { "\($0)" }

    /// The kind of the steps that it makes; nil for mistakes of all kinds, and fragments of
    /// programs.
    package var stepKind: Step.Kind? { isStep ? Step.Kind(word: name) : nil }

    /// By raw value: the step that it makes, if that has no operands.
    static let bareSteps: [Step?] = allCases.map { $0.stepKind.flatMap(Step.init(bare:)) }

    /// Whether it is one kind of step; the others are mistakes of all kinds, and fragments of
    /// programs.
    package var isStep: Bool { rawValue < Kind.illegal.rawValue }

    /// Whether a run has it only if it is asked for.
    package var isOnDemand: Bool { self == .destroyStore || self == .policy }

    /// Whether it is about the app's own code and variables: on a designed stack only the design
    /// does it, unless a campaign asks for it.
    package var isPartOfApp: Bool {
      switch self {
      case .when, .forEach, .raise, .enter, .remember: true
      default: false
      }
    }

    /// Whether it takes something away that others count on.
    var isFailure: Bool {
      switch self {
      case .refuseWrite, .removeStore, .destroyStore, .suspend, .kill, .discard: true
      default: false
      }
    }

    /// What reports count under a name of its own, and which kind it comes of.
    private static let others: [String: Kind] = [
      "add": .relate, "remove": .relate, "replace": .relate, "resume": .suspend,
      "unless": .when, "try": .when, "lower": .raise, "leave": .enter, "wait": .enter,
      "notify": .enter,
      "forget": .remember, "wrongQueue": .illegal,
    ]

    /// The kind of this name, or that steps of this name come of; nil if there is none.
    package init?(named name: String) {
      guard let kind = Kind.allCases.first(where: { $0.name == name }) ?? Kind.others[name] else {
        return nil
      }
      self = kind
    }

    /// By raw value of a kind of step.
    private static let byStepKind = Step.Kind.allCases.map { Kind(named: $0.word) }

    /// The kind that steps of `kind` come of; nil if there is none. Asked of every step of every
    /// candidate of a shrinker.
    package init?(of kind: Step.Kind) {
      guard let kind = Kind.byStepKind[kind.rawValue] else { return nil }
      self = kind
    }

    /// All names that options take.
    package static var names: [String] { allCases.map(\.name) + others.keys.sorted() }

    /// How often it is chosen, where nothing is known against it. Kinds that change objects and
    /// carry changes from level to level have the bulk; kinds that only ask, or end much at once,
    /// are rare.
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
        .insertRelated, .cancelHalfway, .rearrangeList:
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

    /// By raw value: each weight.
    static let weights = allCases.map(\.weight)

    /// Kinds that every run has; of the others a run may have none.
    var isIndispensable: Bool {
      switch self {
      case .insert, .set, .save: true
      default: false
      }
    }

    /// Whether its context is gone afterwards.
    var discards: Bool { self == .discard || self == .performBackgroundTask }

    /// In parts of 8: how much sense the kind makes for a context of this stack.
    func suitability(for context: ContextID, in stack: Stack) -> Int {
      // Looked up by the few kinds that ask.
      var stores: [StoreID] { stack.coordinators[stack.coordinator(of: context).index].stores }
      switch self {
      case .tick: return stack.contexts[context.index].concurrencyType == .mainQueue ? 8 : 0
      case .undo, .redo, .disableUndoRegistration, .enableUndoRegistration:
        return stack.contexts[context.index].hasUndoManager ? 8 : 0
      case .assign: return stores.count > 1 ? 24 : 2
      case .addStore: return stores.count < stack.stores.count ? 24 : 1
      case .batchUpdate, .batchDelete, .batchInsert:
        // A store in memory refuses (FE-18).
        return stores.contains { stack.stores[$0.index].isInMemory } ? 2 : 8
      case .mergeHistory:
        // It tells what other roots did.
        return stack.contextIDs.count { stack.parent(of: $0) == nil } > 1 ? 8 : 1
      case .performBackgroundTask:
        // Core Data makes its contexts on the coordinator, each with a queue of its own.
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
      case .importObjects, .syncDeletions, .insertRelated:
        return stack.contexts[context.index].concurrencyType == .mainQueue ? 2 : 8
      case .editForm, .cancelHalfway: return stack.parent(of: context) == nil ? 3 : 8
      case .showList: return stack.contexts[context.index].concurrencyType == .mainQueue ? 8 : 1
      case .detectConflicts: return stack.parent(of: context) == nil ? 8 : 1
      default: return 8
      }
    }
  }
}
