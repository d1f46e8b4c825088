import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates insertions with the steps that new objects need, and questions to existing objects.
extension StepGenerator {
  mutating func insert(
    for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step {
    let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
    let name = newName(for: entity)
    if !choices.chance(1, in: 8, from: .workload) {
      fill(name, in: context, world, depth: 0, &choices)
    }
    return .insert(entity, as: name)
  }

  mutating func newName(for entity: EntityID) -> ObjectName {
    entities.append(entity)
    return ObjectName(entities.count - 1)
  }

  /// Adds the steps that a new object needs to pass validation. A mandatory relationship may lead
  /// to an object that the context already holds, if several objects may share it. Otherwise new
  /// objects are inserted, in at most three levels and up to `mostDue` steps.
  ///
  /// - Parameter inverse: The relationship that the other end is about to set.
  mutating func fill(
    _ name: ObjectName, besides inverse: PropertyID? = nil, in context: ContextID, _ world: World,
    depth: Int, _ choices: inout Choices
  ) {
    let entity = entities[name.index]
    for id in mandatory[entity.index] where id != inverse {
      switch model.entities[entity.index].properties[id.index].kind {
      case .attribute(let attribute):
        let value = newValue(for: attribute, id, of: entity, &choices)
        due.append(AddressedStep(context, .set(name, id, value)))
      case .relationship(let relationship):
        // A mandatory to-many relationship without a minimum count may be empty (SV-A12).
        for _ in 0..<(relationship.isToMany ? relationship.minimumCount : 1)
        where due.count < StepGenerator.mostDue {
          let other =
            shared(by: relationship, in: context, world, &choices)
            ?? (depth < 3 ? related(by: relationship, in: context, world, depth, &choices) : nil)
          guard let other else { break }
          let reference = HeldInstance(context, other)
          due.append(
            AddressedStep(
              context,
              relationship.isToMany ? .add(name, id, reference) : .relate(name, id, reference)))
        }
      }
    }
  }

  /// The number of due steps from which on no further objects are inserted.
  private static var mostDue: Int { 60 }

  /// Returns a held object that the relationship may refer to, in two of three cases. A to-one
  /// relationship must not take it away from another object.
  private func shared(
    by relationship: Relationship, in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> ObjectName? {
    if relationship.isToMany { return nil }
    if let inverse = relationship.inverse,
      model[relationship.destination][inverse].relationship?.isToMany != true
    {
      return nil
    }
    let family = model[relationship.destination].family
    let held = pick(
      in: context, world, where: { family.contains($0.id.entity) && !$0.isPendingDeletion },
      &choices)
    return choices.chance(1, in: 3, from: .workload) ? nil : held?.name
  }

  /// Inserts a new object for a relationship, with the steps that it needs to pass validation.
  private mutating func related(
    by relationship: Relationship, in context: ContextID, _ world: World, _ depth: Int,
    _ choices: inout Choices
  ) -> ObjectName? {
    guard let destination = model[relationship.destination].family.first(where: concrete.contains)
    else { return nil }
    let other = newName(for: destination)
    due.append(AddressedStep(context, .insert(destination, as: other)))
    fill(
      other, besides: relationship.inverse, in: context, world, depth: depth + 1, &choices)
    return other
  }

  /// Draws one of the registered objects that a context holds under a name.
  func pick(
    in context: ContextID, _ world: World, where fits: (ObjectGraph.Held) -> Bool = { _ in true },
    _ choices: inout Choices
  ) -> ObjectGraph.Held? {
    let count = world.graph.heldCount(in: context) { $0.isRegistered && fits($0) }
    if count == 0 { return nil }
    let number = choices.draw(below: count, from: .workload)
    return world.graph.held(number: number, in: context) { $0.isRegistered && fits($0) }
  }

  func lookUp(
    _ kind: Kind, for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let isForAll: Bool
    switch kind {
    // The URI of a temporary ID leads nowhere (ID-30).
    case .objectForURI: isForAll = choices.chance(1, in: 12, from: .workload)
    // Neither does a temporary ID outside the descendants of the context that inserted the object.
    default: isForAll = !swarm.isDesigned
    }
    let source = anyContext(&choices)
    let takesAll =
      isForAll || kind != .objectForURI && stack.chain(from: context).contains(source)
    let held = world.graph.held(in: source, where: { takesAll || !$0.id.isTemporaryID })
    if held.isEmpty { return nil }
    let reference = HeldInstance(
      source, held[choices.draw(below: held.count, from: .workload)].name)
    switch kind {
    case .object: return .object(with: reference, as: reference.name)
    case .existingObject: return .existingObject(with: reference, as: reference.name)
    case .registeredObject: return .registeredObject(for: reference, as: reference.name)
    case .objectForURI: return .objectForURI(of: reference, as: reference.name)
    default: preconditionFailure("\(kind) looks nothing up")
    }
  }

  func obtainPermanentIDs(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let first = pick(in: context, world, &choices) else { return nil }
    guard choices.chance(1, in: 4, from: .workload),
      let second = pick(in: context, world, where: { $0.name != first.name }, &choices)
    else { return .obtainPermanentIDs([first.name]) }
    return .obtainPermanentIDs([first.name, second.name])
  }

  /// Generates a question to one object, or a statement about it.
  func ask(
    _ kind: Kind, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    // Sometimes the object is unsuitable.
    let isForAll = choices.chance(1, in: 12, from: .workload)
    let held = pick(
      in: context, world,
      where: { held in
        if isForAll { return true }
        switch kind {
        case .insertAgain, .assign: return held.id.isTemporaryID && !held.isPendingDeletion
        case .detectConflicts: return !held.id.isTemporaryID && !held.isPendingDeletion
        default: return true
        }
      }, &choices)
    guard let name = held?.name else { return nil }
    switch kind {
    case .insertAgain: return .insertAgain(name)
    case .assign: return .assign(name, store(under: context, &choices))
    case .detectConflicts: return .detectConflicts(name)
    case .validate:
      let all = Validation.allCases
      return .validate(name, all[choices.draw(below: all.count, from: .workload)])
    case .changedValues: return .changedValues(name)
    case .committedValues: return .committedValues(name)
    case .changedValuesForCurrentEvent: return .changedValuesForCurrentEvent(name)
    case .hasPersistentChangedValues: return .hasPersistentChangedValues(name)
    case .uriRepresentation: return .uriRepresentation(name)
    default: preconditionFailure("\(kind) is not about one object")
    }
  }
}
