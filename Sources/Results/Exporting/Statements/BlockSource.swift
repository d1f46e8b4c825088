import ObjectModel
import Scenario
import Vocabulary

/// The thread and the queues on which a statement runs.
struct Place {
  /// A Boolean value that indicates whether the statement runs on the main thread, in the body of
  /// the test.
  var onMain: Bool
  /// The contexts whose blocks contain the statement. Their queues are held.
  var contexts: [ContextID] = []
  /// A Boolean value that indicates whether steps run in place, regardless of their context
  /// (`directly`).
  var isDirect = false

  func inside(_ context: ContextID, onMain: Bool? = nil) -> Place {
    Place(onMain: onMain ?? self.onMain, contexts: contexts + [context])
  }

  /// Returns whether a step for `context` needs no `performAndWait`.
  func isIn(_ context: ContextID) -> Bool { isDirect || contexts.last == context }
}

/// Steps that run other steps, and the queues on which those steps run.
extension TestWriter {
  /// Returns the statements for consecutive steps. Steps for the same context share a block.
  mutating func statements(
    for steps: [AddressedStep], place: Place
  ) throws(Refusal) -> [Statement] {
    var result: [Statement] = []
    var group: (context: ContextID, body: [Statement])?
    let steps = try gated(steps)
    for (index, (step, gates)) in steps.enumerated() {
      path.indexes.append(index)
      defer { path.indexes.removeLast() }
      if let waiting = try standstillStatements(step, place: place) {
        if let group { result += block(of: group.context, group.body) }
        group = nil
        result += waiting
        continue
      }
      guard isOnQueue(step.step), !place.isIn(step.context), !isStuck(step) else {
        if let group { result += block(of: group.context, group.body) }
        group = nil
        result = result.followed(by: try statements(for: step, place: place), gates)
        continue
      }
      if let last = group, last.context != step.context {
        result += block(of: last.context, last.body)
        group = nil
      }
      let inner = try statements(for: step, place: place.inside(step.context))
      group = (step.context, (group?.body ?? []) + inner)
    }
    if let group { result += block(of: group.context, group.body) }
    return result
  }

  /// Returns whether the step must run on the queue of its context.
  func isOnQueue(_ step: Step) -> Bool {
    switch step {
    case .perform, .performBackgroundTask, .async, .sync, .tick, .sleep, .suspend, .resume, .kill,
      .discard, .directly, .removeStore, .addStore, .destroyStore, .setMetadata, .metadata,
      .setFlag, .enter, .leave, .wait, .notify, .forget, .trying:
      false
    default: true
    }
  }

  /// Returns a `view.performAndWait { … }` block, or no statements if `body` is empty.
  func block(of context: ContextID, _ body: [Statement]) -> [Statement] {
    if body.isEmpty { return [] }
    // `body` already consists of a single block for this context.
    let call = "\(names[context]).performAndWait {"
    if body.count == 1, case .block(let opening, _, _) = body[0],
      opening == call || opening == "try " + call
    {
      return body
    }
    let prefix = body.contains(where: \.mentionsTry) ? "try " : ""
    if !usesPools { return [.block(prefix + call, body)] }
    return [.block(prefix + call, pools(around: body))]
  }

  /// Returns autorelease pools around the parts of `body`. A part ends after statements that set
  /// variables to nil, and before a lookup of a registered object.
  private func pools(around body: [Statement]) -> [Statement] {
    var parts: [[Statement]] = [[]]
    for (index, statement) in body.enumerated() {
      let letsGo = index > 0 && body[index - 1].letsGo && !statement.letsGo
      if letsGo || (statement.looksUp && !parts[parts.count - 1].isEmpty) { parts.append([]) }
      parts[parts.count - 1].append(statement)
    }
    return parts.map { part in
      .block((part.contains(where: \.mentionsTry) ? "try " : "") + "autoreleasepool {", part)
    }
  }

  /// A Boolean value that indicates whether the scenario depends on when unreferenced objects are
  /// deallocated.
  private var usesPools: Bool {
    scenario.allSteps.contains { step in
      step.contains { if case .release = $0.step { true } else { false } }
    }
      || scenario.claims.contains { claim in
        if case .state(.unregistered, of: _) = claim.condition { true } else { false }
      }
  }

