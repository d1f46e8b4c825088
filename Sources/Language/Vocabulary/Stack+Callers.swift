/// Derives from the steps of entry points where an app calls them.
///
/// A program that calls an entry point elsewhere can cause a deadlock that the app does not have.
/// The call keeps the queue of its context while the entry point waits for another queue.
extension Stack {
  /// An entry point that saves a context and discards it.
  package struct Ending: Hashable, Sendable {
    package let entryPoint: EntryPointID
    /// The context in which programs call the entry point.
    package let caller: ContextID
  }

  /// Returns every step of `steps`, with the steps in their blocks and in the entry points that
  /// they call.
  package func allSteps(of steps: [AddressedStep]) -> [AddressedStep] {
    var all: [AddressedStep] = []
    visitSteps(of: steps) { all.append($0) }
    return all
  }

  /// Returns Boolean values, indexed by context, that indicate whether `steps` save the context,
  /// also in blocks and in the entry points that they call.
  package func contextsSaved(by steps: [AddressedStep]) -> [Bool] {
    var saved = contexts.map { _ in false }
    visitSteps(of: steps) { step in
      if case .save = step.step { saved[step.context.index] = true }
    }
    return saved
  }

  private func visitSteps(of steps: [AddressedStep], _ visit: (AddressedStep) -> Void) {
    for step in steps {
      visit(step)
      if case .call(let id) = step.step {
        visitSteps(of: entryPoints[id.index].steps, visit)
      } else if let block = step.step.block {
        visitSteps(of: block, visit)
      }
    }
  }

  /// Returns a Boolean value that indicates whether a call in `context` runs on the main thread, or
  /// on the queue of the entry point's first step.
  package func isAtHome(_ entryPoint: EntryPoint, in context: ContextID) -> Bool {
    self[context].isOnMainQueue || entryPoint.steps.first?.context == context
  }

  /// Returns a Boolean value that indicates whether apps call the entry point in `context`.
  ///
  /// Apps call an entry point in the contexts of `isAtHome`. They call it anywhere if it only
  /// enqueues work for other queues.
  package func mayCall(_ entryPoint: EntryPoint, in context: ContextID) -> Bool {
    isAtHome(entryPoint, in: context)
      || entryPoint.steps.allSatisfy { step in
        // Neither enqueueing a block nor changing a variable of the app requires a queue.
        step.step.traits.contains(.enqueues)
          || step.step.traits.isSuperset(of: [.arranges, .changesAppVariable])
          || shareQueue(step.context, context)
      }
  }

  /// Returns the number of calls in `steps` that no app makes: calls in the wrong context, or while
  /// holding the queue of another context.
  package func misplacedCallCount(in steps: [AddressedStep]) -> Int {
    count(steps, holding: []) { step, held in
      guard case .call(let entryPoint) = step.step else { return false }
      return !mayCall(entryPoints[entryPoint.index], in: step.context)
        || !held.allSatisfy { shareQueue($0, step.context) }
    }
  }

  private func count(
    _ steps: [AddressedStep], holding held: [ContextID],
    where isCounted: (AddressedStep, [ContextID]) -> Bool
  ) -> Int {
    steps.reduce(0) { sum, step in
      let inside: [ContextID] =
        switch step.step {
        case .perform, .performBackgroundTask, .notify: [step.context]
        case .async: []
        case .performAndWait, .directly: held + [step.context]
        default: held
        }
      return sum + (isCounted(step, held) ? 1 : 0)
        + count(step.step.block ?? [], holding: inside, where: isCounted)
    }
  }

  /// Returns the entry points that save and discard `context`, each with its caller.
  ///
  /// The caller is `context` itself if possible. Otherwise, it is a context on the main queue or
  /// the context of the entry point's first step. An entry point that programs cannot call is
  /// omitted.
  package func endings(of context: ContextID) -> [Ending] {
    entryPoints(thatFinish: context).compactMap { id in
      let callers = [context] + contextIDs.filter { !self[$0].isHidden }
      return callers.first { mayCall(entryPoints[id.index], in: $0) }
        .map { Ending(entryPoint: id, caller: $0) }
    }
  }
}
