import ObjectModel
import Vocabulary

extension Spelling {
  /// Returns the lines of a step and its block. In a block, a step for `blockLane` omits its lane.
  func lines(_ addressed: AddressedStep, blockLane: ContextID?) -> [String] {
    let lane = addressed.context
    let prefix = lane == blockLane ? "" : text(lane) + "  "
    let innerLane = addressed.step.traits.contains(.runsOnAppQueue) ? nil : lane
    return [prefix + text(addressed.step, lane)]
      + (addressed.step.block ?? []).flatMap { lines($0, blockLane: innerLane) }.map { "  " + $0 }
  }

  /// Returns the step's own line without its lane: the verb, followed by the operands.
  private func text(_ step: Step, _ lane: ContextID) -> String {
    ([step.verb] + operands(of: step, lane)).joined(separator: " ")
  }

  private func operands(of step: Step, _ lane: ContextID) -> [String] {
    switch step {
    case .insert(let entity, let name): [model[entity].name, "as", text(name)]
    case .get(let name, let property, as: let new):
      [path(name, property)] + (new.map { ["as", text($0)] } ?? [])
    case .increment(let name, let property, by: let amount):
      [path(name, property)] + (amount == 1 ? [] : ["by", "\(amount)"])
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      [path(name, property), text(value, of: name, property)]
    case .relate(let name, let property, let destination):
      [path(name, property), destination.map { text($0, lane: lane) } ?? "nil"]
    case .add(let name, let property, let member), .remove(let name, let property, let member):
      [path(name, property), text(member, lane: lane)]
    case .replace(let name, let property, let members):
      [path(name, property), "[\(members.map { text($0, lane: lane) }.joined(separator: " "))]"]
    case .delete(let name), .insertAgain(let name), .detectConflicts(let name),
      .changedValues(let name), .committedValues(let name), .changedValuesForCurrentEvent(let name),
      .hasPersistentChangedValues(let name), .uriRepresentation(let name), .release(let name):
      [text(name)]
    case .assign(let name, let store): [text(name), text(store)]
    case .validate(let name, let validation): [text(name), validation.rawValue]
    case .refresh(let name, let mergeChanges): [text(name)] + (mergeChanges ? ["merging"] : [])
    case .obtainPermanentIDs(let names): names.map { text($0) }
    case .object(let held, let name), .existingObject(let held, let name),
      .registeredObject(let held, let name), .objectForURI(let held, let name):
      held.name == name ? [text(held)] : [text(held), "as", text(name)]
    case .fetch(let request, as: let new):
      [text(request, lane)] + (new.map { ["as", text($0)] } ?? [])
    case .count(let request): [text(request, lane)]
    case .batch(let request): words(request, lane)
    case .performFetch(let controller): [stack.controllers[controller.index].name]
    case .mergeChanges(let source), .mergeRemoteChanges(let source): [text(source)]
    case .removeStore(let store), .addStore(let store), .metadata(let store): [text(store)]
    case .destroyStore(let store, let isRecreated): [text(store)] + (isRecreated ? ["anew"] : [])
    case .setMetadata(let store, let number), .refuseWrite(let store, after: let number):
      [text(store), "\(number)"]
    case .async(let queue, _), .sync(let queue, _): [stack.queues[queue.index].name]
    case .suspend(let queue), .resume(let queue): names(of: queue)
    case .when(let condition, _): [text(condition)]
    case .setFlag(let flag, _): [text(flag)]
    case .enter(let group), .leave(let group), .wait(let group), .notify(let group, _):
      [stack.groups[group.index].name]
    case .remember(let set, let objects): [text(set), text(objects)]
    case .forget(let set): [text(set)]
    case .setMergePolicy(let policy): [policy.rawValue]
    case .forEach(let set, let treatment): [text(set), treatment.words]
    case .call(let entryPoint): [stack.entryPoints[entryPoint.index].name]
    case .sleep(let milliseconds): ["\(milliseconds)"]
    case .hasChanges, .executeSaveRequest, .processPendingChanges, .tick, .save, .refreshAllObjects,
      .reset, .rollback, .mergeHistory, .undo, .redo, .disableUndoRegistration,
      .enableUndoRegistration, .discard, .kill, .perform, .performAndWait, .performBackgroundTask,
      .directly, .trying:
      []
    }
  }

  /// Returns the name of an app-defined queue, or no words for the context's own queue.
  private func names(of queue: AppQueueID?) -> [String] {
    queue.map { [stack.queues[$0.index].name] } ?? []
  }

