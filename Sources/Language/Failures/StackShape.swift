package import Vocabulary

/// The shape of a stack, which decides which violations are possible.
///
/// Programs discard only contexts that the stack declares discardable.
package struct StackShape: Sendable {
  private let stack: Stack
  private let roots: [Stack.Context]

  package init(_ stack: Stack) {
    self.stack = stack
    roots = stack.contextIDs.filter { stack.parent(of: $0) == nil }.map { stack[$0] }
  }

  // MARK: Contexts

  var hasChildren: Bool { stack.contextIDs.contains { stack.parent(of: $0) != nil } }

  /// A Boolean value that indicates whether two contexts have the same parent.
  var hasSiblings: Bool { stack.contextIDs.contains { stack.children(of: $0).count > 1 } }

  var hasSeveralRoots: Bool { roots.count > 1 }

  var hasPromises: Bool { !stack.dataPromises.isEmpty }

  var hasContextPromises: Bool { !stack.contextPromises.isEmpty }

  var hasCallPromises: Bool {
    stack.entryPoints.contains { $0.promises.contains { $0.data == nil } }
  }

  /// A Boolean value that indicates whether an entry point reads after it has enqueued a save.
  var readsEarly: Bool { stack.entryPoints.contains { !stack.earlyReads(of: $0).isEmpty } }

  var isOneContextUnobserved: Bool { stack.contexts.count == 1 && stack.observers.isEmpty }

  /// A Boolean value that indicates whether a program, an entry point or an observer discards a
  /// context, or an observer makes one drop its changes. Contexts with children are never
  /// discarded.
  var discardsContexts: Bool {
    func discards(_ step: AddressedStep) -> Bool {
      step.contains {
        $0.step.traits.contains(.givesUpContext) && stack.children(of: $0.context).isEmpty
      }
    }
    return stack.contextIDs.contains { stack[$0].isDiscardable && stack.children(of: $0).isEmpty }
      || stack.entryPoints.contains { $0.steps.contains(where: discards) }
      || stack.observers.contains {
        $0.steps.contains { step in
          discards(step) || step.contains { $0.step.traits.contains(.givesUpChanges) }
        }
      }
  }

  /// A Boolean value that indicates whether a context merges saves of other contexts automatically.
  var mergesAutomatically: Bool {
    stack.contexts.contains(where: \.automaticallyMergesChangesFromParent)
  }

  // MARK: The stack's own steps

  /// The steps of observers and entry points.
  var ownSteps: [AddressedStep] {
    stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
  }

  var goesPastQueues: Bool {
    ownStepsContain { if case .directly = $0 { true } else { false } }
  }

  var givesUpChanges: Bool {
    ownStepsContain {
      !$0.traits.isDisjoint(with: [.givesUpContext, .givesUpChanges])
    }
  }

  var remembersIDs: Bool {
    ownStepsContain { if case .remember = $0 { true } else { false } }
  }

  /// A Boolean value that indicates whether a step of the stack refreshes objects without merging.
  var refreshesObjects: Bool { ownStepsContain(\.dropsChanges) }

  private func ownStepsContain(_ matches: (Step) -> Bool) -> Bool {
    ownSteps.contains { $0.contains { matches($0.step) } }
  }

  /// Returns a Boolean value that indicates whether the stack keeps the context up to date. A
  /// context stays up to date if it merges automatically, steps of the stack merge into it, or an
  /// observer refreshes it. A refresh by an entry point does not count, because it serves the entry
  /// point alone.
  package func follows(_ context: ContextID) -> Bool {
    stack[context].automaticallyMergesChangesFromParent
      || ownSteps.contains {
        $0.contains { $0.context == context && $0.step.traits.contains(.merges) }
      }
      || stack.observers.flatMap(\.steps).contains {
        $0.contains { $0.context == context && $0.step == .refreshAllObjects }
      }
  }

  var hasFollowers: Bool { stack.contextIDs.contains(where: follows) }

  var everyContextFollows: Bool { stack.contextIDs.allSatisfy(follows) }

  var saves: Bool { ownStepsContain { $0 == .save } }

  /// A Boolean value that indicates whether an observer or an entry point saves a context that has
  /// a parent.
  var savesChildren: Bool {
    ownSteps.contains {
      $0.contains { $0.step == .save && stack.parent(of: $0.context) != nil }
    }
  }

  /// A Boolean value that indicates whether an observer or an entry point removes or destroys a
  /// store.
  private var takesStores: Bool {
    ownStepsContain { step in
      switch step {
      case .removeStore, .destroyStore: true
      default: false
      }
    }
  }

  /// Returns the reason that no step can fail because a row or a store is missing, or `nil` if a
  /// step can.
  func lackOfRaisingFaults(_ quirks: QuirkSet) -> String? {
    quirks.contains(.inaccessibleFaultRaises) || takesStores
      || stack.contexts.contains { !$0.shouldDeleteInaccessibleFaults }
      ? nil : "reading an object without a row returns nil"
  }

  /// Returns the reason that no read of a fault without a row marks the object as deleted, or `nil`
  /// if a read can.
  func lackOfDeletingReads(_ quirks: QuirkSet) -> String? {
    !quirks.contains(.inaccessibleFaultRaises)
      && stack.contexts.contains(where: \.shouldDeleteInaccessibleFaults)
      ? nil : "reading an object without a row raises an error"
  }

  // MARK: Stores

  /// Returns the reason that no save can fail by a conflict, or `nil` if a save can. The quirks
  /// decide whether the save of a child can fail.
  func lackOfFailingSaves(_ quirks: QuirkSet) -> String? {
    if quirks.contains(.childSaveChecksVersion) { return nil }
    if hasChildren, !quirks.contains(.childSaveIgnoresMergePolicy) { return nil }
    return lack(of: [.error], "the policy of every root context settles conflicts")
  }

  var isInMemory: Bool { stack.stores.allSatisfy(\.isInMemory) }

  /// A Boolean value that indicates whether no root answers from a row cache.
  var everyRootAsksAgain: Bool { roots.allSatisfy(\.hasZeroStaleness) }

  /// The reason that no conflict can arise at a store, or `nil` if one can. Batch requests write
  /// past every context, but not to in-memory stores (FE-18).
  var lackOfWriters: String? {
    roots.count == 1 && isInMemory ? "only one root context writes to the stores" : nil
  }

  /// Returns `reason` if no root has one of `policies` and no step of the stack sets one of them.
  func lack(of policies: [MergePolicy], _ reason: String) -> String? {
    let isSet = ownStepsContain {
      if case .setMergePolicy(let policy) = $0 { policies.contains(policy) } else { false }
    }
    return isSet || roots.contains { policies.contains($0.mergePolicy) } ? nil : reason
  }

  // MARK: Queues

  var hasMainQueue: Bool {
    stack.contexts.contains { context in
      context.concurrencyType == .mainQueue
        || context.concurrencyType == .confinement && context.thread == nil
    }
  }

  var hasMainQueueBudget: Bool { stack.timing.mainQueueBudget != 0 }

  var requestsTakeTime: Bool { stack.timing != Stack.Timing() }

  /// A Boolean value that indicates whether everything happens on one queue.
  var hasOneQueue: Bool {
    if !stack.queues.isEmpty || !stack.groups.isEmpty { return false }
    let privateCount = stack.contexts.count { $0.concurrencyType == .privateQueue }
    let others = stack.contexts.count - privateCount
    return privateCount + (others > 0 ? 1 : 0) == 1
  }
}
