import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates batches, changes of stores, and merges.
extension StepGenerator {
  // MARK: Batches

  mutating func batch(
    _ kind: Kind, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let request = batchRequest(kind, in: context, world, &choices) else { return nil }
    // A context learns of a batch only by merging its result. Half of the batches are merged soon.
    if choices.chance(1, in: 2, from: .workload) {
      let merging = anyContext(&choices)
      // When the merge begins, the request may no longer be the latest one.
      let source: MergeSource =
        choices.chance(1, in: 2, from: .workload)
        ? .latestBatch(context)
        : .batch(context, ordinal: world.graph.batchCount(of: context) + 1)
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
      // Rarely delete all objects of an entity, because few violations are possible afterwards.
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

  /// Returns a row with the mandatory values, and some of the optional values.
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

  /// Draws a save of another context, or a batch of any context.
  func mergeSource(
    for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> MergeSource? {
    guard world.graph.didSaveTotal > 0 else { return nil }
    let source = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    let isBatch =
      choices.chance(1, in: 6, from: .workload) && world.graph.batchCount(of: source) > 0
    let count = isBatch ? world.graph.batchCount(of: source) : world.graph.didSaveCount(of: source)
    guard isBatch || source != context, count > 0 else { return nil }
    // Mostly the latest save. Sometimes an older save is merged late (NT-33).
    let age = choices.pick(weights: [6, 1, 1], from: .workload)
    let ordinal = max(1, count - age)
    return isBatch ? .batch(source, ordinal: ordinal) : .didSave(source, ordinal: ordinal)
  }

  // MARK: Stores

  /// Draws a store of the context's coordinator, or sometimes any store.
  func store(under context: ContextID, _ choices: inout Choices) -> StoreID {
    let own = stack.coordinators[stack.coordinator(of: context).index].stores
    guard stack.stores.count > own.count, choices.chance(1, in: 8, from: .workload) else {
      return own[choices.draw(below: own.count, from: .workload)]
    }
    return StoreID(choices.draw(below: stack.stores.count, from: .workload))
  }

  /// Removes a store, mostly for a few steps, because little can happen without a store.
  mutating func removeStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let store = store(under: context, &choices)
    if !choices.chance(1, in: 16, from: .workload) {
      postpone(AddressedStep(context, .addStore(store)), &choices)
    }
    return .removeStore(store)
  }

  /// Destroys a store. Mostly another store replaces it, at once or a few steps later.
  mutating func destroyStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let store = store(under: context, &choices)
    let isRecreated = choices.chance(1, in: 3, from: .workload)
    if !isRecreated, !choices.chance(1, in: 16, from: .workload) {
      postpone(AddressedStep(context, .addStore(store)), &choices)
    }
    return .destroyStore(store, isRecreated: isRecreated)
  }

  /// Sets a merge policy, and mostly restores the declared policy a few steps later.
  mutating func policy(of context: ContextID, _ choices: inout Choices) -> Step {
    let policies = MergePolicy.allCases
    let policy = policies[choices.draw(below: policies.count, from: .workload)]
    if !choices.chance(1, in: 4, from: .workload) {
      let declared = stack.contexts[context.index].mergePolicy
      postpone(AddressedStep(context, .setMergePolicy(declared)), &choices)
    }
    return .setMergePolicy(policy)
  }

  /// Makes a store refuse one of its next writes, so that the failing save is often not the first.
  func refuseWrite(under context: ContextID, _ choices: inout Choices) -> Step {
    let number = 1 + choices.pick(weights: [4, 2, 1], from: .workload)
    return .refuseWrite(store(under: context, &choices), after: number)
  }

  /// Adds a store that the coordinator did not have from the beginning, if one exists.
  func addStore(under context: ContextID, _ choices: inout Choices) -> Step {
    let own = stack.coordinators[stack.coordinator(of: context).index].stores
    let others = stack.stores.indices.map { StoreID($0) }.filter { !own.contains($0) }
    return .addStore(
      others.isEmpty
        ? store(under: context, &choices)
        : others[choices.draw(below: others.count, from: .workload)])
  }
}
