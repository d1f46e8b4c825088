import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates workloads about relationships.
extension StepGenerator {
  /// Inserts two related objects and saves them together.
  mutating func insertRelated(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let candidates = concrete.filter { !model.entities[$0.index].relationshipIDs.isEmpty }
    guard !candidates.isEmpty else { return nil }
    let entity = candidates[choices.draw(below: candidates.count, from: .workload)]
    let properties = model[entity].relationshipIDs
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = model[entity][property].relationship,
      let destination = model[relationship.destination].family.first(where: concrete.contains)
    else { return nil }
    let (owner, ownerNeeds) = newObject(of: entity, in: context, world, &choices)
    let (member, memberNeeds) = newObject(of: destination, in: context, world, &choices)
    let reference = HeldInstance(context, member)
    let step: Step =
      relationship.isToMany
      ? .add(owner, property, reference) : .relate(owner, property, reference)
    let ends = [AddressedStep(context, step), AddressedStep(context, .save)]
    return inBackground(ownerNeeds + memberNeeds + ends, on: context, &choices)
  }

  /// Swaps two members of a list, or empties the list, once the members and their owner are saved.
  /// Returns `nil` if the model has no ordered relationship and no to-many relationship without an
  /// inverse.
  mutating func rearrangeList(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    func lists(of entity: EntityID) -> [PropertyID] {
      model.entities[entity.index].relationshipIDs.filter {
        guard let list = model.entities[entity.index].properties[$0.index].relationship else {
          return false
        }
        return list.isOrdered || list.isToMany && list.inverse == nil
      }
    }
    let owners = concrete.filter { !lists(of: $0).isEmpty }
    guard !owners.isEmpty else { return nil }
    let entity = owners[choices.draw(below: owners.count, from: .workload)]
    let properties = lists(of: entity)
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = model[entity][property].relationship,
      let destination = model[relationship.destination].family.first(where: concrete.contains)
    else { return nil }
    let (owner, ownerNeeds) = newObject(of: entity, in: context, world, &choices)
    let (first, firstNeeds) = newObject(of: destination, in: context, world, &choices)
    let (second, secondNeeds) = newObject(of: destination, in: context, world, &choices)
    let (one, other) = (HeldInstance(context, first), HeldInstance(context, second))
    due += ownerNeeds + firstNeeds + secondNeeds
    let isEmptied = relationship.inverse == nil && choices.chance(1, in: 2, from: .workload)
    for members in [[one, other], isEmptied ? [] : [other, one]] {
      due.append(AddressedStep(context, .replace(owner, property, members)))
      due.append(AddressedStep(context, .save))
    }
    return due.removeFirst().step
  }

  /// Moves an object to another owner. In half of the cases, the previous owner is deleted
  /// afterwards, as in an app that empties a folder before it deletes the folder. It is not deleted
  /// if members that it still has could then not be saved.
  ///
  /// Returns `nil` if no context holds an object with a to-one relationship whose inverse is
  /// to-many.
  mutating func moveObject(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard
      let (place, member) = known(
        to: context, world, where: { !owners(of: $0).isEmpty }, &choices)
    else { return nil }
    let properties = owners(of: member.id.entity)
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = model[member.id.entity][property].relationship else { return nil }
    let isInChain = stack.chain(from: context).contains(place)
    func isOwner(_ held: ObjectGraph.Held) -> Bool {
      !held.isPendingDeletion && held.isRegistered && held.id != member.id
        && model.entity(held.id.entity, inherits: relationship.destination)
        && (!swarm.isDesigned || !held.id.isTemporaryID || isInChain)
    }
    let previous = owner(of: member, property, in: place, world).flatMap {
      isOwner($0) ? $0 : nil
    }
    let found = pick(
      in: place, world, where: { isOwner($0) && $0.id != previous?.id }, &choices)
    func lookUp(_ held: ObjectGraph.Held) -> AddressedStep {
      AddressedStep(context, .object(with: HeldInstance(place, held.name), as: held.name))
    }
    var steps = [lookUp(member)]
    let owner: ObjectName
    if let found {
      owner = found.name
      steps.append(lookUp(found))
    } else {
      let family = model[relationship.destination].family
      guard let entity = family.first(where: concrete.contains) else { return nil }
      let (name, needs) = newObject(of: entity, in: context, world, &choices)
      owner = name
      steps += needs
    }
    steps.append(
      AddressedStep(context, .relate(member.name, property, HeldInstance(context, owner))))
    if let previous, mayLose(owner: relationship), choices.chance(1, in: 2, from: .workload) {
      steps += [lookUp(previous), AddressedStep(context, .delete(previous.name))]
    }
    steps.append(AddressedStep(context, .save))
    return inBackground(steps, on: context, &choices)
  }

  /// Returns the to-one relationships of an entity that lead to an object with several members.
  private func owners(of entity: EntityID) -> [PropertyID] {
    model.entities[entity.index].relationshipIDs.filter {
      guard let toOne = model.entities[entity.index].properties[$0.index].relationship,
        !toOne.isToMany, let inverse = toOne.inverse
      else { return false }
      return model[toOne.destination][inverse].isToMany
    }
  }

  /// Returns a Boolean value that indicates whether members can be saved after their owner is
  /// deleted. They need none, or are deleted with it.
  private func mayLose(owner relationship: Relationship) -> Bool {
    guard let inverse = relationship.inverse,
      let rule = model[relationship.destination][inverse].relationship?.deleteRule
    else { return true }
    return rule == .cascade || rule != .deny && relationship.isOptional
  }

  /// Returns the owner of an object, if the context has loaded the object and holds the owner.
  private func owner(
    of member: ObjectGraph.Held, _ property: PropertyID, in context: ContextID, _ world: World
  ) -> ObjectGraph.Held? {
    guard let view = world.graph.heldInstance(context, member.name), !view.isFault,
      case .object(let id) = view.values[world.graph.slot(of: property, in: member.id.entity)]
    else { return nil }
    return world.graph.held(in: context) { $0.id == id }.first
  }
}
