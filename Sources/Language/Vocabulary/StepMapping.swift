package import ObjectModel

/// Replaces the operands of steps.
///
/// This is the one description of the operands of each kind of step. All code that finds or
/// replaces names, contexts, queues, stores or properties in steps uses it.
///
/// Operands are visited in the order of the step's text, the step's own context last. Closures that
/// are `nil` leave their operands unchanged.
package struct StepMapping {
  /// The owner of a property.
  package enum Owner {
    /// The object with this name.
    case object(ObjectName)
    /// A request for objects of this entity.
    case request(EntityID)
  }

  package var name: ((ObjectName) -> ObjectName)?
  package var context: ((ContextID) -> ContextID)?
  package var queue: ((AppQueueID) -> AppQueueID)?
  package var flag: ((FlagID) -> FlagID)?
  package var group: ((GroupID) -> GroupID)?
  package var idSet: ((IDSetID) -> IDSetID)?
  package var store: ((StoreID) -> StoreID)?
  package var controller: ((ControllerID) -> ControllerID)?
  package var entryPoint: ((EntryPointID) -> EntryPointID)?
  /// Replaces the ordinal of a merged DidSave, given the context that posted it.
  package var save: ((ContextID, Int) -> Int)?
  package var entity: ((EntityID) -> EntityID)?
  package var property: ((PropertyID, Owner) -> PropertyID)?
  /// Returns the destination entity of a relationship. Required for mapping properties, because a
  /// key path has properties of several entities.
  package var destination: ((PropertyID, EntityID) -> EntityID)?
  /// Replaces a value that a property is set to or compared with. Called before `property`.
  package var value: ((Value, PropertyID, Owner) -> Value)?

  package init() {}

  package func callAsFunction(_ addressed: AddressedStep) -> AddressedStep {
    let step = map(addressed.step)
    return AddressedStep(map(addressed.context), step)
  }

  package func map(_ step: Step) -> Step {
    switch step {
    case .insert(let entity, as: let new): .insert(map(entity), as: map(new))
    case .get(let object, let property, as: let new):
      .get(map(object), map(property, of: object), as: new.map(map))
    case .set(let object, let property, let value):
      .set(map(object), map(property, of: object), map(value, property, of: object))
    case .setPrimitive(let object, let property, let value):
      .setPrimitive(map(object), map(property, of: object), map(value, property, of: object))
    case .increment(let x, let p, by: let amount): .increment(map(x), map(p, of: x), by: amount)
    case .relate(let object, let property, let held):
      .relate(map(object), map(property, of: object), held.map(map))
    case .add(let object, let property, let held):
      .add(map(object), map(property, of: object), map(held))
    case .remove(let object, let property, let held):
      .remove(map(object), map(property, of: object), map(held))
    case .replace(let object, let property, let members):
      .replace(map(object), map(property, of: object), members.map(map))
    case .delete(let object): .delete(map(object))
    case .insertAgain(let object): .insertAgain(map(object))
    case .assign(let object, let store): .assign(map(object), map(store))
    case .detectConflicts(let object): .detectConflicts(map(object))
    case .validate(let object, let validation): .validate(map(object), validation)
    case .changedValues(let object): .changedValues(map(object))
    case .committedValues(let object): .committedValues(map(object))
    case .changedValuesForCurrentEvent(let object): .changedValuesForCurrentEvent(map(object))
    case .hasPersistentChangedValues(let object): .hasPersistentChangedValues(map(object))
    case .uriRepresentation(let object): .uriRepresentation(map(object))
    case .objectForURI(of: let held, as: let new): .objectForURI(of: map(held), as: map(new))
    case .object(with: let held, as: let new): .object(with: map(held), as: map(new))
    case .existingObject(with: let id, as: let new): .existingObject(with: map(id), as: map(new))
    case .registeredObject(for: let id, as: let new): .registeredObject(for: map(id), as: map(new))
    case .fetch(let request, as: let new): .fetch(map(request), as: new.map(map))
    case .count(let request): .count(map(request))
    case .batch(let request): .batch(map(request))
    case .performFetch(let controller): .performFetch(self.controller?(controller) ?? controller)
    case .refresh(let object, let merges): .refresh(map(object), mergeChanges: merges)
    case .obtainPermanentIDs(let names): .obtainPermanentIDs(names.map(map))
    case .mergeChanges(let source): .mergeChanges(map(source))
    case .mergeRemoteChanges(let source): .mergeRemoteChanges(map(source))
    case .release(let object): .release(map(object))
    case .removeStore, .addStore, .destroyStore, .setMetadata, .metadata, .refuseWrite:
      mapStore(of: step)
    case .setFlag(let flag, let isRaised): .setFlag(map(flag), isRaised)
    case .enter, .leave, .wait, .notify, .remember, .forget, .forEach: mapPartsOfApp(of: step)
    case .call(let entryPoint): .call(self.entryPoint?(entryPoint) ?? entryPoint)
    case .suspend(let queue): .suspend(queue.map(map))
    case .resume(let queue): .resume(queue.map(map))
    case .async(let queue, let steps): .async(map(queue), steps.map(callAsFunction))
    case .sync(let queue, let steps): .sync(map(queue), steps.map(callAsFunction))
    case .perform(let steps), .performAndWait(let steps), .performBackgroundTask(let steps),
      .directly(let steps), .trying(let steps):
      step.withBlock(steps.map(callAsFunction))
    case .when(let condition, let steps): .when(map(condition), steps.map(callAsFunction))
    case .hasChanges, .executeSaveRequest, .processPendingChanges, .tick, .save,
      .refreshAllObjects, .reset, .rollback, .mergeHistory, .undo, .redo,
      .disableUndoRegistration, .enableUndoRegistration, .discard, .sleep, .kill, .setMergePolicy:
      step
    }
  }

  /// Maps a step that only concerns a store.
  private func mapStore(of step: Step) -> Step {
    switch step {
    case .removeStore(let store): .removeStore(map(store))
    case .addStore(let store): .addStore(map(store))
    case .destroyStore(let store, let isRecreated):
      .destroyStore(map(store), isRecreated: isRecreated)
    case .setMetadata(let store, let number): .setMetadata(map(store), number)
    case .metadata(let store): .metadata(map(store))
    case .refuseWrite(let store, after: let count): .refuseWrite(map(store), after: count)
    default: preconditionFailure("\(step) is about no store")
    }
  }

  /// Maps a step that concerns a group or an ID set, or a loop.
  private func mapPartsOfApp(of step: Step) -> Step {
    switch step {
    case .enter(let group): .enter(map(group))
    case .leave(let group): .leave(map(group))
    case .wait(let group): .wait(map(group))
    case .notify(let group, let steps): .notify(map(group), steps.map(callAsFunction))
    case .remember(let set, let objects): .remember(map(set), map(objects))
    case .forget(let set): .forget(map(set))
    case .forEach(let objects, let treatment): .forEach(map(objects), treatment)
    default: preconditionFailure("\(step) is about no part of the app")
    }
  }

  package func map(_ request: FetchRequest) -> FetchRequest {
    let entity = request.entity
    let owner = Owner.request(entity)
    var request = request
    request.entity = map(request.entity)
    for index in request.predicate.indices {
      request.predicate[index] = map(request.predicate[index], of: owner)
    }
    request.tree = request.tree.map { map($0, of: entity) }
    guard property != nil || store != nil else { return request }
    request.sortDescriptors = request.sortDescriptors.map { map($0, of: entity) }
    request.propertiesToFetch = request.propertiesToFetch.map { map($0, of: owner) }
    for index in request.aggregates.indices {
      request.aggregates[index].property = request.aggregates[index].property.map {
        map($0, of: owner)
      }
    }
    request.propertiesToGroupBy = request.propertiesToGroupBy.map { map($0, of: owner) }
    request.affectedStores = request.affectedStores.map { $0.map(map) }
    return request
  }

  private func map(_ request: BatchRequest) -> BatchRequest {
    let owner = Owner.request(request.entity)
    func mapped(_ values: [PropertyValue]) -> [PropertyValue] {
      values.map { item in
        let value = value?(item.value, item.property, owner) ?? item.value
        return PropertyValue(map(item.property, of: owner), value)
      }
    }
    let kind: BatchRequest.Kind =
      switch request.kind {
      case .update(let values): .update(mapped(values))
      case .delete: .delete
      case .insert(let rows): .insert(rows.map(mapped))
      }
    var result = BatchRequest(
      entity: map(request.entity), kind: kind,
      predicate: request.predicate.map { map($0, of: owner) })
    result.tree = request.tree.map { map($0, of: request.entity) }
    result.computed = request.computed.map { item in
      BatchRequest.ComputedValue(
        map(item.property, of: owner),
        map(item.term, comparedWith: .path([item.property]), of: request.entity))
    }
    result.selection = request.selection
    result.selection.sortDescriptors = request.selection.sortDescriptors.map {
      map($0, of: request.entity)
    }
    return result
  }

  private func map(
    _ descriptor: FetchRequest.SortDescriptor, of entity: EntityID
  ) -> FetchRequest.SortDescriptor {
    let path = map(descriptor.keyPath, from: entity)
    return FetchRequest.SortDescriptor(
      property: path[0], furtherKeys: Array(path.dropFirst()), ascending: descriptor.ascending)
  }

  private func map(_ tree: PredicateTree, of entity: EntityID) -> PredicateTree {
    tree.mapTerms(entities: map) { map($0, comparedWith: $1, of: entity) }
  }

  private func map(
    _ term: PredicateTree.Term, comparedWith other: PredicateTree.Term, of entity: EntityID
  ) -> PredicateTree.Term {
    switch term {
    case .itself: return .itself
    case .object(let held): return .object(map(held))
    case .list(let terms): return .list(terms.map { map($0, comparedWith: other, of: entity) })
    case .path(let path): return .path(map(path, from: entity))
    case .count(let path): return .count(map(path, from: entity))
    case .countWhere(let path, let tree):
      let members = path.reduce(entity) { destination?($1, $0) ?? $0 }
      return .countWhere(map(path, from: entity), map(tree, of: members))
    case .aggregate(let function, let path): return .aggregate(function, map(path, from: entity))
    case .computed(let operation, let terms):
      return .computed(operation, terms.map { map($0, comparedWith: other, of: entity) })
    case .value(let old):
      guard let value, case .path(let path) = other, let last = path.last else { return term }
      let owner = path.dropLast().reduce(entity) { destination?($1, $0) ?? $0 }
      return .value(value(old, last, .request(owner)))
    }
  }

  /// Maps a key path. Each property belongs to the destination of the previous one.
  private func map(_ path: [PropertyID], from entity: EntityID) -> [PropertyID] {
    guard property != nil else { return path }
    var entity = entity
    return path.map { key in
      let owner = Owner.request(entity)
      entity = destination?(key, entity) ?? entity
      return map(key, of: owner)
    }
  }

  private func map(_ comparison: Comparison, of owner: Owner) -> Comparison {
    var comparison = comparison
    switch comparison.operand {
    case .value(let value):
      comparison.operand = .value(self.value?(value, comparison.property, owner) ?? value)
    case .object(let held): comparison.operand = .object(map(held))
    }
    comparison.property = map(comparison.property, of: owner)
    return comparison
  }

  private func map(_ source: MergeSource) -> MergeSource {
    switch source {
    case .delivered: .delivered
    case .didSave(let poster, let ordinal):
      .didSave(map(poster), ordinal: save?(poster, ordinal) ?? ordinal)
    case .batch(let poster, let ordinal): .batch(map(poster), ordinal: ordinal)
    case .latestBatch(let poster): .latestBatch(map(poster))
    }
  }

  private func map(_ condition: Condition) -> Condition {
    guard let flag = condition.flag else { return condition }
    return Condition(.isRaised(map(flag)), isNegated: condition.isNegated)
  }

  private func map(_ objects: ObjectSet) -> ObjectSet {
    if case .remembered(let set) = objects { .remembered(map(set)) } else { objects }
  }

  private func map(_ held: HeldInstance) -> HeldInstance {
    let context = map(held.context)
    return HeldInstance(context, map(held.name))
  }

  private func map(_ old: ObjectName) -> ObjectName { name?(old) ?? old }
  private func map(_ old: ContextID) -> ContextID { context?(old) ?? old }
  private func map(_ old: AppQueueID) -> AppQueueID { queue?(old) ?? old }
  private func map(_ old: FlagID) -> FlagID { flag?(old) ?? old }
  private func map(_ old: GroupID) -> GroupID { group?(old) ?? old }
  private func map(_ old: IDSetID) -> IDSetID { idSet?(old) ?? old }
  private func map(_ old: StoreID) -> StoreID { store?(old) ?? old }
  private func map(_ old: EntityID) -> EntityID { entity?(old) ?? old }

  private func map(_ old: PropertyID, of owner: Owner) -> PropertyID {
    property?(old, owner) ?? old
  }

  private func map(_ old: PropertyID, of object: ObjectName) -> PropertyID {
    property?(old, .object(object)) ?? old
  }

  private func map(_ old: Value, _ property: PropertyID, of object: ObjectName) -> Value {
    value?(old, property, .object(object)) ?? old
  }
}

