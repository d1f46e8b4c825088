import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates illegal steps. Each must fail as the rules say or have no effect, and change nothing.
extension StepGenerator {
  /// The mistakes that a program can make.
  private enum Mistake: CaseIterable {
    case otherContextsObject, missingValue, beyondLimits, deniedDeletion, wrongQueue
    case savedObjectAssigned
    case foreignStore, permanentIDAgain, nothingToUndo, nothingToMerge, deletedObject
    case goneObject, unknownName, unsavedElsewhere, batchInMemory, saveRequest
    case storeTwice, unbalanced, pointlessMark
  }

  mutating func illegal(
    for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let mistakes = Mistake.allCases
    let mistake = mistakes[choices.draw(below: mistakes.count, from: .workload)]
    switch mistake {
    case .otherContextsObject: return relateAcross(context, world, &choices)
    case .missingValue: return takeAwayValue(in: context, world, &choices)
    case .beyondLimits: return exceed(in: context, world, &choices)
    case .deniedDeletion: return deleteDenied(in: context, world, &choices)
    case .wrongQueue:
      return set(in: context, world, &choices).map { .directly([AddressedStep(context, $0)]) }
    case .savedObjectAssigned:
      return pick(in: context, world, where: { !$0.id.isTemporaryID }, &choices)
        .map { .assign($0.name, store(under: context, &choices)) }
    case .foreignStore:
      return foreignStore(for: context, &choices).flatMap { store in
        pick(in: context, world, where: { $0.id.isTemporaryID }, &choices)
          .map { .assign($0.name, store) }
      }
    case .permanentIDAgain:
      return pick(
        in: context, world, where: { !$0.id.isTemporaryID || $0.isPendingDeletion }, &choices
      )
      .map { .obtainPermanentIDs([$0.name]) }
    case .nothingToUndo: return choices.chance(1, in: 2, from: .workload) ? .undo : .redo
    case .nothingToMerge: return mergeNothing(world, &choices)
    case .deletedObject:
      return pick(in: context, world, where: \.isPendingDeletion, &choices)
        .flatMap { touch($0.name, $0.id.entity, in: context, &choices) }
    case .goneObject:
      let gone = world.graph.held(in: context) { !$0.isRegistered }
      guard !gone.isEmpty else { return nil }
      let object = gone[choices.draw(below: gone.count, from: .workload)]
      return touch(object.name, object.id.entity, in: context, &choices)
    case .unknownName:
      let known = world.graph.held(in: context).map(\.name)
      return entities.indices.map { ObjectName($0) }.first { !known.contains($0) }
        .flatMap { touch($0, entities[$0.index], in: context, &choices) }
    case .unsavedElsewhere:
      let other = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
      return pick(in: other, world, where: { $0.id.isTemporaryID }, &choices)
        .map { .existingObject(with: HeldInstance(other, $0.name), as: $0.name) }
    case .batchInMemory:
      let stores = stack.coordinators[stack.coordinator(of: context).index].stores
      guard stores.contains(where: { stack.stores[$0.index].isInMemory }) else { return nil }
      let entity = EntityID(choices.draw(below: model.entities.count, from: .workload))
      return .batch(BatchRequest(entity: entity, kind: .delete))
    case .saveRequest: return .executeSaveRequest
    case .storeTwice: return .addStore(store(under: context, &choices))
    case .unbalanced:
      if stack[context].hasUndoManager { return .enableUndoRegistration }
      return stack[context].isOnMainQueue ? nil : .resume(nil)
    case .pointlessMark:
      return pick(
        in: context, world, where: { $0.id.isTemporaryID || $0.isPendingDeletion }, &choices
      )
      .map { .detectConflicts($0.name) }
    }
  }

  /// Relates an object to an object of another context (RL-02).
  private func relateAcross(
    _ context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let other = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    guard other != context,
      let owner = pick(
        in: context, world,
        where: { !model.entities[$0.id.entity.index].relationshipIDs.isEmpty }, &choices)
    else { return nil }
    let properties = model[owner.id.entity].relationshipIDs
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = model[owner.id.entity][property].relationship,
      let stranger = pick(
        in: other, world,
        where: { model.entity($0.id.entity, inherits: relationship.destination) }, &choices)
    else { return nil }
    let reference = HeldInstance(other, stranger.name)
    if !relationship.isToMany { return .relate(owner.name, property, reference) }
    switch choices.draw(below: 3, from: .workload) {
    case 0: return .add(owner.name, property, reference)
    case 1: return .remove(owner.name, property, reference)
    default: return .replace(owner.name, property, [reference])
    }
  }

