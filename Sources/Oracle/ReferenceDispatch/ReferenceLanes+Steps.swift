import Vocabulary

/// Begins steps.
extension ReferenceLanes {
  /// Begins a step on a lane. §begin-step
  ///
  /// This method itself follows §perform, §background-task, §dispatch-async, §dispatch-sync,
  /// §directly, §call-entry-point, §try, §tick, §set-flag and §sleep. A sleep is a turn without an
  /// effect here, because time belongs to the scheduler.
  mutating func begin(_ addressed: AddressedStep, _ place: Place, _ lane: Int) {
    let context = addressed.context
    switch addressed.step {
    case .perform(let steps):
      enqueue(
        .block(Block(steps, place.inside(context), .event)), on: queue(of: context))
    case .performBackgroundTask(let steps):
      var inner = place.inside(context)
      inner.holdsNothing = true
      let block = Block(steps + [AddressedStep(context, .discard)], inner)
      enqueue(.block(block), on: queue(of: context))
    case .async(let queue, let steps):
      enqueue(.block(Block(steps, place.inside(nil))), on: 1 + queue.index)
    case .performAndWait(let steps): wait(for: steps, of: context, place, lane)
    case .call(let entry):
      wait(for: entryPoints[entry.index].steps, of: context, place, lane, .called)
    case .sync(let queue, let steps):
      wait(for: steps, on: 1 + queue.index, place.inside(nil), isReentrant: false, lane)
    case .directly(let steps):
      var inner = place.inside(context)
      inner.isDirect = true
      push(.block(Block(steps, inner)), lane)
    case .when(let condition, let steps):
      begin(steps, when: condition, addressed, place, lane)
    case .trying(let steps):
      var part = place
      part.holdsNothing = false
      push(.block(Block(steps, part, .trying)), lane)
    case .tick where isAtHome(context, place, lane):
      for index in queueOfContext.indices.reversed() where queueOfContext[index] == 0 {
        push(.act(.endOfEvent(ContextID(index))), lane)
      }
    case .suspend(let queue): suspend(suspended(queue, context), by: 1)
    case .resume(let queue): suspend(suspended(queue, context), by: -1)
    case .setFlag(let flag, let isRaised): flags[flag.index] = isRaised
    case .sleep: push(.rest, lane)
    case .enter(let group): enter(group)
    case .leave(let group): leave(group)
    case .wait(let group): wait(for: group, lane)
    case .notify(let group, let steps): notify(group, steps, place.inside(context))
    case .kill:
      launch()
      push(.act(.step(addressed, .whole)), driver)
    case .discard where !releasesAtOnce(of: context, lane): release(addressed, lane)
    default:
      if place.isDirect {
        push(
          .act(has(lane, queue(of: context)) ? action(addressed, place) : .wrongQueue(context)),
          lane)
      } else if place.context == context {
        push(.act(action(addressed, place)), lane)
      } else {
        wait(for: [addressed], of: context, place, lane)
      }
    }
  }

  /// Performs steps for a context and waits. A lane that has the queue takes it once more (CC-02).
  /// §perform-and-wait
  private mutating func wait(
    for steps: [AddressedStep], of context: ContextID, _ place: Place, _ lane: Int,
    _ kind: Block.Kind = .plain
  ) {
    wait(for: steps, on: queue(of: context), place.inside(context), isReentrant: true, lane, kind)
  }

  /// Takes a queue, runs a block of steps, and releases the queue. §perform-and-wait,
  /// §dispatch-sync
  private mutating func wait(
    for steps: [AddressedStep], on queue: Int, _ inner: Place, isReentrant: Bool, _ lane: Int,
    _ kind: Block.Kind = .plain
  ) {
    push(.giveBack(queue, steps, inner), lane)
    push(.block(Block(steps, inner, kind)), lane)
    push(.take(queue, isReentrant: isReentrant), lane)
  }