  /// Returns the statements for a step that runs a block of other steps.
  mutating func blockStatements(
    _ step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement] {
    let context = step.context
    let steps = step.step.block ?? []
    let isWithinTry = isTrying
    isTrying = step.step.takesErrors(isWithin: isTrying)
    defer { isTrying = isWithinTry }
    switch step.step {
    case .perform, .performBackgroundTask:
      if case .performBackgroundTask = step.step, !place.onMain || !place.contexts.isEmpty {
        throw refusal(step, "background tasks within blocks are not exported yet")
      }
      let body = try statements(for: steps, place: Place(onMain: false, contexts: [context]))
      let isRemade = remadeContexts.contains(context)
      let inner = body.caught + (isRemade ? [.line("blocks.leave()")] : [])
      let block = Statement.block("\(names[context]).perform {\(capture(of: inner))", inner)
      if !isRemade { return [block] }
      // A new context replaces this one while the block is still enqueued, so no step can wait on
      // its queue.
      helpers.insert(.blocks)
      return [.line("blocks.enter()"), block]
    case .notify(let group, _): return try notification(of: group, step)
    case .performAndWait where isStuck(step):
      return try deadlockStatements(step)
    case .performAndWait:
      return block(of: context, try statements(for: steps, place: place.inside(context)))
    case .directly:
      var place = place
      place.isDirect = true
      return try statements(for: steps, place: place)
    case .async(let queue, _):
      let body = try statements(for: steps, place: Place(onMain: false))
      return [.block("\(names[queue]).async {\(capture(of: body))", body.caught)]
    case .sync(let queue, _):
      let body = try statements(for: steps, place: Place(onMain: false))
      let isThrowing = body.contains(where: \.mentionsTry)
      return [.block((isThrowing ? "try " : "") + "\(names[queue]).sync {", body)]
    case .when(let condition, _):
      let outer = isConditional
      isConditional = true
      defer { isConditional = outer }
      let body = try statements(for: steps, place: place)
      return [.block("if \(try self.condition(condition, step, place)) {", body)]
    case .trying:
      let outer = isConditional
      isConditional = true
      defer { isConditional = outer }
      let body = try statements(for: steps, place: place)
      guard body.contains(where: \.mentionsTry) else { return body }
      return [
        .block("do {", body, end: "} catch {"),
        .line("  // The steps after a failed call are skipped."), .line("}"),
      ]
    default: preconditionFailure("\(step.step.verb) runs no other steps")
    }
  }

  private func condition(
    _ condition: Condition, _ step: AddressedStep, _ place: Place
  ) throws(Refusal) -> String {
    if condition.asksForThread, place.onMain, interleaving == nil,
      !place.contexts.contains(where: stack.needsMainQueue)
    {
      throw refusal(step, "a test runs on the main thread, and this step needs another thread")
    }
    let isNegated = condition.isNegated ? "!" : ""
    switch condition.question {
    case .hasChanges: return isNegated + "\(names[step.context]).hasChanges"
    case .onMainThread: return isNegated + "Thread.isMainThread"
    case .offMainThread: return (condition.isNegated ? "" : "!") + "Thread.isMainThread"
    case .found:
      throw refusal(step, "a test has no variable for the result of a request")
    case .isRaised(let flag):
      try checkOrder(ofFlagIn: step)
      return isNegated + names[flag]
    }
  }

  /// Returns a closure's capture list followed by `in`, or an empty string if the closure captures
  /// nothing.
  func capture(of body: [Statement]) -> String {
    let captures = captures(of: body)
    return captures.isEmpty ? "" : captures + " in"
  }

  // MARK: Waiting

