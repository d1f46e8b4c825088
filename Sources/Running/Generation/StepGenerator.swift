package import Determinism
package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// Generates the steps of a program one at a time, from the objects that the program holds at that
/// moment.
///
/// Preconditions are checked, not left to chance. Names are drawn from the objects that the context
/// holds, and destinations from suitable objects. Most steps are followed by the steps that they
/// require, so most saves succeed. For example, an insertion is followed by steps that set
/// mandatory attributes. Mostly, a later step restores a store or setting that a step takes away.
package struct StepGenerator {
  let model: ObjectModel
  let stack: Stack
  let swarm: Swarm
  let concrete: [EntityID]
  /// The contexts that the program works on itself.
  let contexts: [ContextID]
  /// The contexts that the program may discard.
  private let discardable: [ContextID]
  private let hasReadOnlyContexts: Bool
  /// The endings of a designed stack, indexed by context. A program works in a context with endings
  /// only in a block that ends with a call of one of them. It saves that context in no other way.
  let endings: [[Stack.Ending]]
  private let hasEndings: Bool
  /// The weights of kinds, indexed by context, then by kind. 0 for kinds that this run does not
  /// use.
  private let weights: [Weights]
  /// The values that parts of the stack use.
  let designValues: DesignValues
  /// The properties without which validation refuses a new object, indexed by entity.
  let mandatory: [[PropertyID]]

  /// The entity of each name, in the order in which the program introduced them.
  package internal(set) var entities: [EntityID] = []
  /// Steps that an earlier step requires next.
  var due: [AddressedStep] = []
  /// The latest delivery of objects whose keys a promise keeps unique.
  var delivery: Delivery?
  /// Steps that wait for a step number.
  private var later: [(number: Int, step: AddressedStep)] = []
  private var stepNumber = 0
  /// The number of the next value that the program writes. Hooks use smaller numbers.
  var nextValue = StepGenerator.firstValue
  static let firstValue = 1001

  package init(model: ObjectModel, stack: Stack, swarm: Swarm) {
    self.model = model
    self.stack = stack
    self.swarm = swarm
    concrete = model.concreteEntities
    contexts = stack.contextIDs.filter { !stack[$0].isHidden }
    // A designed stack declares which contexts programs discard. Contexts with children are never
    // discarded.
    let discardable = contexts.filter {
      stack.children(of: $0).isEmpty && (stack[$0].isDiscardable || !swarm.isDesigned)
    }
    self.discardable = discardable
    hasReadOnlyContexts = stack.contexts.contains(where: \.isReadOnly)
    let endings = stack.contextIDs.map { context in
      swarm.isDesigned ? stack.endings(of: context) : []
    }
    self.endings = endings
    hasEndings = endings.contains { !$0.isEmpty }
    let (kinds, usual) = (Kind.allCases, Kind.weights)
    weights = stack.contextIDs.map { context in
      let isReadOnly = stack.contexts[context.index].isReadOnly
      let stays = !discardable.contains(context)
      let isSavedByDesign = !endings[context.index].isEmpty
      return Weights(count: kinds.count) { number in
        let share = swarm.shares[number]
        if share == 0 { return 0 }
        let kind = kinds[number]
        let writes = kind.stepKind?.isForWriters ?? false
        return kind.discards && stays || isReadOnly && writes
          || isSavedByDesign && kind == .save
          ? 0 : share * usual[number] * kind.suitability(for: context, in: stack)
      }
    }
    designValues = DesignValues(stack)
    mandatory = model.entities.map { entity in
      entity.propertyIDs.filter { !entity.properties[$0.index].isFilledByItself }
    }
  }

  /// The names of the objects. Each consists of the entity's name and a number within the entity.
  package var names: [String] {
    let stems = model.entities.map { $0.name.prefix(1).lowercased() + $0.name.dropFirst() }
    var counts = Array(repeating: 0, count: stems.count)
    return entities.map { entity in
      counts[entity.index] += 1
      return stems[entity.index] + String(counts[entity.index])
    }
  }

  /// Returns the next step of the program.
  package mutating func next(in world: World, _ choices: inout Choices) -> AddressedStep {
    stepNumber += 1
    let step = nextStep(in: world, &choices)
    return world.suspendedQueues.isEmpty ? step : sparingTheProgram(step, in: world, &choices)
  }

  private mutating func nextStep(in world: World, _ choices: inout Choices) -> AddressedStep {
    while !due.isEmpty {
      let step = due.removeFirst()
      if isLeftToPrograms(step) { return step }
    }
    while let index = later.firstIndex(where: { $0.number <= stepNumber }) {
      let step = later.remove(at: index).step
      if isLeftToPrograms(step) { return step }
    }
    return step(for: anyContext(&choices), in: world, depth: 0, &choices)
  }

  /// Returns a Boolean value that indicates whether a due step may stand by itself.
  func isLeftToPrograms(_ step: AddressedStep) -> Bool {
    !isLeftOut(step) && !hasEnding(step.context)
  }

  /// Returns a Boolean value that indicates whether the program must not take the step. The run
  /// excludes its kind, its context is read-only, or the design reserves the save for an entry
  /// point.
  func isLeftOut(_ step: AddressedStep) -> Bool {
    swarm.stepFilter.leavesOut(step)
      || hasReadOnlyContexts
        && step.contains { stack[$0.context].isReadOnly && $0.step.kind.isForWriters }
      || hasEndings
        && step.contains { $0.step == .save && !endings[$0.context.index].isEmpty }
  }

  func anyContext(_ choices: inout Choices) -> ContextID {
    contexts[choices.draw(below: contexts.count, from: .workload)]
  }

  func mayDiscard(_ context: ContextID) -> Bool { discardable.contains(context) }

  /// Schedules `step` within the next few steps.
  mutating func postpone(_ step: AddressedStep, _ choices: inout Choices) {
    later.append((stepNumber + 2 + choices.draw(below: 4, from: .workload), step))
  }

  package mutating func step(
    for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> AddressedStep {
    if depth == 0, hasEnding(context) {
      return unitOfWork(in: context, world, &choices)
    }
    if let kind = pickKind(for: context, &choices),
      let step = make(kind, for: context, in: world, depth: depth, &choices)
    {
      let step = AddressedStep(context, step)
      // A program fragment may contain steps of excluded kinds.
      if !isLeftOut(step) { return step }
    }
    return AddressedStep(context, change(in: context, world, &choices))
  }

  /// Returns a basic change that every program can make, or a harmless step if changes are
  /// excluded.
  private mutating func change(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step {
    if stack.contexts[context.index].isReadOnly { return harmless(in: context) }
    let without = swarm.stepFilter.without
    if !without.contains(.set), let step = set(in: context, world, &choices) { return step }
    if !without.contains(.insert) { return insert(for: context, world, &choices) }
    return harmless(in: context)
  }

  /// Returns a step with little or no effect that the run does not exclude.
  func harmless(in context: ContextID) -> Step {
    let steps: [Step] = [
      .hasChanges, .processPendingChanges, .refreshAllObjects, .save, .sleep(10),
    ]
    return steps.first { !isLeftOut(AddressedStep(context, $0)) } ?? .hasChanges
  }

  /// Draws a kind of step. Returns `nil` if no kind of the run suits the context.
  private func pickKind(for context: ContextID, _ choices: inout Choices) -> Kind? {
    guard weights[context.index].total > 0 else { return nil }
    return Kind.allCases[choices.pick(weights: weights[context.index], from: .workload)]
  }

  /// Makes a step of this kind. Returns `nil` if the context holds no suitable object.
  private mutating func make(
    _ kind: Kind, for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    switch kind {
    case .insert: return insert(for: context, world, &choices)
    case .set: return set(in: context, world, &choices)
    case .setPrimitive: return setPrimitive(in: context, world, &choices)
    case .relate: return relate(in: context, world, &choices)
    case .get: return get(in: context, world, &choices)
    case .delete, .refresh, .release: return change(kind, in: context, world, &choices)
    case .increment: return increment(in: context, world, &choices)
    case .obtainPermanentIDs: return obtainPermanentIDs(in: context, world, &choices)
    case .insertAgain, .assign, .detectConflicts, .validate, .changedValues, .committedValues,
      .changedValuesForCurrentEvent, .hasPersistentChangedValues, .uriRepresentation:
      return ask(kind, in: context, world, &choices)
    case .object, .existingObject, .registeredObject, .objectForURI:
      return lookUp(kind, for: context, world, &choices)

    case .fetch: return .fetch(request(in: context, world, &choices))
    case .count: return .count(request(in: context, world, &choices))
    case .batchUpdate, .batchDelete, .batchInsert:
      return batch(kind, in: context, world, &choices)
    case .performFetch:
      return stack.controllers.firstIndex { $0.context == context }
        .map { .performFetch(ControllerID($0)) }
    case .mergeChanges:
      return mergeSource(for: context, world, &choices).map { .mergeChanges($0) }
    case .mergeRemoteChanges:
      return mergeSource(for: context, world, &choices).map { .mergeRemoteChanges($0) }

    case .executeSaveRequest, .mergeHistory, .hasChanges, .processPendingChanges, .tick, .save,
      .refreshAllObjects, .rollback, .reset, .discard, .undo, .redo, .enableUndoRegistration, .kill:
      return Kind.bareSteps[kind.rawValue]
    case .disableUndoRegistration: return disableUndoRegistration(in: context, &choices)

    case .removeStore, .addStore, .destroyStore, .setMetadata, .metadata, .refuseWrite:
      return storeStep(kind, under: context, &choices)
    case .suspend: return suspend(context, &choices)
    case .when, .forEach, .raise, .enter, .remember:
      return partOfApp(kind, for: context, in: world, depth: depth, &choices)
    case .policy: return policy(of: context, &choices)
    case .sleep: return .sleep(10 * (1 + choices.draw(below: 5, from: .workload)))
    case .call:
      return call(in: context, &choices)
    case .perform, .performAndWait, .performBackgroundTask, .directly, .dispatchAsync,
      .dispatchSync:
      return block(kind, for: context, in: world, depth: depth, &choices)

    case .illegal: return illegal(for: context, world, &choices)
    case .importObjects, .editForm, .showList, .syncDeletions, .countFromTwoPlaces,
      .insertRelated, .cancelHalfway, .rearrangeList, .moveObjects, .pageList:
      return depth == 0 ? workload(kind, for: context, world, &choices) : nil
    case .writeConflict: return depth == 0 ? writeConflict(for: context, world, &choices) : nil
    case .waitForWork: return depth == 0 ? waitForWork(of: context, world, &choices) : nil
    case .query: return query(in: context, world, &choices)
    case .repeatedRead: return depth == 0 ? repeatedRead(in: context, world, &choices) : nil
    }
  }

  private func get(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    // Sometimes an object that has left its context.
    let isGone = choices.chance(1, in: 24, from: .workload)
    let gone = isGone ? world.graph.held(in: context).first { !$0.isRegistered } : nil
    guard let held = gone ?? pick(in: context, world, &choices) else { return nil }
    let properties = model.entities[held.id.entity.index].properties.count
    guard properties > 0 else { return nil }
    return .get(held.name, PropertyID(choices.draw(below: properties, from: .workload)))
  }

  private func change(
    _ kind: Kind, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let held = pick(in: context, world, &choices) else { return nil }
    return switch kind {
    case .delete: .delete(held.name)
    case .release: .release(held.name)
    default: .refresh(held.name, mergeChanges: choices.chance(1, in: 2, from: .workload))
    }
  }

  /// Disables undo registration, and mostly enables it again within the next few steps.
  private mutating func disableUndoRegistration(
    in context: ContextID, _ choices: inout Choices
  ) -> Step {
    if !choices.chance(1, in: 10, from: .workload) {
      postpone(AddressedStep(context, .enableUndoRegistration), &choices)
    }
    return .disableUndoRegistration
  }

  private mutating func storeStep(
    _ kind: Kind, under context: ContextID, _ choices: inout Choices
  ) -> Step? {
    switch kind {
    case .removeStore: return removeStore(under: context, &choices)
    case .addStore: return addStore(under: context, &choices)
    case .destroyStore: return destroyStore(under: context, &choices)
    case .setMetadata:
      let number = choices.draw(below: 10, from: .workload)
      return .setMetadata(store(under: context, &choices), number)
    case .metadata: return .metadata(store(under: context, &choices))
    default: return refuseWrite(under: context, &choices)
    }
  }
}