  /// Clears a mandatory value, then saves, which fails validation (SV-17).
  private mutating func takeAwayValue(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    func isMandatory(_ property: Property) -> Bool {
      property.attribute.map { !$0.isOptional && !$0.isTransient } ?? false
    }
    guard
      let held = pick(
        in: context, world,
        where: { held in
          !held.isPendingDeletion && model[held.id.entity].properties.contains(where: isMandatory)
        }, &choices)
    else { return nil }
    let properties = model[held.id.entity].propertyIDs.filter {
      isMandatory(model[held.id.entity][$0])
    }
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    due.append(AddressedStep(context, .save))
    return .set(held.name, property, .null)
  }

  /// Sets a value beyond its limits, then saves, which fails validation.
  private mutating func exceed(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    func limited(_ entity: EntityID) -> [PropertyID] {
      storedAttributes(of: entity).filter { model[entity][$0].attribute?.hasLimits ?? false }
    }
    guard
      let held = pick(
        in: context, world, where: { !$0.isPendingDeletion && !limited($0.id.entity).isEmpty },
        &choices)
    else { return nil }
    let entity = held.id.entity
    let properties = limited(entity)
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let attribute = model[entity][property].attribute else { return nil }
    let domain = ValueDomain(attribute, property, of: model[entity], isShared: false)
    let isAbove = choices.chance(1, in: 2, from: .workload)
    due.append(AddressedStep(context, .save))
    return .set(held.name, property, domain.valueBeyondLimits(isAbove: isAbove))
  }

  /// Deletes an object with a `deny` rule, then saves, which is denied while the object has related
  /// objects (RL-08).
  private mutating func deleteDenied(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard
      let held = pick(
        in: context, world,
        where: { held in
          !held.isPendingDeletion
            && model[held.id.entity].properties.contains { $0.relationship?.deleteRule == .deny }
        }, &choices)
    else { return nil }
    due.append(AddressedStep(context, .save))
    return .delete(held.name)
  }

  /// Draws a store that the context's coordinator does not have from the beginning.
  private func foreignStore(for context: ContextID, _ choices: inout Choices) -> StoreID? {
    let own = stack.coordinators[stack.coordinator(of: context).index].stores
    let others = stack.stores.indices.map { StoreID($0) }.filter { !own.contains($0) }
    return others.isEmpty ? nil : others[choices.draw(below: others.count, from: .workload)]
  }

  /// Merges a notification or a batch result that does not exist.
  private func mergeNothing(_ world: World, _ choices: inout Choices) -> Step {
    let source = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    switch choices.draw(below: 4, from: .workload) {
    case 0: return .mergeChanges(.delivered)
    case 1:
      return .mergeChanges(.didSave(source, ordinal: world.graph.didSaveCount(of: source) + 20))
    case 2:
      return .mergeRemoteChanges(
        .didSave(source, ordinal: world.graph.didSaveCount(of: source) + 20))
    default:
      return .mergeRemoteChanges(.batch(source, ordinal: world.graph.batchCount(of: source) + 20))
    }
  }

  /// Uses an object, which is deleted or gone.
  private mutating func touch(
    _ name: ObjectName, _ entity: EntityID, in context: ContextID, _ choices: inout Choices
  ) -> Step? {
    let properties = model[entity].propertyIDs
    guard !properties.isEmpty else { return .delete(name) }
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    switch choices.draw(below: 6, from: .workload) {
    case 0: return .get(name, property)
    case 1: return .refresh(name, mergeChanges: true)
    case 2: return .delete(name)
    case 3: return .changedValues(name)
    default:
      guard let attribute = model[entity][property].attribute else {
        let isToMany = model[entity][property].isToMany
        return isToMany ? .replace(name, property, []) : .relate(name, property, nil)
      }
      return .set(name, property, newValue(for: attribute, property, of: entity, &choices))
    }
  }
}
