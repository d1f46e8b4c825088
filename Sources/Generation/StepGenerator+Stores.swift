import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What happens in the stores, and to them, and how contexts hear of it.
extension StepGenerator {
  // MARK: Batches

  mutating func batch(
    _ kind: Kind, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let request = batchRequest(kind, in: context, world, &choices) else { return nil }
    // A context hears of a batch only by merging its result; half of them are merged at once.
    if choices.chance(1, in: 2, from: .workload) {
      let merging = anyContext(&choices)
      let source = MergeSource.batch(context, ordinal: world.graph.batchCount(of: context) + 1)
      postpone(
        AddressedStep(
          merging,
          choices.chance(1, in: 3, from: .workload)
            ? .mergeRemoteChanges(source) : .mergeChanges(source)), &choices)
    }
    return .batch(request)
  }

  private mutating func batchRequest(
    _ kind: Kind, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> BatchRequest? {
    if kind == .batchInsert {
      let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
      var rows = [row(of: entity, &choices)]
      if choices.chance(1, in: 3, from: .workload) { rows.append(row(of: entity, &choices)) }
      return BatchRequest(entity: entity, kind: .insert(rows))
    }
    let entity = EntityID(choices.draw(below: model.entities.count, from: .workload))
    let isQuery = swarm.share(of: .query) > 0 && choices.chance(1, in: 6, from: .workload)
    let (predicate, tree) =
      isQuery
      ? batchTree(of: entity, in: context, world, &choices)
      : (predicate(of: entity, in: context, world, &choices), nil)
    if kind == .batchDelete {
      // All of an entity now and then only: few violations are possible afterwards.
      if predicate.isEmpty, tree == nil, !choices.chance(1, in: 4, from: .workload) { return nil }
      var request = BatchRequest(entity: entity, kind: .delete, predicate: predicate)
      request.tree = tree
      return request
    }
    let attributes = storedAttributes(of: entity)
    guard !attributes.isEmpty else { return nil }
    let property = attributes[choices.draw(below: attributes.count, from: .workload)]
    guard let attribute = model[entity][property].attribute else { return nil }
    let isCleared = choices.chance(1, in: 12, from: .workload)
    let value = isCleared ? .null : newValue(for: attribute, property, of: entity, &choices)
    var request = BatchRequest(
      entity: entity, kind: .update([PropertyValue(property, value)]), predicate: predicate)
    request.tree = tree
    return request
  }

  /// What a row must have, and some of the rest.
  private mutating func row(of entity: EntityID, _ choices: inout Choices) -> [PropertyValue] {
    var values: [PropertyValue] = []
    for property in storedAttributes(of: entity) {
      guard let attribute = model[entity][property].attribute else { continue }
      let isNeeded = !attribute.isOptional && attribute.defaultValue.isNull
      if isNeeded || choices.chance(1, in: 3, from: .workload) {
        values.append(
          PropertyValue(property, newValue(for: attribute, property, of: entity, &choices)))
      }
    }
    return values
  }

  // MARK: Merging

  /// What another context saved, or what any context did in a batch.
  func mergeSource(
    for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> MergeSource? {
    guard world.graph.didSaveTotal > 0 else { return nil }
    let source = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    let isBatch =
      choices.chance(1, in: 6, from: .workload) && world.graph.batchCount(of: source) > 0
    let count = isBatch ? world.graph.batchCount(of: source) : world.graph.didSaveCount(of: source)
    guard isBatch || source != context, count > 0 else { return nil }
    // The latest, mostly; a late merge of an older one now and then (NT-33).
    let age = choices.pick(weights: [6, 1, 1], from: .workload)
    let ordinal = max(1, count - age)
    return isBatch ? .batch(source, ordinal: ordinal) : .didSave(source, ordinal: ordinal)
  }

  // MARK: Stores

  /// One of the context's coordinator's; now and then any.
  func store(under context: ContextID, _ choices: inout Choices) -> StoreID {
    let own = stack.coordinators[stack.coordinator(of: context).index].stores
    guard stack.stores.count > own.count, choices.chance(1, in: 8, from: .workload) else {
      return own[choices.draw(below: own.count, from: .workload)]
    }
    return StoreID(choices.draw(below: stack.stores.count, from: .workload))
  }

  /// Mostly for a short time: without a store, little can happen.
  mutating func removeStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let store = store(under: context, &choices)
    if !choices.chance(1, in: 16, from: .workload) {
      postpone(AddressedStep(context, .addStore(store)), &choices)
    }
    return .removeStore(store)
  }

  /// Mostly, another store takes its place, at once or a few steps later.
  mutating func destroyStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let store = store(under: context, &choices)
    let isMadeAnew = choices.chance(1, in: 3, from: .workload)
    if !isMadeAnew, !choices.chance(1, in: 16, from: .workload) {
      postpone(AddressedStep(context, .addStore(store)), &choices)
    }
    return .destroyStore(store, isMadeAnew: isMadeAnew)
  }

  /// Mostly put back a few steps later, as for one save.
  mutating func policy(of context: ContextID, _ choices: inout Choices) -> Step {
    let policies = MergePolicy.allCases
    let policy = policies[choices.draw(below: policies.count, from: .workload)]
    if !choices.chance(1, in: 4, from: .workload) {
      let declared = stack.contexts[context.index].mergePolicy
      postpone(AddressedStep(context, .setMergePolicy(declared)), &choices)
    }
    return .setMergePolicy(policy)
  }

  /// One of the next few, so that the save that fails is often not the first.
  func refuseWrite(under context: ContextID, _ choices: inout Choices) -> Step {
    let number = 1 + choices.pick(weights: [4, 2, 1], from: .workload)
    return .refuseWrite(store(under: context, &choices), after: number)
  }

  /// One that the coordinator did not have from the beginning, if there is any.
  func addStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let own = stack.coordinators[stack.coordinator(of: context).index].stores
    let others = stack.stores.indices.map { StoreID($0) }.filter { !own.contains($0) }
    return .addStore(
      others.isEmpty
        ? store(under: context, &choices)
        : others[choices.draw(below: others.count, from: .workload)])
  }
}