  private func text(_ source: MergeSource) -> String {
    switch source {
    case .delivered: "delivered"
    case .didSave(let context, let ordinal): "didSave \(text(context)) \(ordinal)"
    case .batch(let context, let ordinal): "batch \(text(context)) \(ordinal)"
    case .latestBatch(let context): "batch \(text(context)) latest"
    }
  }

  /// Returns the words after `where`, such as `title == "x" and stars > 3`. Returns no words for an
  /// empty predicate.
  private func words(
    _ predicate: [Comparison], of entity: Entity, _ lane: ContextID
  ) -> [String] {
    if predicate.isEmpty { return [] }
    let comparisons = predicate.map { comparison in
      let operand =
        switch comparison.operand {
        case .value(let value): text(value, of: entity[comparison.property])
        case .object(let reference): operand(reference, lane)
        }
      let name = PredicateWord.spelling(of: entity[comparison.property].name)
      return "\(name) \(comparison.relation.rawValue) \(operand)"
    }
    return ["where", comparisons.joined(separator: " and ")]
  }

  /// Returns the words of a batch request, such as `Note {title: "x"} where stars > 3`.
  private func words(_ request: BatchRequest, _ lane: ContextID) -> [String] {
    let entity = model[request.entity]
    func record(_ values: [PropertyValue]) -> String {
      let parts = values.map {
        let property = entity[$0.property]
        return "\(property.name): \(text($0.value, of: property))"
      }
      return "{\(parts.joined(separator: ", "))}"
    }
    let words =
      switch request.kind {
      case .update(let values): [entity.name, record(values)]
      case .delete: [entity.name]
      case .insert(let rows): [entity.name] + rows.map(record)
      }
    return words + self.words(request.predicate, of: entity, lane)
      + self.words(request.tree, of: request.entity, isFirst: request.predicate.isEmpty, lane)
      + self.words(request.selection, of: request.entity)
  }

  /// Returns the words of a selection, which are those of a fetch request.
  private func words(_ selection: BatchRequest.Selection, of entity: EntityID) -> [String] {
    var request = FetchRequest(entity: entity)
    request.sortDescriptors = selection.sortDescriptors
    request.includesSubentities = selection.includesSubentities
    (request.fetchOffset, request.fetchLimit) = (selection.offset, selection.limit)
    return window(request)
  }

  /// Returns the words for sort descriptors, offset, limit and subentities.
  private func window(_ request: FetchRequest) -> [String] {
    let entity = model[request.entity]
    var words: [String] = []
    if !request.sortDescriptors.isEmpty {
      words.append("sort")
      words += request.sortDescriptors.map { descriptor in
        let name = entity[descriptor.property].name
        let keys = model.names(of: descriptor.keyPath, from: request.entity).dropFirst()
        return (descriptor.ascending ? RequestKeyword.spelling(of: name) : "-" + name)
          + keys.map { "." + $0 }.joined()
      }
    }
    if request.fetchOffset != 0 { words.append("offset \(request.fetchOffset)") }
    if request.fetchLimit != 0 { words.append("limit \(request.fetchLimit)") }
    if !request.includesPendingChanges { words.append("savedState") }
    if !request.returnsObjectsAsFaults { words.append("realised") }
    if !request.includesSubentities { words.append("withoutSubentities") }
    return words
  }

  func text(_ request: FetchRequest, _ lane: ContextID) -> String {
    let entity = model[request.entity]
    var words = [entity.name] + words(request.predicate, of: entity, lane)
    words += self.words(
      request.tree, of: request.entity, isFirst: request.predicate.isEmpty, lane)
    words += window(request)
    if request.shouldRefreshRefetchedObjects { words.append("refreshing") }
    if let stores = request.affectedStores {
      words += ["stores"] + stores.map { RequestKeyword.spelling(of: text($0)) }
    }
    switch request.resultType {
    case .managedObject: break
    case .managedObjectID: words.append("ids")
    case .count: words.append("counting")
    case .dictionary:
      words.append("dictionaries")
      words += request.propertiesToFetch.map { RequestKeyword.spelling(of: entity[$0].name) }
      words += request.aggregates.map { $0.text(of: entity) }
      if !request.propertiesToGroupBy.isEmpty {
        words.append("group")
        words += request.propertiesToGroupBy.map { RequestKeyword.spelling(of: entity[$0].name) }
      }
      if request.returnsDistinctResults { words.append("distinct") }
    }
    return words.joined(separator: " ")
  }
}
