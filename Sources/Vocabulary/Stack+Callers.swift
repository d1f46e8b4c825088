/// Where an app calls its entry points, as their own steps tell it.
///
/// A program that calls one elsewhere makes a deadlock of its own: the call keeps the queue of its
/// context, and the entry point waits for another one.
extension Stack {
  /// An entry point that saves a context and throws it away.
  package struct Ending: Hashable, Sendable {
    package let entryPoint: EntryPointID
    /// The context for which programs call the entry point.
    package let caller: ContextID
  }

  /// Every step of `steps`, with those in their blocks and in the entry points that they call.
  package func allSteps(of steps: [AddressedStep]) -> [AddressedStep] {
    steps.flatMap { step in
      let inner =
        if case .call(let id) = step.step { entryPoints[id.index].steps } else {
          step.step.block ?? []
        }
      return [step] + allSteps(of: inner)
    }
  }

  /// A Boolean value that indicates whether a call in `context` is on the main thread, or on the
  /// queue of the context that the entry point begins with.
  package func isAtHome(_ entryPoint: EntryPoint, in context: ContextID) -> Bool {
    self[context].isOnMainQueue || entryPoint.steps.first?.context == context
  }

  /// A Boolean value that indicates whether apps call the entry point in `context`: where it is at
  /// home, and anywhere if it only enqueues work for other queues.
  package func mayCall(_ entryPoint: EntryPoint, in context: ContextID) -> Bool {
    isAtHome(entryPoint, in: context)
      || entryPoint.steps.allSatisfy { step in
        // Neither a block for later nor a variable of the app needs a queue.
        step.step.traits.contains(.enqueues)
          || step.step.traits.isSuperset(of: [.arranges, .keepsNote])
          || shareQueue(step.context, context)
      }
  }

  /// The number of calls in `steps` from where no app calls: in another context, or with the queue
  /// of another context held.
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

  /// The entry points that end the one piece of work of `context`, each with the context for which
  /// programs call it: `context` itself if possible, or else one on the main queue or the one that
  /// the entry point begins with. An entry point that programs cannot call is left out.
  package func endings(of context: ContextID) -> [Ending] {
    entryPoints(thatFinish: context).compactMap { id in
      let callers = [context] + contextIDs.filter { !self[$0].isHidden }
      return callers.first { mayCall(entryPoints[id.index], in: $0) }
        .map { Ending(entryPoint: id, caller: $0) }
    }
  }
}