  /// Returns statements that wait for the blocks and merges that ran during the current item.
  mutating func waitingStatements() -> [Statement] {
    var order: [ContextID] = []
    var isMerge: [ContextID: Bool] = [:]
    let steps = [scenario.items[item].step] + reactions
    for performance in rehearsal.performances where performance.item == item {
      let context: ContextID
      switch performance.action {
      case .endOfEvent(let ended) where steps.contains(where: { $0.enqueues(on: ended) }):
        context = ended
      case .merge(let merging, _) where stack[merging].automaticallyMergesChangesFromParent:
        context = merging
        isMerge[merging] = true
      default: continue
      }
      if order.last != context { order.append(context) }
    }
    let touchesMain = steps.contains { $0.contains { stack.needsMainQueue($0.context) } }
    var statements: [Statement] = steps.compactMap { step in
      guard case .async(let queue, _) = step.step else { return nil }
      return .line("\(names[queue]).sync {}")
    }
    var thrownAway: ContextID?
    if case .performBackgroundTask = scenario.items[item].step.step {
      thrownAway = scenario.items[item].step.context
      // The context is released when its block ends, and no event ends there.
      earlyContexts.insert(scenario.items[item].step.context)
    }
    let remade = remadeContexts.filter { context in steps.contains { $0.enqueues(on: context) } }
    if !remade.isEmpty {
      statements.append(
        remade.contains(where: stack.needsMainQueue) ? blocksEnd : .line("blocks.wait()"))
    }
    for context in order where !remadeContexts.contains(context) {
      let hasBlocksOnMain = steps.contains { step in
        step.enqueues(on: context) && touchesMain
      }
      if stack.needsMainQueue(context) || hasBlocksOnMain {
        helpers.insert(.waitForBlocks)
        noteEarlyEvents()
        statements.append(.line("waitForBlocks(of: \(names[context]))"))
      } else {
        statements.append(.line("\(names[context]).performAndWait {}"))
      }
    }
    if steps.contains(where: \.isNotified), !rehearsal.hasPendingNotifications(after: item) {
      statements.append(blocksEnd)
    }
    if let thrownAway { statements.append(.line("\(methodName(making: thrownAway))()")) }
    return statements
  }

  /// Notes that waiting runs the main run loop. Pending changes of main queue contexts are then
  /// processed earlier than in the scenario.
  private mutating func noteEarlyEvents() {
    for index in [item - 1, item] where rehearsal.unprocessed.indices.contains(index) {
      earlyContexts.formUnion(rehearsal.unprocessed[index])
    }
  }

  /// The steps of observers and entry points.
  var reactions: [AddressedStep] {
    stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
  }
}

extension AddressedStep {
  /// Returns whether this step, or a step in its block, enqueues a block on the queue of `context`.
  func enqueues(on context: ContextID) -> Bool {
    contains { step in
      let (traits, own) = (step.step.traits, step.context == context)
      return own && traits.contains(.enqueues) && !traits.contains(.runsOnAppQueue)
    }
  }
}

extension Step {
  /// Returns whether an error in the step's block is caught by this step or an enclosing `trying`
  /// step. Enqueued blocks handle their own errors.
  fileprivate func takesErrors(isWithin try: Bool) -> Bool {
    if case .trying = self { return true }
    return `try` && !traits.contains(.enqueues)
  }
}

extension Stack {
  /// Returns whether the context may need the main queue, for itself or for one of its ancestors.
  func needsMainQueue(_ context: ContextID) -> Bool {
    if self[context].isOnMainQueue { return true }
    return parent(of: context).map { needsMainQueue($0) } ?? false
  }

  /// Returns whether the step, a step in its block, or an entry point that it calls needs the main
  /// queue.
  func needsMainQueue(for step: AddressedStep) -> Bool {
    step.contains { inner in
      if case .call(let entry) = inner.step,
        entryPoints[entry.index].steps.contains(where: needsMainQueue(for:))
      {
        return true
      }
      return needsMainQueue(inner.context)
    }
  }
}

extension Statement {
  /// A Boolean value that indicates whether the statement sets a variable to nil.
  fileprivate var letsGo: Bool {
    if case .line(let text) = self { text.hasSuffix(" = nil") } else { false }
  }

  /// A Boolean value that indicates whether the statement looks up a registered object.
  fileprivate var looksUp: Bool {
    if case .line(let text) = self { text.contains(".registeredObject(for:") } else { false }
  }
}
