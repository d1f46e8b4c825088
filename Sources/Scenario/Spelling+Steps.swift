import ObjectModel
import Vocabulary

extension Spelling {
  /// A step with its block. In a block, a step for `blockLane` goes without its lane.
  func lines(_ addressed: AddressedStep, blockLane: ContextID?) -> [String] {
    let lane = addressed.context
    let prefix = lane == blockLane ? "" : text(lane) + "  "
    let innerLane = addressed.step.isOnAppQueue ? nil : lane
    return [prefix + text(addressed.step, lane)]
      + (addressed.step.block ?? []).flatMap { lines($0, blockLane: innerLane) }.map { "  " + $0 }
  }

  /// The step's own line, without its lane.
  private func text(_ step: Step, _ lane: ContextID) -> String {
    switch step {
    case .insert(let entity, let name): "insert \(model[entity].name) as \(text(name))"
    case .get(let name, let property): "get \(path(name, property))"
    case .set(let name, let property, let value): "set \(path(name, property)) \(text(value))"
    case .relate(let name, let property, let destination):
      "relate \(path(name, property)) \(destination.map { text($0, lane: lane) } ?? "nil")"
    case .add(let name, let property, let member):
      "add \(path(name, property)) \(text(member, lane: lane))"
    case .remove(let name, let property, let member):
      "remove \(path(name, property)) \(text(member, lane: lane))"
    case .replace(let name, let property, let members):
      "replace \(path(name, property)) "
        + "[\(members.map { text($0, lane: lane) }.joined(separator: " "))]"
    case .delete(let name): "delete \(text(name))"
    case .setPrimitive(let name, let property, let value):
      "setPrimitive \(path(name, property)) \(text(value))"
    case .insertAgain(let name): "insertAgain \(text(name))"
    case .assign(let name, let store): "assign \(text(name)) \(text(store))"
    case .detectConflicts(let name): "detectConflicts \(text(name))"
    case .validate(let name, let validation): "validate \(text(name)) \(validation.rawValue)"
    case .changedValues(let name): "changedValues \(text(name))"
    case .committedValues(let name): "committedValues \(text(name))"
    case .changedValuesForCurrentEvent(let name): "changedValuesForCurrentEvent \(text(name))"
    case .hasPersistentChangedValues(let name): "hasPersistentChangedValues \(text(name))"
    case .hasChanges: "hasChanges"
    case .uriRepresentation(let name): "uriRepresentation \(text(name))"
    case .fetch(let request): "fetch \(text(request, lane))"
    case .count(let request): "count \(text(request, lane))"
    case .object(let reference, let name): "object \(lookUp(reference, name))"
    case .existingObject(let reference, let name): "existingObject \(lookUp(reference, name))"
    case .registeredObject(let reference, let name): "registeredObject \(lookUp(reference, name))"
    case .objectForURI(let reference, let name): "objectForURI \(lookUp(reference, name))"
    case .batch(let request): text(request, lane)
    case .performFetch(let controller): "performFetch \(stack.controllers[controller.index].name)"
    case .executeSaveRequest: "executeSaveRequest"
    case .undo: "undo"
    case .redo: "redo"
    case .disableUndoRegistration: "disableUndoRegistration"
    case .enableUndoRegistration: "enableUndoRegistration"
    case .removeStore(let store): "removeStore \(text(store))"
    case .addStore(let store): "addStore \(text(store))"
    case .setMetadata(let store, let number): "setMetadata \(text(store)) \(number)"
    case .metadata(let store): "metadata \(text(store))"
    case .refuseWrite(let store, let number): "refuseWrite \(text(store)) \(number)"
    case .discard: "discard"
    case .processPendingChanges: "processPendingChanges"
    case .tick: "tick"
    case .save: "save"
    case .refresh(let name, let mergeChanges):
      "refresh \(text(name))\(mergeChanges ? " merging" : "")"
    case .refreshAllObjects: "refreshAllObjects"
    case .reset: "reset"
    case .rollback: "rollback"
    case .obtainPermanentIDs(let names):
      (["obtainPermanentIDs"] + names.map { text($0) }).joined(separator: " ")
    case .mergeChanges(let source): "mergeChanges \(text(source))"
    case .mergeRemoteChanges(let source): "mergeRemoteChanges \(text(source))"
    case .mergeHistory: "mergeHistory"
    case .release(let name): "release \(text(name))"
    case .perform: "perform"
    case .performAndWait: "performAndWait"
    case .performBackgroundTask: "performBackgroundTask"
    case .directly: "directly"
    case .increment(let name, let property): "increment \(path(name, property))"
    case .async(let queue, _): "dispatchAsync \(stack.queues[queue.index].name)"
    case .sync(let queue, _): "dispatchSync \(stack.queues[queue.index].name)"
    case .call(let entryPoint): "call \(stack.entryPoints[entryPoint.index].name)"
    case .suspend(let queue): (["suspend"] + names(of: queue)).joined(separator: " ")
    case .resume(let queue): (["resume"] + names(of: queue)).joined(separator: " ")
    case .sleep(let milliseconds): "sleep \(milliseconds)"
    case .kill: "kill"
    }
  }

