import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates workloads, which are coherent program fragments that resemble an app's code.
extension StepGenerator {
  mutating func workload(
    _ kind: Kind, for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    switch kind {
    case .importObjects: return importObjects(into: context, world, &choices)
    case .editForm: return editForm(in: context, world, &choices)
    case .showList: return showList(in: context, &choices)
    case .syncDeletions: return syncDeletion(in: context, world, &choices)
    case .countFromTwoPlaces: return countFromTwoPlaces(in: context, world, &choices)
    case .insertRelated: return insertRelated(in: context, world, &choices)
    case .cancelHalfway: return cancelHalfway(in: context, world, &choices)
    case .rearrangeList: return rearrangeList(in: context, world, &choices)
    case .moveObjects: return moveObject(in: context, world, &choices)
    case .pageList: return pageList(in: context, &choices)
    default: preconditionFailure("\(kind) is no workload")
    }
  }

  /// Looks up each object of a delivery, inserts the missing objects, and saves them all. If a
  /// promise keeps their keys unique, a quarter of the deliveries are shown and not saved yet.
  private mutating func importObjects(
    into context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    if let steps = findOrCreate(in: context, world, &choices) {
      if choices.chance(1, in: 4, from: .workload) { return .perform(steps) }
      return inBackground(steps + [AddressedStep(context, .save)], on: context, &choices)
    }
    let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
    guard let key = storedAttributes(of: entity).first, let attribute = model[entity][key].attribute
    else { return nil }
    var steps: [AddressedStep] = []
    for _ in 0...choices.draw(below: 3, from: .workload) {
      let value = newValue(for: attribute, key, of: entity, &choices)
      var lookUp = FetchRequest(entity: entity)
      lookUp.predicate = [Comparison(property: key, relation: .equal, operand: .value(value))]
      lookUp.fetchLimit = 1
      steps.append(AddressedStep(context, .fetch(lookUp)))
      let (name, needs) = newObject(of: entity, in: context, world, &choices)
      steps += needs
      steps.append(AddressedStep(context, .set(name, key, value)))
    }
    steps.append(AddressedStep(context, .save))
    return inBackground(steps, on: context, &choices)
  }

  /// A user reads an object and changes it. The change comes at once, or after a second look some
  /// steps later. The form ends with Save or Cancel.
  private mutating func editForm(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let (reference, property, attribute) = subject(for: context, world, &choices) else {
      return nil
    }
    let value = newValue(for: attribute, property, of: entities[reference.name.index], &choices)
    let look = AddressedStep(context, .get(reference.name, property))
    let change = AddressedStep(context, .set(reference.name, property, value))
    let ends: [Step] = [.save, .rollback, .discard]
    let weights = [6, 1, mayDiscard(context) ? 1 : 0]
    let end = AddressedStep(context, ends[choices.pick(weights: weights, from: .workload)])
    let looksAgain = choices.chance(1, in: 2, from: .workload)
    due += looksAgain ? [look] : [look, change]
    let rest = looksAgain ? [look, change, end] : [end]
    postpone(AddressedStep(context, .performAndWait(rest)), &choices)
    return .object(with: reference, as: reference.name)
  }

  /// Fetches a list. Without a fetched results controller, the list is fetched again some steps
  /// later.
  private mutating func showList(in context: ContextID, _ choices: inout Choices) -> Step? {
    let lists = stack.controllers.indices.filter { stack.controllers[$0].context == context }
    if let list = lists.first { return .performFetch(ControllerID(list)) }
    var request = FetchRequest(
      entity: concrete[choices.draw(below: concrete.count, from: .workload)])
    if let first = storedAttributes(of: request.entity).first {
      request.sortDescriptors = [.init(property: first, ascending: true)]
    }
    postpone(AddressedStep(context, .fetch(request)), &choices)
    return .fetch(request)
  }

  /// Fetches the first page of a sorted list, and the second page some steps later. Insertions and
  /// deletions between the fetches shift the second page. Returns `nil` if no entity has an
  /// attribute to sort by.
  private mutating func pageList(in context: ContextID, _ choices: inout Choices) -> Step? {
    let sortable = concrete.filter { !storedAttributes(of: $0).isEmpty }
    guard !sortable.isEmpty else { return nil }
    var page = FetchRequest(entity: sortable[choices.draw(below: sortable.count, from: .workload)])
    page.sortDescriptors = [
      .init(property: storedAttributes(of: page.entity)[0], ascending: true)
    ]
    let length = 1 + choices.draw(below: 3, from: .workload)
    page.fetchLimit = length
    var next = page
    next.fetchOffset = length
    postpone(AddressedStep(context, .fetch(next)), &choices)
    return .fetch(page)
  }

