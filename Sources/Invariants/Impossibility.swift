package import Vocabulary

/// Why a kind of violation cannot happen in a stack, whatever programs do; nil if it can.
///
/// Only what follows from the shape of the stack, or from what its system is like. Programs throw
/// away no context but those that the stack calls discardable.
package func impossibility(of kind: String, in stack: Stack, _ quirks: QuirkSet) -> String? {
  guard let countable = Violation.countable.first(where: { $0.kind == kind }) else { return nil }
  let shape = StackShape(stack)
  let invariant = countable.invariant
  return switch countable.site {
  case .store: shape.impossibilityInStores(of: invariant)
  case .program: impossibilityByNature(of: invariant, quirks) ?? shape.impossibility(of: invariant)
  case .stack: shape.impossibilityByItself(of: invariant)
  }
}

/// In no stack at all.
private func impossibilityByNature(of invariant: Invariant, _ quirks: QuirkSet) -> String? {
  switch invariant {
  case .NoTemporaryIDOutlivesItsSave where !quirks.contains(.childKeepsTemporaryID):
    "IDs become permanent everywhere at once"
  case .ObjectsAwakenOnce where !quirks.contains(.parentAwakensInsertedObject):
    "only the context that inserts an object awakens it"
  case .OneRowOneInstance where !quirks.contains(.rowHasTwoInstances):
    "both IDs of a row lead to one instance"
  case .UnsavedChangesStayPrivate:
    "it takes a bug of the framework: a load asks the levels above, which have what was saved to them"
  case .SavedChangesAreInTheStore:
    "it takes a bug of the framework: a commit that goes through has written its rows"
  case .KillsLeaveWhatWasCommitted:
    "it takes a bug of the framework: a commit is written as a whole or not at all"
  default: nil
  }
}

/// What a stack is like, as far as it decides what can happen in it.
private struct StackShape {
  private let stack: Stack
  private let roots: [Stack.Context]

  init(_ stack: Stack) {
    self.stack = stack
    roots = stack.contextIDs.filter { stack.parent(of: $0) == nil }.map { stack[$0] }
  }

  /// Between contexts, or in the app as a whole.
  func impossibility(of invariant: Invariant) -> String? {
    switch invariant {
    case .NoTemporaryIDOutlivesItsSave, .ObjectsAwakenOnce, .OneRowOneInstance,
      .SavedUpdatesAreNotLost, .MergedUpdatesAreNotLost, .SavesAreNotIgnored, .LoadsShowTheNewest:
      depth > 1 ? nil : "no context has a parent"
    case .RolledBackValuesAreNotLoaded: depth > 1 ? nil : "no context has a parent"
    case .AcknowledgedSavesOutliveAKill:
      depth > 1 ? nil : "every save goes to its store, and that a store is in memory is no secret"
    case .SavesDoNotCross:
      stack.contextIDs.contains { stack.children(of: $0).count > 1 }
        ? nil : "no two contexts save to the same parent"
    case .ReadsAreRepeatable:
      stack.contexts.count == 1 && stack.observers.isEmpty
        ? "there is one context, and nobody else changes what it shows" : nil
    case .MainQueueAsksNoStore:
      hasMain
        ? (stack.timing == Stack.Timing() ? "no request is said to take time" : nil)
        : "no context is on the main queue"
    case .MainQueueKeepsWithinItsBudget:
      hasMain
        ? (stack.timing.mainQueueBudget == 0 ? "the main queue has no budget" : nil)
        : "no context is on the main queue"
    case .ContextsTakeNothingWithThem:
      discardsAny ? nil : "no context is ever thrown away, or reset by an observer"
    case .WaitForGraphIsAcyclic: hasOneQueue ? "there is one queue" : nil
    case .EveryStepTerminates: stack.observers.isEmpty ? "nobody observes" : nil
    default: nil
    }
  }

  /// By the steps of observers and entry points.
  func impossibilityByItself(of invariant: Invariant) -> String? {
    if ownSteps.isEmpty { return "the stack has no steps of its own" }
    switch invariant {
    case .WaitForGraphIsAcyclic:
      return hasOneQueue ? "there is one queue" : nil
    case .ContextsKeepToTheirQueues:
      return ownStepsContain { if case .directly = $0.step { true } else { false } }
        ? nil : "none of the stack's own steps goes past a queue"
    case .ContextsTakeNothingWithThem:
      return ownStepsContain { $0.givesUpContext || $0.step == .reset || $0.step == .rollback }
        ? nil : "none of the stack's own steps gives up what there is"
    default: return nil
    }
  }

  private var ownSteps: [AddressedStep] {
    stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
  }

  private func ownStepsContain(_ matches: (AddressedStep) -> Bool) -> Bool {
    ownSteps.contains { $0.contains(where: matches) }
  }

  /// Where roots meet their stores.
  func impossibilityInStores(of invariant: Invariant) -> String? {
    switch invariant {
    case .SavedUpdatesAreNotLost:
      lackOfWriters
        ?? lack(
          of: [.overwrite, .mergeByPropertyObjectTrump],
          "no root's policy overwrites what is in conflict")
    case .SavesAreNotIgnored:
      lackOfWriters
        ?? lack(
          of: [.rollback, .mergeByPropertyStoreTrump],
          "no root's policy gives up what is in conflict")
    case .LoadsShowTheNewest:
      stack.stores.allSatisfy(\.isInMemory)
        ? "rows in memory change through one row cache only"
        : roots.allSatisfy(\.hasZeroStaleness) ? "every root asks the store again" : nil
    case .MergedUpdatesAreNotLost: lackOfWriters
    case .SavesDoNotCross:
      roots.count > 1 ? nil : "no two contexts save to the stores"
    default: nil
    }
  }

  /// Batch requests write past every context, but not to what is in memory (FE-18).
  private var lackOfWriters: String? {
    roots.count == 1 && stack.stores.allSatisfy(\.isInMemory)
      ? "nobody but one root writes to the stores" : nil
  }

  private func lack(of policies: [MergePolicy], _ reason: String) -> String? {
    roots.contains { policies.contains($0.mergePolicy) } ? nil : reason
  }

  /// How many levels of contexts there are.
  private var depth: Int { stack.contextIDs.map { stack.chain(from: $0).count }.max() ?? 0 }

  private var hasMain: Bool {
    stack.contexts.contains { context in
      context.concurrencyType == .mainQueue
        || context.concurrencyType == .confinement && context.thread == nil
    }
  }

  /// Whether everything happens on one queue.
  private var hasOneQueue: Bool {
    if !stack.queues.isEmpty { return false }
    let privateCount = stack.contexts.count { $0.concurrencyType == .privateQueue }
    let others = stack.contexts.count - privateCount
    return privateCount + (others > 0 ? 1 : 0) == 1
  }

  /// What has children stays.
  private var discardsAny: Bool {
    func discards(_ step: AddressedStep) -> Bool {
      step.contains { $0.givesUpContext && stack.children(of: $0.context).isEmpty }
    }
    func resets(_ step: AddressedStep) -> Bool {
      step.contains { $0.step == .reset || $0.step == .rollback }
    }
    return stack.contextIDs.contains { stack[$0].isDiscardable && stack.children(of: $0).isEmpty }
      || stack.entryPoints.contains { $0.steps.contains(where: discards) }
      || stack.observers.contains {
        $0.steps.contains { discards($0) || resets($0) }
      }
  }
}

extension AddressedStep {
  var givesUpContext: Bool {
    switch step {
    case .discard, .performBackgroundTask: true
    default: false
    }
  }
}
