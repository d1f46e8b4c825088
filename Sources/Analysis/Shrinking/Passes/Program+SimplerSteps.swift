import Execution
import ObjectModel
import Vocabulary

extension Program {
  /// Returns simple steps about the objects of `step`, and then about its context.
  func weakerSteps(than step: AddressedStep, _ entities: EntityTable) -> [AddressedStep] {
    var steps: [AddressedStep] = []
    var names: [ObjectName] = []
    step.visitNames { if !names.contains($0) { names.append($0) } }
    for name in names { steps += simpleSteps(about: name, entities, in: step.context) }
    if case .existingObject(let reference, let name) = step.step {
      steps.append(AddressedStep(step.context, .object(with: reference, as: name)))
    }
    if case .count(let request) = step.step {
      steps.append(AddressedStep(step.context, .fetch(request)))
    }
    // If the program inserts no object, any entity is suitable.
    let inserted = entities.distinct
    for entity in inserted.isEmpty ? Array(model.concreteEntities.prefix(1)) : inserted {
      var request = FetchRequest(entity: entity)
      steps.append(AddressedStep(step.context, .fetch(request)))
      request.returnsObjectsAsFaults = false
      steps.append(AddressedStep(step.context, .fetch(request)))
    }
    for name in names.isEmpty ? self.names.indices.map({ ObjectName($0) }) : names {
      steps.append(AddressedStep(step.context, .delete(name)))
    }
    steps.append(AddressedStep(step.context, .save))
    steps.append(AddressedStep(step.context, .rollback))
    if step.step == .reset || step.step == .refreshAllObjects {
      steps += self.names.indices.map {
        AddressedStep(step.context, .refresh(ObjectName($0), mergeChanges: false))
      }
      steps.append(AddressedStep(step.context, .refreshAllObjects))
    }
    switch step.step {
    case .mergeRemoteChanges(let source):
      steps.append(AddressedStep(step.context, .mergeChanges(source)))
    case .setPrimitive(let name, let property, let value):
      steps.append(AddressedStep(step.context, .set(name, property, value)))
    case .replace(let name, let property, let others):
      steps += others.map { AddressedStep(step.context, .add(name, property, $0)) }
    default: break
    }
    steps.append(AddressedStep(step.context, .processPendingChanges))
    return steps
  }

  /// Returns simpler steps that may replace `step` at a later position.
  func laterForms(of step: AddressedStep, _ entities: EntityTable) -> [AddressedStep] {
    switch step.step {
    case .object(_, let name), .existingObject(_, let name):
      guard let entity = entities[name] else { return [] }
      return [AddressedStep(step.context, .fetch(FetchRequest(entity: entity)))]
    case .refuseWrite(let store, after: let count):
      return (1..<max(1, count)).map { AddressedStep(step.context, .refuseWrite(store, after: $0)) }
    case .setMergePolicy(let policy):
      let simpler = MergePolicy.allCases.prefix { $0 != policy }
      return simpler.map { AddressedStep(step.context, .setMergePolicy($0)) }
    case .destroyStore(let store, isRecreated: false):
      return [AddressedStep(step.context, .removeStore(store))]
    default: return []
    }
  }

  /// Returns steps that may replace a step when another step is deleted.
  ///
  /// Simple steps and the program's own steps are tried in every context. For a save, batch updates
  /// with the values that the program sets are added.
  func replacements(ofSaves: Bool, _ entities: EntityTable) -> [AddressedStep] {
    let inserted = entities.distinct
    var steps: [AddressedStep] = []
    for context in stack.contextIDs {
      steps.append(AddressedStep(context, .save))
      for name in names.indices {
        let name = ObjectName(name)
        steps += simpleSteps(about: name, entities, in: context)
        steps.append(AddressedStep(context, .delete(name)))
        steps.append(AddressedStep(context, .refresh(name, mergeChanges: false)))
        // `existingObject` also loads the object. A later pass tries `object` in its place.
        for other in stack.contextIDs where other != context {
          let reference = HeldInstance(other, name)
          steps.append(AddressedStep(context, .existingObject(with: reference, as: name)))
        }
      }
      steps += inserted.map { AddressedStep(context, .fetch(FetchRequest(entity: $0))) }
      for other in self.steps where other.step.block == nil {
        steps.append(AddressedStep(context, other.step))
      }
      if ofSaves { steps += updates(entities).map { AddressedStep(context, .batch($0)) } }
    }
    var seen: Set<AddressedStep> = []
    return steps.filter { seen.insert($0).inserted }
  }

  /// Returns batch updates with the values that steps set.
  private func updates(_ entities: EntityTable) -> [BatchRequest] {
    steps.flatMap(\.leaves).compactMap { step in
      guard case .set(let name, let property, let value) = step.step,
        let entity = entities[name], !value.isObject,
        model[entity][property].attribute?.isTransient == false
      else { return nil }
      return BatchRequest(entity: entity, kind: .update([PropertyValue(property, value)]))
    }
  }

  /// Returns steps that read and set the first attribute, and each attribute that the program uses.
  private func simpleSteps(
    about name: ObjectName, _ entities: EntityTable, in context: ContextID
  ) -> [AddressedStep] {
    guard let entity = entities[name] else { return [] }
    var steps: [AddressedStep] = []
    for property in model[entity].propertyIDs {
      guard let attribute = model[entity][property].attribute,
        steps.isEmpty || mentions(property, of: name)
      else { continue }
      steps.append(AddressedStep(context, .get(name, property)))
      for number in 1...2 {
        steps.append(
          AddressedStep(context, .set(name, property, attribute.value(numbered: number))))
      }
    }
    return steps
  }