  /// Decides whether a step for the context needs no other queue. §at-home
  func isAtHome(_ context: ContextID, _ place: Place, _ lane: Int) -> Bool {
    place.isDirect ? has(lane, queue(of: context)) : place.context == context
  }

  /// Tests a condition, and runs the steps if it holds. §when
  private mutating func begin(
    _ steps: [AddressedStep], when condition: Condition, _ addressed: AddressedStep,
    _ place: Place, _ lane: Int
  ) {
    var part = place
    part.holdsNothing = false
    let isTrue: Bool
    switch condition.question {
    case .onMainThread: isTrue = has(lane, 0)
    case .offMainThread: isTrue = !has(lane, 0)
    case .found: isTrue = lanes[lane].hasFound
    case .isRaised(let flag): isTrue = flags[flag.index]
    case .hasChanges where isAtHome(addressed.context, place, lane):
      // §when.5.3: pushed first, and therefore run after the action.
      if hasChanges != condition.isNegated { push(.block(Block(steps, part)), lane) }
      return push(.act(.step(AddressedStep(addressed.context, .hasChanges), .whole)), lane)
    case .hasChanges where place.isDirect:
      return push(.act(.wrongQueue(addressed.context)), lane)
    case .hasChanges: return wait(for: [addressed], of: addressed.context, place, lane)
    }
    if isTrue != condition.isNegated { push(.block(Block(steps, part)), lane) }
  }

  /// Releases a context. Enqueues the `discard` behind a block that holds the context, or on the
  /// context's own queue. §release-context
  private mutating func release(_ discard: AddressedStep, _ lane: Int) {
    if let queue = queueThatHolds(discard.context, besides: lane) {
      enqueue(.block(Block([discard], Place(holdsNothing: true))), on: queue)
    } else {
      enqueue(.act(.step(discard, .whole)), on: queue(of: discard.context))
    }
  }

  /// Returns the queue that a step suspends or resumes.
  private func suspended(_ queue: AppQueueID?, _ context: ContextID) -> Int {
    queue.map { 1 + $0.index } ?? self.queue(of: context)
  }

  // MARK: Actions

  /// Returns the first action of a step. Merges and loops get the number of their save. §merge-step
  func action(_ addressed: AddressedStep, _ place: Place) -> Action {
    let context = addressed.context
    switch addressed.step {
    case .save: return .step(addressed, .flush)
    case .mergeChanges(let source):
      return number(of: source, place).map { .merge(context, number: $0) }
        ?? .step(addressed, .whole)
    case .mergeRemoteChanges(let source):
      return number(of: source, place).map { .mergeRemote(context, number: $0) }
        ?? .step(addressed, .whole)
    case .forEach(let set, let treatment):
      let known = set.saved(as: place.delivered)
      return .step(AddressedStep(context, .forEach(known, treatment)), .whole)
    case .remember(let variable, let set):
      let known = set.saved(as: place.delivered)
      return .step(AddressedStep(context, .remember(variable, known)), .whole)
    default: return .step(addressed, .whole)
    }
  }

  /// Resolves a merge source to the number of a DidSave or batch result. Returns `nil` if the
  /// source has not been posted yet. §merge-source
  private func number(of source: MergeSource, _ place: Place) -> Int? {
    func nth(_ ordinal: Int, _ context: ContextID, isBatch: Bool) -> Int? {
      let own = posted.indices.filter {
        posted[$0].context == context && posted[$0].isBatch == isBatch
      }
      return 1...max(own.count, 1) ~= ordinal && !own.isEmpty ? own[ordinal - 1] : nil
    }
    return switch source {
    case .delivered: place.delivered
    case .didSave(let context, let ordinal): nth(ordinal, context, isBatch: false)
    case .batch(let context, let ordinal): nth(ordinal, context, isBatch: true)
    case .latestBatch(let context):
      posted.indices.filter { posted[$0].context == context && posted[$0].isBatch }.max()
    }
  }
}
