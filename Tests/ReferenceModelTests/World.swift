import ObjectModel
import ReferenceModel
import Vocabulary

/// A model of owners and pets, and a stack of it. Each step is one call.
struct World {
  let owner = EntityID(0)
  let pet = EntityID(1)
  /// A kind of pet.
  let kitten = EntityID(2)

  // Properties of an owner.
  let name = PropertyID(0)
  let age = PropertyID(1)
  let scratch = PropertyID(2)
  let pets = PropertyID(3)
  let friends = PropertyID(4)
  let home = PropertyID(5)
  // Properties of a pet.
  let title = PropertyID(0)
  let keeper = PropertyID(1)

  let ann = ObjectName(0)
  let bob = ObjectName(1)
  let cat = ObjectName(2)
  let dog = ObjectName(3)
  /// A second name for an object that another name stands for.
  let other = ObjectName(4)

  var stack = Stack()
  var reference: ReferenceStack

  /// - Parameter parents: The parent of each context, or nil for a root.
  init(
    parents: [Int?], quirks: QuirkSet = Profile.current.quirks,
    policies: [MergePolicy] = [], merging: [Int] = [],
    deleteRule: DeleteRule = .nullify, isOrdered: Bool = false, isNameMandatory: Bool = false,
    hookActions: [HookAction] = [], stores: [Stack.Store] = [Stack.Store(name: "store")],
    settings: (inout Stack.Context) -> Void = { _ in },
    constraints: [[PropertyID]] = [], petConstraints: [[PropertyID]] = [],
    changeStack: (inout Stack) -> Void = { _ in },
    controllers: [Stack.ResultsController] = []
  ) {
    stack.stores = stores
    stack.coordinators = [
      Stack.Coordinator(name: "coordinator", stores: stores.indices.map { StoreID($0) })
    ]
    for (index, parent) in parents.enumerated() {
      var context = Stack.Context(
        name: "c\(index)", concurrencyType: .privateQueue,
        parent: parent.map { .context(ContextID($0)) } ?? .coordinator(CoordinatorID(0)))
      if index < policies.count { context.mergePolicy = policies[index] }
      context.automaticallyMergesChangesFromParent = merging.contains(index)
      settings(&context)
      stack.contexts.append(context)
    }
    changeStack(&stack)
    stack.controllers = controllers
    let model = World.model(
      deleteRule, isOrdered, isNameMandatory, hookActions, constraints, petConstraints)
    reference = ReferenceStack(model: model, stack: stack, quirks: quirks)
  }

  /// Gives context 1 a coordinator of its own on the same stores.
  static func separateCoordinators(_ stack: inout Stack) {
    stack.coordinators.append(
      Stack.Coordinator(name: "other", stores: stack.coordinators[0].stores))
    stack.contexts[1].parent = .coordinator(CoordinatorID(1))
  }