  /// Returns a Boolean value that indicates whether a step or a list concerns objects of exactly
  /// this entity.
  func speaks(of entity: EntityID) -> Bool {
    func speaks(_ step: AddressedStep) -> Bool {
      switch step.step {
      case .insert(entity, as: _): true
      case .fetch(let request, as: _), .count(let request): request.entity == entity
      case .batch(let request): request.entity == entity
      default: (step.step.block ?? []).contains(where: speaks)
      }
    }
    return (steps + stack.observers.flatMap(\.steps)).contains(where: speaks)
      || stack.controllers.contains { $0.request.entity == entity }
  }

  private func mentions(_ property: PropertyID, of name: ObjectName) -> Bool {
    func isMentioned(_ steps: [AddressedStep]) -> Bool {
      steps.contains { step in
        switch step.step {
        case .set(name, property, _), .get(name, property, as: _),
          .increment(name, property, by: _),
          .setPrimitive(name, property, _):
          true
        default: isMentioned(step.step.block ?? [])
        }
      }
    }
    return isMentioned(steps)
  }

  /// Returns the step with one argument simplified, the simplest form first.
  func simplerForms(of step: AddressedStep, _ entities: EntityTable) -> [AddressedStep] {
    var forms: [AddressedStep] = []
    for context in stack.contextIDs where context < step.context {
      forms.append(AddressedStep(context, step.step))
    }
    func add(_ changed: Step) { forms.append(AddressedStep(step.context, changed)) }
    switch step.step {
    case .set(let name, let property, let value):
      for (property, value) in simplerValues(of: name, property, value, entities) {
        add(.set(name, property, value))
      }
    case .setPrimitive(let name, let property, let value):
      for (property, value) in simplerValues(of: name, property, value, entities) {
        add(.setPrimitive(name, property, value))
      }
    case .relate(let name, let property, _?): add(.relate(name, property, nil))
    case .setMetadata(let store, let number) where number > 1: add(.setMetadata(store, 1))
    case .get(let name, let property, as: _?): add(.get(name, property))
    case .get(let name, let property, as: nil):
      for index in 0..<property.index { add(.get(name, PropertyID(index))) }
    case .fetch(let request, as: _?): add(.fetch(request))
    case .fetch(let request, as: nil):
      for simpler in request.simplerForms { add(.fetch(simpler)) }
    case .count(let request):
      for simpler in request.simplerForms { add(.count(simpler)) }
    case .batch(let request):
      for simpler in simplerForms(of: request) { add(.batch(simpler)) }
    case .refresh(let name, mergeChanges: true): add(.refresh(name, mergeChanges: false))
    case .object(let reference, let name):
      for context in stack.contextIDs where context < reference.context {
        add(.object(with: HeldInstance(context, reference.name), as: name))
      }
    case .mergeChanges(.didSave(let context, let ordinal)):
      for earlier in 1..<max(1, ordinal) { add(.mergeChanges(.didSave(context, ordinal: earlier))) }
    case .obtainPermanentIDs(let names) where names.count > 1:
      for name in names { add(.obtainPermanentIDs([name])) }
    case .sleep(let time) where time > 1: add(.sleep(1))
    default: break
    }
    return forms
  }

  /// Returns the request without a predicate, for a parent entity, for one row, with one small
  /// value, or with a simpler predicate.
  private func simplerForms(of request: BatchRequest) -> [BatchRequest] {
    let properties = model[request.entity].storedAttributeIDs
    let values = properties.prefix(2).flatMap { property in
      (1...2).compactMap { number in
        model[request.entity][property].attribute.map {
          PropertyValue(property, $0.value(numbered: number))
        }
      }
    }
    let kinds: [BatchRequest.Kind] =
      switch request.kind {
      case .update: values.map { .update([$0]) }
      case .delete: []
      case .insert: [.insert([[]])] + values.map { .insert([[$0]]) }
      }
    let general = model.entities.indices.map { EntityID($0) }.filter { entity in
      request.canBe(of: entity, in: model)
    }
    return (kinds + [request.kind]).map { BatchRequest(entity: request.entity, kind: $0) }
      + general.map { BatchRequest(entity: $0, kind: request.kind) } + request.withSimplerTrees
  }

  /// Returns attributes up to the given attribute, each with small values.
  private func simplerValues(
    of name: ObjectName, _ property: PropertyID, _ value: Value, _ entities: EntityTable
  ) -> [(PropertyID, Value)] {
    guard let entity = entities[name] else { return [] }
    return (0...property.index).map { PropertyID($0) }.flatMap { property in
      guard let attribute = model[entity][property].attribute, !value.isObject else {
        return [(PropertyID, Value)]()
      }
      return (1...3).map { (property, attribute.value(numbered: $0)) }
    }
  }
}

extension BatchRequest {
  fileprivate var withSimplerTrees: [BatchRequest] {
    guard let tree else { return [] }
    return ([.constant(true)] + tree.simplerForms).map { simpler in
      let parts = simpler.split
      var request = self
      request.predicate += parts.comparisons
      request.tree = parts.tree
      return request
    }
  }

  /// Returns a Boolean value that indicates whether the request can address objects of `other`, a
  /// parent entity of its entity.
  fileprivate func canBe(of other: EntityID, in model: ObjectModel) -> Bool {
    guard other != entity, model.entity(entity, inherits: other) else { return false }
    switch kind {
    case .update(let values):
      return values.allSatisfy { $0.property.index < model[other].properties.count }
    case .delete: return true
    case .insert: return false
    }
  }
}

extension Value {
  fileprivate var isObject: Bool { objectID != nil }
}