  /// Deletes an object that a server reports as deleted.
  private mutating func syncDeletion(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let (reference, _, _) = subject(for: context, world, &choices) else { return nil }
    return inBackground(
      [
        AddressedStep(context, .existingObject(with: reference, as: reference.name)),
        AddressedStep(context, .delete(reference.name)),
        AddressedStep(context, .save),
      ], on: context, &choices)
  }

  /// Increments a number in two contexts that do not know of each other.
  private mutating func countFromTwoPlaces(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let other = anyContext(&choices)
    guard !hasEnding(other),
      let (reference, property, _) = subject(
        for: other, world, where: { $0.type.greatestInteger != nil }, &choices)
    else { return nil }
    func steps(in place: ContextID) -> [AddressedStep] {
      [
        AddressedStep(place, .object(with: reference, as: reference.name)),
        AddressedStep(place, .increment(reference.name, property)),
        AddressedStep(place, .save),
      ]
    }
    if other != context { due.append(AddressedStep(other, .perform(steps(in: other)))) }
    return .perform(steps(in: context))
  }

  /// Changes objects and discards the changes before a save.
  private mutating func cancelHalfway(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    var steps: [AddressedStep] = []
    for _ in 0...choices.draw(below: 2, from: .workload) {
      if let change = set(in: context, world, &choices), choices.chance(1, in: 2, from: .workload) {
        steps.append(AddressedStep(context, change))
      } else {
        let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
        steps += newObject(of: entity, in: context, world, &choices).needs
      }
    }
    let ends: [Step] = mayDiscard(context) ? [.rollback, .reset, .discard] : [.rollback, .reset]
    steps.append(AddressedStep(context, ends[choices.draw(below: ends.count, from: .workload)]))
    return .perform(steps)
  }

  // MARK: What they have in common

  /// Returns an insertion with the steps that the object needs to pass validation.
  mutating func newObject(
    of entity: EntityID, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> (name: ObjectName, needs: [AddressedStep]) {
    let waiting = due
    due = []
    let name = newName(for: entity)
    fill(name, in: context, world, depth: 0, &choices)
    defer { due = waiting }
    return (name, [AddressedStep(context, .insert(entity, as: name))] + due)
  }

  /// Draws an object with an attribute that another context holds, or else that this context holds.
  mutating func subject(
    for context: ContextID, _ world: World, where fits: ((Attribute) -> Bool)? = nil,
    _ choices: inout Choices
  ) -> (HeldInstance, PropertyID, Attribute)? {
    func attributes(of entity: EntityID) -> [PropertyID] {
      guard let fits else { return storedAttributes(of: entity) }
      return storedAttributes(of: entity).filter {
        model.entities[entity.index].properties[$0.index].attribute.map(fits) ?? false
      }
    }
    guard
      let (place, held) = known(
        to: context, world, where: { !attributes(of: $0).isEmpty }, &choices)
    else { return nil }
    let properties = attributes(of: held.id.entity)
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let attribute = model[held.id.entity][property].attribute else { return nil }
    return (HeldInstance(place, held.name), property, attribute)
  }

  /// Draws an object of a suitable entity that another context holds, or else that this context
  /// holds. On a designed stack, this context can look up the ID of the object.
  func known(
    to context: ContextID, _ world: World, where fits: (EntityID) -> Bool,
    _ choices: inout Choices
  ) -> (place: ContextID, held: ObjectGraph.Held)? {
    let start = choices.draw(below: contexts.count, from: .workload)
    let order = contexts.indices.map { contexts[(start + $0) % contexts.count] }
    let chain = stack.chain(from: context)
    for place in order.filter({ $0 != context }) + [context] {
      let isInChain = chain.contains(place)
      let held = pick(
        in: place, world,
        where: {
          !$0.isPendingDeletion && fits($0.id.entity)
            && (!swarm.isDesigned || !$0.id.isTemporaryID || isInChain)
        }, &choices)
      if let held { return (place, held) }
    }
    return nil
  }

  /// Wraps the steps in a background task where Core Data could make one, or in a block.
  func inBackground(
    _ steps: [AddressedStep], on context: ContextID, _ choices: inout Choices
  ) -> Step {
    let isTask =
      stack.parent(of: context) == nil && stack[context].concurrencyType == .privateQueue
      && mayDiscard(context) && choices.chance(1, in: 4, from: .workload)
    return isTask ? .performBackgroundTask(steps) : .perform(steps)
  }
}
