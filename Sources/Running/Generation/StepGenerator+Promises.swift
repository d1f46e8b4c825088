import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates programs for stacks that make promises about their data.
extension StepGenerator {
  /// The latest objects that a server has delivered, with the values of the properties that a
  /// promise keeps unique together.
  struct Delivery {
    let entity: EntityID
    /// The properties, which are attributes and to-one relationships.
    let properties: [PropertyID]
    /// The key of each object, with a value for each property.
    let keys: [[Key]]

    var owners: [HeldInstance] {
      keys.joined().compactMap { if case .owner(let owner) = $0 { owner } else { nil } }
    }
  }

  enum Key {
    case value(Value)
    /// The object to which a relationship leads.
    case owner(HeldInstance)
  }

  /// Looks up each object of a delivery by the properties that a promise keeps unique, and inserts
  /// the missing objects. Returns `nil` if the stack promises no unique keys.
  ///
  /// In half of the cases, a delivery repeats the delivery before it, if both are of one entity. A
  /// server that is asked twice answers twice.
  mutating func findOrCreate(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> [AddressedStep]? {
    let keyed = concrete.filter { promisedKey(of: $0) != nil }
    guard !keyed.isEmpty else { return nil }
    let entity = keyed[choices.draw(below: keyed.count, from: .workload)]
    guard let properties = promisedKey(of: entity) else { return nil }
    let isRepeated = choices.chance(1, in: 2, from: .workload)
    let delivered: Delivery
    if isRepeated, let latest = delivery, latest.entity == entity,
      latest.owners.allSatisfy({ isKnown($0, to: context, world) })
    {
      delivered = latest
    } else {
      var keys: [[Key]] = []
      for _ in 0...choices.draw(below: 3, from: .workload) {
        guard let key = newKey(properties, of: entity, for: context, world, &choices) else { break }
        keys.append(key)
      }
      delivered = Delivery(entity: entity, properties: properties, keys: keys)
    }
    if delivered.keys.isEmpty { return nil }
    delivery = delivered
    return delivered.keys.flatMap { key in
      findOrCreate(delivered, key, in: context, world, &choices)
    }
  }

  private mutating func findOrCreate(
    _ delivery: Delivery, _ key: [Key], in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> [AddressedStep] {
    var lookUp = FetchRequest(entity: delivery.entity)
    lookUp.fetchLimit = 1
    let (name, needs) = newObject(of: delivery.entity, in: context, world, &choices)
    var (owners, assignments): ([AddressedStep], [AddressedStep]) = ([], [])
    for (property, part) in zip(delivery.properties, key) {
      let operand: Comparison.Operand
      switch part {
      case .value(let value):
        operand = .value(value)
        assignments.append(AddressedStep(context, .set(name, property, value)))
      case .owner(let owner):
        let own = HeldInstance(context, owner.name)
        operand = .object(own)
        owners.append(AddressedStep(context, .object(with: owner, as: owner.name)))
        assignments.append(AddressedStep(context, .relate(name, property, own)))
      }
      lookUp.predicate.append(
        Comparison(property: property, relation: .equal, operand: operand))
    }
    return owners + [
      AddressedStep(context, .fetch(lookUp)),
      AddressedStep(context, .when(Condition(.found, isNegated: true), needs + assignments)),
    ]
  }

  /// Returns a Boolean value that indicates whether the context can look up the object by its ID.
  private func isKnown(_ object: HeldInstance, to context: ContextID, _ world: World) -> Bool {
    let held = world.graph.held(in: object.context) {
      $0.name == object.name && $0.isRegistered && !$0.isPendingDeletion
    }.first
    guard let id = held?.id else { return false }
    return !id.isTemporaryID || stack.chain(from: context).contains(object.context)
  }

  /// Draws the key of a new object. Returns `nil` if no context holds an object to which a
  /// relationship of the key can lead.
  private mutating func newKey(
    _ properties: [PropertyID], of entity: EntityID, for context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> [Key]? {
    var key: [Key] = []
    for property in properties {
      switch model[entity][property].kind {
      case .attribute(let attribute):
        key.append(.value(newValue(for: attribute, property, of: entity, &choices)))
      case .relationship(let relationship):
        let owner = known(
          to: context, world, where: { model.entity($0, inherits: relationship.destination) },
          &choices)
        guard let owner else { return nil }
        key.append(.owner(HeldInstance(owner.place, owner.held.name)))
      }
    }
    return key
  }

  /// Returns the stored properties of an entity whose values a promise keeps unique together. At
  /// least one of them is an attribute.
  func promisedKey(of entity: EntityID) -> [PropertyID]? {
    for promise in stack.dataPromises where model.entity(entity, inherits: promise.claim.entity) {
      guard case .unique(let keys) = promise.claim.statement,
        keys.contains(where: { model[entity][$0].attribute != nil }),
        keys.allSatisfy({ !model[entity][$0].isTransient && !model[entity][$0].isToMany })
      else { continue }
      return keys
    }
    return nil
  }
}

extension Stack {
  /// A Boolean value that indicates whether a promise keeps properties unique.
  var promisesUniqueKeys: Bool {
    dataPromises.contains { if case .unique = $0.claim.statement { true } else { false } }
  }
}