  private static func model(
    _ deleteRule: DeleteRule, _ isOrdered: Bool, _ isNameMandatory: Bool,
    _ hookActions: [HookAction], _ constraints: [[PropertyID]],
    _ petConstraints: [[PropertyID]]
  ) -> ObjectModel {
    func attribute(
      _ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in }
    ) -> Property {
      var attribute = Attribute(type: type)
      change(&attribute)
      return Property(name: name, kind: .attribute(attribute))
    }
    func relationship(
      _ name: String, to entity: Int, inverse: Int?, _ change: (inout Relationship) -> Void
    ) -> Property {
      var relationship = Relationship(destination: EntityID(entity))
      relationship.inverse = inverse.map { PropertyID($0) }
      change(&relationship)
      return Property(name: name, kind: .relationship(relationship))
    }
    var owner = Entity(name: "Owner")
    owner.hookActions = hookActions
    owner.uniquenessConstraints = constraints
    owner.properties = [
      attribute("name", .integer64) { $0.isOptional = !isNameMandatory },
      attribute("age", .integer64) {
        $0.maximum = .integer(150)
        $0.forbidden = [
          ForbiddenValue(.integer(13), warning: "unlucky"),
          ForbiddenValue(.integer(666), warning: "beastly"),
        ]
      },
      attribute("scratch", .integer64) {
        $0.isTransient = true
        $0.defaultValue = .integer(0)
      },
      relationship("pets", to: 1, inverse: 1) {
        $0.isToMany = true
        $0.isOrdered = isOrdered
        $0.deleteRule = deleteRule
        $0.maximumCount = 3
      },
      relationship("friends", to: 0, inverse: 4) { $0.isToMany = true },
      relationship("home", to: 1, inverse: nil) { _ in },
    ]
    var pet = Entity(name: "Pet")
    pet.properties = [
      attribute("title", .integer64),
      relationship("keeper", to: 0, inverse: 3) { _ in },
    ]
    pet.uniquenessConstraints = petConstraints
    var kitten = pet
    kitten.name = "Kitten"
    kitten.parent = EntityID(1)
    return ObjectModel(entities: [owner, pet, kitten])
  }

  /// Returns all events of `step` in context `c`. A save runs all its phases until one fails.
  @discardableResult
  mutating func perform(_ c: Int, _ step: Step) -> [Event] {
    let addressed = AddressedStep(ContextID(c), step)
    guard case .save = step else { return reference.perform(.step(addressed, .whole)) }
    var events: [Event] = []
    for phase in [Phase.flush, .willSave, .commit, .finish] {
      events += reference.perform(.step(addressed, phase))
      if case .failed = events.last { break }
    }
    return events
  }

  @discardableResult
  mutating func save(_ contexts: Int...) -> [Event] {
    contexts.flatMap { perform($0, .save) }
  }

  @discardableResult
  mutating func merge(_ number: Int, into c: Int) -> [Event] {
    reference.perform(.merge(ContextID(c), number: number))
  }

  mutating func set(_ c: Int, _ name: ObjectName, _ property: PropertyID, _ number: Int) {
    perform(c, .set(name, property, .integer(Int64(number))))
  }

  mutating func get(_ c: Int, _ name: ObjectName, _ property: PropertyID) -> Event? {
    perform(c, .get(name, property)).last
  }

  /// Holds the object that context `source` calls `name` under the same name in context `c`.
  mutating func hold(_ name: ObjectName, from source: Int, in c: Int) {
    perform(c, .object(with: HeldInstance(ContextID(source), name), as: name))
  }

  mutating func insertSaved(_ entity: EntityID, _ name: ObjectName, in c: Int = 0) {
    perform(c, .insert(entity, as: name))
    perform(c, .save)
  }

  func reference(_ c: Int, _ name: ObjectName) -> HeldInstance { HeldInstance(ContextID(c), name) }

  func view(_ c: Int) -> [InstanceView] { reference.view(of: ContextID(c)) }

  @discardableResult
  mutating func mergeRemote(_ number: Int, into c: Int) -> [Event] {
    reference.perform(.mergeRemote(ContextID(c), number: number))
  }

  /// Holds an owner as `hold` does, and realises it.
  mutating func load(_ name: ObjectName, from source: Int = 0, in c: Int) {
    hold(name, from: source, in: c)
    _ = get(c, name, self.name)
  }

  var rows: [RowView] { reference.rows(of: StoreID(0)) }

  func temporary(_ entity: EntityID, _ serial: Int) -> ObjectID {
    .temporary(entity, serial: serial)
  }

  func permanent(_ entity: EntityID, _ key: Int) -> ObjectID {
    .permanent(entity, key: key, in: StoreID(0))
  }
}

extension Event {
  static func integer(_ number: Int) -> Event { .value(.integer(Int64(number))) }
}

extension [Event] {
  /// The sets of the first ObjectsDidChange of context `c`.
  func objectsDidChange(_ c: Int) -> ChangeSets? {
    for case .objectsDidChange(ContextID(c), let sets) in self { return sets }
    return nil
  }

  func didSave(_ c: Int) -> ChangeSets? {
    for case .didSave(ContextID(c), let sets, _) in self { return sets }
    return nil
  }

  var saveRequest: ChangeSets? {
    for case .saveRequest(_, let sets) in self { return sets }
    return nil
  }

  func didMergeChanges(_ c: Int) -> ChangeSets? {
    for case .didMergeChanges(ContextID(c), let sets) in self { return sets }
    return nil
  }

  func received(_ c: Int) -> [[Received]] {
    compactMap { event in
      if case .receive(ContextID(c), _, let received) = event { return received }
      return nil
    }
  }

  func hooks(_ hook: Hook, _ c: Int) -> [ObjectID] {
    compactMap { event in
      if case .hook(hook, ContextID(c), let id) = event { return id }
      return nil
    }
  }

  var failure: Failure? {
    if case .failed(let failure) = last { return failure }
    return nil
  }
}