extension AddressedStep {
  /// Returns this step with every name and every context replaced, including those in its block.
  package func map(
    name: @escaping (ObjectName) -> ObjectName, context: @escaping (ContextID) -> ContextID
  ) -> AddressedStep {
    var mapping = StepMapping()
    (mapping.name, mapping.context) = (name, context)
    return mapping(self)
  }

  package func mapNames(_ name: @escaping (ObjectName) -> ObjectName) -> AddressedStep {
    var mapping = StepMapping()
    mapping.name = name
    return mapping(self)
  }

  package func mapContexts(_ context: @escaping (ContextID) -> ContextID) -> AddressedStep {
    var mapping = StepMapping()
    mapping.context = context
    return mapping(self)
  }

  package func mapQueues(_ queue: @escaping (AppQueueID) -> AppQueueID) -> AddressedStep {
    var mapping = StepMapping()
    mapping.queue = queue
    return mapping(self)
  }

  package func visitNames(_ visit: (ObjectName) -> Void) {
    withoutActuallyEscaping(visit) { visit in
      _ = mapNames {
        visit($0)
        return $0
      }
    }
  }

  /// Returns a Boolean value that indicates whether the step addresses `context` or refers to it.
  package func mentions(_ context: ContextID) -> Bool {
    var isMentioned = false
    _ = mapContexts {
      if $0 == context { isMentioned = true }
      return $0
    }
    return isMentioned
  }

  /// The stores that the step and the steps in its block refer to.
  package var stores: [StoreID] {
    var stores: [StoreID] = []
    var mapping = StepMapping()
    mapping.store = {
      stores.append($0)
      return $0
    }
    _ = mapping(self)
    return stores
  }
}
