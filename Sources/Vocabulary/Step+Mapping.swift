/// Walking through a step: its block, the names it uses, the contexts it mentions.
extension Step {
  /// The steps of a `perform` or its kin.
  package var block: [AddressedStep]? {
    switch self {
    case .perform(let steps), .performAndWait(let steps), .performBackgroundTask(let steps),
      .directly(let steps), .async(_, let steps), .sync(_, let steps):
      steps
    default: nil
    }
  }

  /// Whether it only arranges for others: it is no action, and nothing observes it.
  package var isArrangement: Bool {
    switch self {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .call, .tick,
      .sleep, .suspend, .resume:
      true
    default: false
    }
  }

  /// Whether its block runs on a queue that belongs to no context.
  package var isOnAppQueue: Bool {
    switch self {
    case .async, .sync: true
    default: false
    }
  }

  package func withBlock(_ steps: [AddressedStep]) -> Step {
    switch self {
    case .perform: .perform(steps)
    case .performAndWait: .performAndWait(steps)
    case .performBackgroundTask: .performBackgroundTask(steps)
    case .directly: .directly(steps)
    case .async(let queue, _): .async(queue, steps)
    case .sync(let queue, _): .sync(queue, steps)
    default: self
    }
  }
}

extension AddressedStep {
  /// This step with every name and every context replaced, in its block too.
  package func map(
    name: (ObjectName) -> ObjectName, context: (ContextID) -> ContextID
  ) -> AddressedStep {
    func mapped(_ reference: HeldInstance) -> HeldInstance {
      HeldInstance(context(reference.context), name(reference.name))
    }
    func mapped(_ predicate: [Comparison]) -> [Comparison] {
      predicate.map { comparison in
        var comparison = comparison
        if case .object(let reference) = comparison.operand {
          comparison.operand = .object(mapped(reference))
        }
        return comparison
      }
    }
    func mapped(_ request: FetchRequest) -> FetchRequest {
      var request = request
      request.predicate = mapped(request.predicate)
      return request
    }
    func mapped(_ request: BatchRequest) -> BatchRequest {
      var request = request
      request.predicate = mapped(request.predicate)
      return request
    }
    func mapped(_ source: MergeSource) -> MergeSource {
      switch source {
      case .delivered: .delivered
      case .didSave(let poster, let ordinal): .didSave(context(poster), ordinal: ordinal)
      case .batch(let poster, let ordinal): .batch(context(poster), ordinal: ordinal)
      }
    }
    func mapped(_ steps: [AddressedStep]) -> [AddressedStep] {
      steps.map { $0.map(name: name, context: context) }
    }
    let result: Step =
      switch step {
      case .insert(let entity, as: let new): .insert(entity, as: name(new))
      case .get(let object, let property): .get(name(object), property)
      case .set(let object, let property, let value): .set(name(object), property, value)
      case .increment(let object, let property): .increment(name(object), property)
      case .relate(let object, let property, let reference):
        .relate(name(object), property, reference.map(mapped))
      case .add(let object, let property, let reference):
        .add(name(object), property, mapped(reference))
      case .remove(let object, let property, let reference):
        .remove(name(object), property, mapped(reference))
      case .replace(let object, let property, let references):
        .replace(name(object), property, references.map(mapped))
      case .delete(let object): .delete(name(object))
      case .setPrimitive(let object, let property, let value):
        .setPrimitive(name(object), property, value)
      case .insertAgain(let object): .insertAgain(name(object))
      case .assign(let object, let store): .assign(name(object), store)
      case .detectConflicts(let object): .detectConflicts(name(object))
      case .validate(let object, let validation): .validate(name(object), validation)
      case .changedValues(let object): .changedValues(name(object))
      case .committedValues(let object): .committedValues(name(object))
      case .changedValuesForCurrentEvent(let object): .changedValuesForCurrentEvent(name(object))
      case .hasPersistentChangedValues(let object): .hasPersistentChangedValues(name(object))
      case .uriRepresentation(let object): .uriRepresentation(name(object))
      case .objectForURI(of: let reference, as: let new):
        .objectForURI(of: mapped(reference), as: name(new))
      case .batch(let request): .batch(mapped(request))
      case .fetch(let request): .fetch(mapped(request))
      case .count(let request): .count(mapped(request))
      case .object(with: let reference, as: let new):
        .object(with: mapped(reference), as: name(new))
      case .existingObject(with: let reference, as: let new):
        .existingObject(with: mapped(reference), as: name(new))
      case .registeredObject(for: let reference, as: let new):
        .registeredObject(for: mapped(reference), as: name(new))
      case .refresh(let object, mergeChanges: let merges):
        .refresh(name(object), mergeChanges: merges)
      case .obtainPermanentIDs(let names): .obtainPermanentIDs(names.map(name))
      case .mergeChanges(let source): .mergeChanges(mapped(source))
      case .mergeRemoteChanges(let source): .mergeRemoteChanges(mapped(source))
      case .release(let object): .release(name(object))
      case .perform(let steps): .perform(mapped(steps))
      case .performAndWait(let steps): .performAndWait(mapped(steps))
      case .performBackgroundTask(let steps): .performBackgroundTask(mapped(steps))
      case .directly(let steps): .directly(mapped(steps))
      case .async(let queue, let steps): .async(queue, mapped(steps))
      case .sync(let queue, let steps): .sync(queue, mapped(steps))
      case .processPendingChanges, .tick, .save, .refreshAllObjects, .reset, .rollback, .sleep,
        .hasChanges, .performFetch, .executeSaveRequest, .mergeHistory, .undo, .redo,
        .disableUndoRegistration,
        .enableUndoRegistration, .removeStore, .addStore, .setMetadata, .metadata, .refuseWrite,
        .discard, .call, .suspend, .resume, .kill:
        step
      }
    return AddressedStep(context(self.context), result)
  }

  /// This step, with no step in its block that is to go; nil if it is to go itself.
  package func without(_ isToGo: (Step) -> Bool) -> AddressedStep? {
    if isToGo(step) { return nil }
    guard let block = step.block else { return self }
    return AddressedStep(context, step.withBlock(block.compactMap { $0.without(isToGo) }))
  }

  package func mapNames(_ name: (ObjectName) -> ObjectName) -> AddressedStep {
    map(name: name, context: { $0 })
  }

  package func mapContexts(_ context: (ContextID) -> ContextID) -> AddressedStep {
    map(name: { $0 }, context: context)
  }

  package func visitNames(_ visit: (ObjectName) -> Void) {
    _ = mapNames {
      visit($0)
      return $0
    }
  }

  package func mapQueues(_ queue: (AppQueueID) -> AppQueueID) -> AddressedStep {
    var step = step
    switch step {
    case .async(let old, let steps): step = .async(queue(old), steps)
    case .sync(let old, let steps): step = .sync(queue(old), steps)
    case .suspend(let old): step = .suspend(old.map(queue))
    case .resume(let old): step = .resume(old.map(queue))
    default: break
    }
    guard let block = step.block else { return AddressedStep(context, step) }
    return AddressedStep(context, step.withBlock(block.map { $0.mapQueues(queue) }))
  }

  /// Whether the step is for `context`, or refers to it.
  package func mentions(_ context: ContextID) -> Bool {
    var isMentioned = false
    _ = mapContexts {
      if $0 == context { isMentioned = true }
      return $0
    }
    return isMentioned
  }
}
