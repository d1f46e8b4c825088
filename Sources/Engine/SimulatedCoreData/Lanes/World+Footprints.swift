import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// Footprints of turns. Writes are found by comparing the world before and after the turn, so that
/// no part of the engine can omit one. Reads are derived from the frames.
extension World {
  /// Adds the reads of the next turn of `lane`. Call this before the turn.
  package func noteTurn(of lane: LaneID, in footprint: inout Footprint) {
    footprint.write(.lane(lane))
    switch dispatcher.top(of: lane) {
    case .block(let block):
      if block.next < block.steps.count { noteStart(block.steps[block.next], in: &footprint) }
    case .wait(let block, hasQueue: _): footprint.write(.queue(block.queue))
    case .operation(let operation): note(operation, in: &footprint)
    case .delivery, .code, nil: break
    }
  }

  /// Adds the reads of a step that begins. Call this before a step is submitted. Every turn that
  /// begins a step includes them.
  package func noteStart(_ step: AddressedStep, in footprint: inout Footprint) {
    switch step.step {
    case .mergeChanges(let source), .mergeRemoteChanges(let source):
      // The meaning of the step depends on whether the notification has been posted.
      if source != .delivered { footprint.read(.didSaves) }
    // Any lane may hold the context of a discard.
    case .kill, .discard: footprint.touchEverything()
    // A write even if the value stays the same, because another lane may set another value.
    case .setFlag(let flag, _): footprint.write(.flag(flag))
    case .when(let condition, _):
      if let flag = condition.flag { footprint.read(.flag(flag)) }
    case .perform, .async, .performBackgroundTask:
      if !stack.entryPoints.isEmpty { footprint.read(.calls) }
    case .enter(let group), .leave(let group), .wait(let group):
      footprint.write(.queue(queues.ofGroups[group.index]))
    case .notify(let group, _):
      footprint.write(.queue(queues.ofGroups[group.index]))
      if !stack.entryPoints.isEmpty { footprint.read(.calls) }
    default: break
    }
  }

  /// Adds the reads of the turn that `lane` has taken. Call this after each turn.
  package func noteTurnTaken(
    by lane: LaneID, _ progress: Progress, in footprint: inout Footprint
  ) {
    if case .performed = progress { graph.noteAnswers(in: &footprint) }
    // The context and its parent decided the queues that an operation needs.
    for case .operation(let operation) in dispatcher.frames(of: lane)
    where !operation.isPerformed && operation.takenCount == 0 {
      let context = operation.action.context
      footprint.read(.context(context))
      if let parent = graph.parent(of: context) { footprint.read(.context(parent)) }
    }
  }

  /// Adds all parts of the world that differ from `before`.
  package func noteDifferences(from before: World, in footprint: inout Footprint) {
    noteQueues(from: before, in: &footprint)
    for index in flags.indices where flags[index] != before.flags[index] {
      footprint.write(.flag(FlagID(index)))
    }
    if calls.count != before.calls.count { footprint.write(.calls) }
    graph.noteDifferences(from: before.graph, in: &footprint)
  }

  // MARK: Frames

  private func note(_ operation: Frame.Operation, in footprint: inout Footprint) {
    let needs = queuesNeeded(for: operation)
    if operation.isPerformed {
      for queue in needs { footprint.write(.queue(queue)) }
    } else if operation.takenCount < needs.count {
      footprint.write(.queue(needs[operation.takenCount]))
    } else {
      note(operation.action, holding: needs, in: &footprint)
    }
  }

  /// Notes what decides whether the step breaks promises.
  private func notePromises(_ step: AddressedStep, in footprint: inout Footprint) {
    let context = step.context
    if !stack.dataPromises.isEmpty, step.step.traits.contains(.writes) {
      // A fetch after the step decides who has broken a promise.
      for ancestor in stack.chain(from: context) { footprint.read(.context(ancestor)) }
      graph.noteStores(of: graph.contexts[context.index].coordinator, in: &footprint)
    }
    for promise in stack.dataPromises {
      // The unsaved changes of this context may end the promise.
      guard case .until(let release) = promise.course, let context = release.context else {
        continue
      }
      footprint.read(.context(context))
    }
    for entryPoint in stack.entryPoints where !entryPoint.promises.isEmpty {
      // The unsaved changes of the promised contexts decide whether the call kept its promise.
      footprint.read(.calls)
      for promised in entryPoint.promises.flatMap(\.contexts) { footprint.read(.context(promised)) }
      // The data at the end of the call, or beside a step of the call, decides as well.
      guard entryPoint.promises.contains(where: \.isAboutData) else { continue }
      for context in stack.contextIDs { footprint.read(.context(context)) }
      for coordinator in graph.coordinators.indices {
        graph.noteStores(of: CoordinatorID(coordinator), in: &footprint)
      }
    }
  }