  /// None for the context's own.
  private func names(of queue: AppQueueID?) -> [String] {
    queue.map { [stack.queues[$0.index].name] } ?? []
  }

  private func lookUp(_ reference: HeldInstance, _ name: ObjectName) -> String {
    reference.name == name ? text(reference) : "\(text(reference)) as \(text(name))"
  }

  private func text(_ source: MergeSource) -> String {
    switch source {
    case .delivered: "delivered"
    case .didSave(let context, let ordinal): "didSave \(text(context)) \(ordinal)"
    case .batch(let context, let ordinal): "batch \(text(context)) \(ordinal)"
    }
  }

  /// `title == "x" and stars > 3`, after `where`; nothing for an empty predicate.
  private func words(
    _ predicate: [Comparison], of entity: Entity, _ lane: ContextID
  ) -> [String] {
    if predicate.isEmpty { return [] }
    let comparisons = predicate.map { comparison in
      let operand =
        switch comparison.operand {
        case .value(let value): text(value)
        case .object(let reference): text(reference, lane: lane)
        }
      return "\(entity[comparison.property].name) \(comparison.relation.rawValue) \(operand)"
    }
    return ["where", comparisons.joined(separator: " and ")]
  }

  /// `batchUpdate Note {title: "x"} where stars > 3`
  private func text(_ request: BatchRequest, _ lane: ContextID) -> String {
    let entity = model[request.entity]
    func record(_ values: [PropertyValue]) -> String {
      let parts = values.map { "\(entity[$0.property].name): \(text($0.value))" }
      return "{\(parts.joined(separator: ", "))}"
    }
    let words =
      switch request.kind {
      case .update(let values): ["batchUpdate", entity.name, record(values)]
      case .delete: ["batchDelete", entity.name]
      case .insert(let rows): ["batchInsert", entity.name] + rows.map(record)
      }
    return (words + self.words(request.predicate, of: entity, lane)).joined(separator: " ")
  }

  func text(_ request: FetchRequest, _ lane: ContextID) -> String {
    let entity = model[request.entity]
    var words = [entity.name] + words(request.predicate, of: entity, lane)
    if !request.sortDescriptors.isEmpty {
      words.append("sort")
      words += request.sortDescriptors.map { descriptor in
        let name = entity[descriptor.property].name
        return descriptor.ascending ? RequestKeyword.spelling(of: name) : "-" + name
      }
    }
    if request.fetchOffset != 0 { words.append("offset \(request.fetchOffset)") }
    if request.fetchLimit != 0 { words.append("limit \(request.fetchLimit)") }
    if !request.includesPendingChanges { words.append("savedState") }
    if !request.returnsObjectsAsFaults { words.append("realised") }
    if !request.includesSubentities { words.append("withoutSubentities") }
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
    }
    return words.joined(separator: " ")
  }
}
