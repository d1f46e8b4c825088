package import Determinism
package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// Makes up the steps of a program, one at a time, from what the program holds at that moment.
///
/// Preconditions are looked up and not hoped for: a name is picked among those that the context
/// holds, a destination among those that fit. What a step needs besides, such as a value for each
/// mandatory attribute of a new object, follows it in most cases, so that most saves go through.
package struct StepGenerator {
  /// A kind of step, or of program fragment, that a run can use more or less of.
  package enum Kind: Int, CaseIterable, Sendable {
    case insert, set, save, get, fetch, relate, delete, object, refresh, mergeChanges
    case processPendingChanges, tick, count, existingObject, registeredObject, obtainPermanentIDs
    case refreshAllObjects, rollback, reset, release, perform, performAndWait

    var weight: Int {
      switch self {
      case .insert: 14
      case .set: 20
      case .save: 14
      case .get: 8
      case .fetch: 6
      case .relate: 10
      case .delete: 4
      case .object: 8
      case .refresh: 4
      case .mergeChanges: 3
      case .processPendingChanges, .tick: 3
      case .count, .existingObject, .registeredObject, .obtainPermanentIDs: 2
      case .refreshAllObjects, .rollback, .reset, .release: 1
      case .perform: 4
      case .performAndWait: 2
      }
    }
  }

  private let model: ObjectModel
  private let stack: Stack
  /// By kind; 0 for kinds that this run does without.
  private let weights: [Int]
  private let concrete: [EntityID]

  /// The entity of each name, in the order in which the program introduced them.
  package private(set) var entities: [EntityID] = []
  /// Steps that an earlier one has called for.
  private var due: [AddressedStep] = []
  /// Numbers the values that the program writes; hooks use small numbers.
  private var nextValue = 1001

  package init(model: ObjectModel, stack: Stack, _ choices: inout Choices) {
    self.model = model
    self.stack = stack
    concrete = model.concreteEntities
    // Swarm testing: a run without rollbacks, or with many, finds what the average run does not.
    weights = Kind.allCases.map { kind in
      switch kind {
      case .insert, .set, .save: kind.weight
      default: kind.weight * [1, 0, 3][choices.pick(weights: [4, 1, 1], from: .shape)]
      }
    }
  }

  package func name(_ name: ObjectName) -> String {
    let entity = entities[name.index]
    let before = entities[..<name.index].count { $0 == entity }
    let text = model[entity].name
    return text.prefix(1).lowercased() + text.dropFirst() + "\(before + 1)"
  }

  package var names: [String] { entities.indices.map { name(ObjectName($0)) } }

  /// The next step of the program.
  package mutating func next(in world: World, _ choices: inout Choices) -> AddressedStep {
    if !due.isEmpty { return due.removeFirst() }
    let context = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    return step(for: context, in: world, depth: 0, &choices)
  }

  private mutating func step(
    for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> AddressedStep {
    let kind = Kind.allCases[choices.pick(weights: weights, from: .workload)]
    if let step = make(kind, for: context, in: world, depth: depth, &choices) {
      return AddressedStep(context, step)
    }
    return AddressedStep(context, insert(for: context, &choices))
  }

  /// A step of this kind, or nil if the context holds nothing that it could be about.
  private mutating func make(
    _ kind: Kind, for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    switch kind {
    case .insert: return insert(for: context, &choices)
    case .set: return set(in: context, world, &choices)
    case .relate: return relate(in: context, world, &choices)
    case .save: return .save
    case .get:
      guard let held = pick(in: context, world, &choices) else { return nil }
      let properties = model[held.id.entity].properties.count
      guard properties > 0 else { return nil }
      return .get(held.name, PropertyID(choices.draw(below: properties, from: .workload)))
    case .delete: return pick(in: context, world, &choices).map { .delete($0.name) }
    case .fetch: return .fetch(request(in: context, world, &choices))
    case .count: return .count(request(in: context, world, &choices))
    case .object:
      return pickAnywhere(world, &choices).map { .object(with: $0, as: $0.name) }
    case .existingObject:
      return pickAnywhere(world, &choices).map { .existingObject(with: $0, as: $0.name) }
    case .registeredObject:
      return pickAnywhere(world, &choices).map { .registeredObject(for: $0, as: $0.name) }
    case .refresh:
      return pick(in: context, world, &choices).map {
        .refresh($0.name, mergeChanges: choices.chance(1, in: 2, from: .workload))
      }
    case .mergeChanges:
      guard world.didSaveTotal > 0 else { return nil }
      let source = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
      let count = world.didSaveCount(of: source)
      guard source != context, count > 0 else { return nil }
      // The latest, mostly; a late merge of an older one now and then (NT-33).
      let age = choices.pick(weights: [6, 1, 1], from: .workload)
      return .mergeChanges(.didSave(source, ordinal: max(1, count - age)))
    case .processPendingChanges: return .processPendingChanges
    case .tick: return stack[context].concurrencyType == .mainQueue ? .tick : nil
    case .obtainPermanentIDs:
      return pick(in: context, world, &choices).map { .obtainPermanentIDs([$0.name]) }
    case .refreshAllObjects: return .refreshAllObjects
    case .rollback: return .rollback
    case .reset: return .reset
    case .release: return pick(in: context, world, &choices).map { .release($0.name) }
    case .perform:
      guard depth < 2 else { return nil }
      return .perform(block(for: context, in: world, depth: depth, &choices))
    case .performAndWait:
      guard depth < 2 else { return nil }
      return .performAndWait(block(for: context, in: world, depth: depth, &choices))
    }
  }

  private mutating func block(
    for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> [AddressedStep] {
    let count = 1 + choices.draw(below: 4, from: .workload)
    var steps: [AddressedStep] = []
    for _ in 0..<count {
      steps.append(step(for: context, in: world, depth: depth + 2, &choices))
      // What a new object needs belongs into the same block.
      steps += due
      due.removeAll()
    }
    return steps
  }

  // MARK: Objects

  private mutating func insert(for context: ContextID, _ choices: inout Choices) -> Step {
    let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
    let name = newName(for: entity)
    if !choices.chance(1, in: 8, from: .workload) { fill(name, in: context, depth: 0) }
    return .insert(entity, as: name)
  }

  private mutating func newName(for entity: EntityID) -> ObjectName {
    entities.append(entity)
    return ObjectName(entities.count - 1)
  }

  /// Calls for what validation will ask of a new object.
  private mutating func fill(_ name: ObjectName, in context: ContextID, depth: Int) {
    let entity = entities[name.index]
    for (number, property) in model[entity].properties.enumerated() {
      let id = PropertyID(number)
      switch property.kind {
      case .attribute(let attribute):
        if !attribute.isOptional, !attribute.isTransient, attribute.defaultValue.isNull {
          due.append(AddressedStep(context, .set(name, id, newValue(for: attribute))))
        }
      case .relationship(let relationship):
        guard !relationship.isOptional, depth < 3,
          let destination = model[relationship.destination].family.first(where: concrete.contains)
        else { continue }
        let other = newName(for: destination)
        due.append(AddressedStep(context, .insert(destination, as: other)))
        fill(other, in: context, depth: depth + 1)
        let reference = Reference(context, other)
        due.append(
          AddressedStep(
            context,
            relationship.isToMany ? .add(name, id, reference) : .relate(name, id, reference)))
      }
    }
  }

  /// One of the names that a context holds, if any is of use.
  private func pick(
    in context: ContextID, _ world: World, where fits: (World.Held) -> Bool = { _ in true },
    _ choices: inout Choices
  ) -> World.Held? {
    let held = world.held(in: context).filter { $0.isRegistered && fits($0) }
    return held.isEmpty ? nil : held[choices.draw(below: held.count, from: .workload)]
  }

  private func pickAnywhere(_ world: World, _ choices: inout Choices) -> Reference? {
    let context = ContextID(choices.draw(below: stack.contexts.count, from: .workload))
    let held = world.held(in: context)
    return held.isEmpty
      ? nil
      : Reference(context, held[choices.draw(below: held.count, from: .workload)].name)
  }

  // MARK: Properties

  private mutating func set(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let held = pick(in: context, world, where: { !$0.isDoomed }, &choices) else {
      return nil
    }
    let properties = model[held.id.entity].propertyIDs.filter {
      model[held.id.entity][$0].attribute != nil
    }
    guard !properties.isEmpty else { return nil }
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let attribute = model[held.id.entity][property].attribute else { return nil }
    switch choices.pick(weights: [8, 1, 1], from: .workload) {
    case 1:
      return .set(held.name, property, .null)
    case 2:
      // What is there already: a change that changes nothing (CT-01, SV-08).
      guard let view = world.heldInstance(context, held.name), !view.isFault else { fallthrough }
      return .set(held.name, property, view.values[world.slot(of: property, in: held.id.entity)])
    default:
      return .set(held.name, property, newValue(for: attribute))
    }
  }

  private mutating func newValue(for attribute: Attribute) -> Value {
    defer { nextValue += 1 }
    return attribute.value(numbered: nextValue)
  }

  private mutating func relate(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard
      let held = pick(
        in: context, world,
        where: { held in
          !held.isDoomed
            && model[held.id.entity].properties.contains { $0.relationship != nil }
        }, &choices)
    else { return nil }
    let entity = model[held.id.entity]
    let properties = entity.propertyIDs.filter { entity[$0].relationship != nil }
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = entity[property].relationship else { return nil }
    // Now and then an object of another context, which Core Data refuses (RL-02).
    let source =
      stack.contexts.count > 1 && choices.chance(1, in: 24, from: .workload)
      ? ContextID(choices.draw(below: stack.contexts.count, from: .workload)) : context
    let destination = pick(
      in: source, world,
      where: {
        !$0.isDoomed && model.entity($0.id.entity, inherits: relationship.destination)
      }, &choices
    ).map { Reference(source, $0.name) }
    if !relationship.isToMany {
      let isCleared = choices.chance(1, in: 6, from: .workload)
      return .relate(held.name, property, isCleared ? nil : destination)
    }
    guard let destination else { return nil }
    switch choices.pick(weights: [4, 2, 1], from: .workload) {
    case 1: return .remove(held.name, property, destination)
    case 2: return .replace(held.name, property, [destination])
    default: return .add(held.name, property, destination)
    }
  }

  // MARK: Fetches

  private func request(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> FetchRequest {
    // Abstract entities have results, too: their subentities' objects.
    let entity = EntityID(choices.draw(below: model.entities.count, from: .workload))
    var request = FetchRequest(entity: entity)
    let attributes = model[entity].propertyIDs.filter {
      model[entity][$0].attribute?.isTransient == false
    }
    if !attributes.isEmpty {
      if choices.chance(1, in: 3, from: .workload) {
        let property = attributes[choices.draw(below: attributes.count, from: .workload)]
        request.predicate = [comparison(with: property, of: entity, &choices)]
      }
      if choices.chance(1, in: 3, from: .workload) {
        request.sortDescriptors = [
          .init(
            property: attributes[choices.draw(below: attributes.count, from: .workload)],
            ascending: !choices.chance(1, in: 2, from: .workload))
        ]
      }
    }
    if request.predicate.isEmpty { addDestination(to: &request, in: context, world, &choices) }
    if choices.chance(1, in: 5, from: .workload) {
      request.fetchLimit = 1 + choices.draw(below: 3, from: .workload)
      request.fetchOffset = choices.draw(below: 3, from: .workload)
    }
    request.includesPendingChanges = !choices.chance(1, in: 6, from: .workload)
    request.returnsObjectsAsFaults = !choices.chance(1, in: 4, from: .workload)
    return request
  }

  private func comparison(
    with property: PropertyID, of entity: EntityID, _ choices: inout Choices
  ) -> Comparison {
    guard let attribute = model[entity][property].attribute else {
      preconditionFailure("\(model[entity][property].name) is no attribute")
    }
    let relation = Comparison.Relation.allCases[choices.draw(below: 4, from: .workload)]
    let span = max(1, nextValue - 1001)
    let operand =
      choices.chance(1, in: 4, from: .workload)
      ? Value.null
      : attribute.value(numbered: 1001 + choices.draw(below: span, from: .workload))
    return Comparison(property: property, relation: relation, operand: .value(operand))
  }

  private func addDestination(
    to request: inout FetchRequest, in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) {
    let toOnes = model[request.entity].propertyIDs.filter {
      model[request.entity][$0].relationship?.isToMany == false
    }
    guard !toOnes.isEmpty, choices.chance(1, in: 4, from: .workload) else { return }
    let property = toOnes[choices.draw(below: toOnes.count, from: .workload)]
    guard let relationship = model[request.entity][property].relationship,
      let held = pick(
        in: context, world,
        where: { model.entity($0.id.entity, inherits: relationship.destination) }, &choices)
    else { return }
    request.predicate = [
      Comparison(
        property: property, relation: .equal, operand: .object(Reference(context, held.name)))
    ]
  }
}