  private func note(
    _ action: Action, holding needs: [QueueID], in footprint: inout Footprint
  ) {
    let context = action.context
    footprint.read(.context(context))
    if !needs.isEmpty {
      for ancestor in stack.chain(from: context) { footprint.read(.context(ancestor)) }
    }
    let coordinator = graph.contexts[context.index].coordinator
    if needs.contains(queues.ofCoordinators[coordinator.index]) {
      graph.noteStores(of: coordinator, in: &footprint)
    }
    if stack.dataPromises.contains(where: { !$0.contexts.isEmpty }) {
      // A promise about a context counts faults with the values that they would load.
      for ancestor in stack.chain(from: context) { footprint.read(.context(ancestor)) }
      graph.noteStores(of: coordinator, in: &footprint)
    }
    guard case .step(let step, let phase) = action else { return }
    graph.noteMentions(of: step, in: &footprint)
    notePromises(step, in: &footprint)
    switch (step.step, phase) {
    case (_, .commit):
      graph.noteObjects(of: context, in: &footprint)
      // The calls so far decide which changes the design saves without a request.
      if !stack.entryPoints.isEmpty { footprint.read(.calls) }
      // Even a save without changes makes the level above responsible for earlier saves of the
      // context's children.
      footprint.write(.context(context))
    case (_, .finish):
      // The promised value is compared with the stored value, and from now on with the parent's
      // value.
      graph.noteStores(of: coordinator, in: &footprint)
      graph.noteObjects(of: context, in: &footprint)
      if let parent = graph.parent(of: context) { footprint.read(.context(parent)) }
    case (.rollback, _), (.reset, _), (.discard, _), (.undo, _), (.redo, _):
      graph.noteObjects(of: context, in: &footprint)
    case (.set, _), (.increment, _): if !stack.entryPoints.isEmpty { footprint.read(.calls) }
    case (.mergeHistory, _): footprint.read(.didSaves)
    // A write even if the set contains all IDs already, because another lane may empty it.
    case (.remember(let set, _), _), (.forget(let set), _): footprint.write(.idSet(set))
    case (.forEach(.remembered(let set), _), _): footprint.read(.idSet(set))
    case (.kill, _), (.addStore, _), (.removeStore, _), (.destroyStore, _):
      footprint.touchEverything()
    default: break
    }
  }

  // MARK: Differences

  private func noteQueues(from before: World, in footprint: inout Footprint) {
    let earlier = before.dispatcher
    if dispatcher.now != earlier.now || dispatcher.deadlocks != earlier.deadlocks {
      return footprint.touchEverything()
    }
    for queue in dispatcher.changedQueues(since: earlier) { footprint.write(.queue(queue)) }
    for lane in dispatcher.changedLanes(since: earlier) { footprint.write(.lane(lane)) }
    if dispatcher.hasNewWaits(since: earlier) { footprint.write(.waits) }
    if dispatcher.hasNewDeadlines(since: earlier) { footprint.write(.deadlines) }
    // A dropped block leaves no trace in the queue.
    let dropsBlocks =
      bugs.contains(.dropsQueuedBlock) || bugs.contains(.dropsBlockOfSuspendedQueue)
    if dropsBlocks, queues.enqueuedCount != before.queues.enqueuedCount {
      footprint.touchEverything()
    }
  }

  /// Cancels searches for instances to release if no instance can be released. Call this between
  /// turns. Otherwise the schedule would decide which turn searches, and where.
  package mutating func forgetNeedlessCollections() { graph.forgetNeedlessCollections() }
}
