import Execution
import ObjectModel
import Vocabulary

/// The same steps, simpler.
extension ProgramShrinker {
  /// A7. A step by one of a simpler kind about the same object, or else about the same context.
  mutating func weakenSteps() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).paths.contains(path) else { continue }
      let step = ProgramEdit(best)[path]
      guard step.step.block == nil else { continue }
      for weaker in best.program.weakerSteps(than: step) where weaker.rank < step.rank {
        if attempt({ $0.replace(path, with: [weaker]) }) { break }
      }
    }
  }

  /// A7. A step outside blocks by a simpler one that has to come later: a fetch finds what was
  /// saved meanwhile, and a store refuses an earlier one of the writes that are left.
  mutating func postponeSteps() {
    var index = best.program.steps.count - 1
    while index >= 0 {
      let step = best.program.steps[index]
      for simpler in best.program.laterForms(of: step) {
        for later in (index + 1)..<best.program.steps.count where !shouldYield {
          let isSimpler = attempt {
            $0.lines[index].step = simpler
            $0.lines.insert($0.lines.remove(at: index), at: later)
          }
          // Simpler passes go on from here.
          if isSimpler { return }
        }
      }
      index -= 1
    }
  }

  /// Contexts, references, properties, values and requests, each to the smallest that still fails.
  mutating func simplifyArguments() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).paths.contains(path) else { continue }
      for simpler in best.program.simplerForms(of: ProgramEdit(best)[path]) {
        if attempt({ $0.replace(path, with: [simpler]) }) { break }
      }
    }
  }

  /// All objects of one entity become objects of an earlier one, or one object of what its entity
  /// is.
  mutating func simplifyEntities() {
    generalizeObjects()
    for old in best.program.model.concreteEntities.reversed() where best.program.speaks(of: old) {
      for new in best.program.model.concreteEntities where new < old && !shouldYield {
        var draft = ProgramEdit(best)
        if draft.replaceEntity(old, with: new), attempt(draft) { break }
      }
    }
    simplifyProperties()
    for index in best.program.stack.controllers.indices where !shouldYield {
      let request = best.program.stack.controllers[index].request
      attempt { $0.stack.controllers[index].sectionProperty = nil }
      attempt { $0.stack.controllers[index].request.predicate = [] }
      let attributes = best.program.model[request.entity].storedAttributeIDs
      for property in attributes {
        attempt { draft in
          draft.stack.controllers[index].sectionProperty = nil
          draft.stack.controllers[index].request.sortDescriptors = [
            .init(property: property, ascending: true)
          ]
        }
      }
    }
  }

  private mutating func generalizeObjects() {
    let model = best.program.model
    guard best.program.isWellTyped else { return }
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).paths.contains(path) else { continue }
      let step = ProgramEdit(best)[path]
      guard case .insert(let entity, as: let name) = step.step else { continue }
      for general in model.concreteEntities
      where general != entity && model.entity(entity, inherits: general) {
        if attempt({ $0.insertEverywhere(name, as: general) }) { break }
      }
    }
  }

  /// One attribute for another, everywhere at once, and values in the order in which they come.
  private mutating func simplifyProperties() {
    let model = best.program.model
    for entity in model.concreteEntities where best.program.speaks(of: entity) {
      let attributes = model[entity].storedAttributeIDs
      for old in attributes.reversed() {
        for new in attributes where new < old && !shouldYield {
          if attempt({ $0.replaceProperty(old, with: new, of: entity) }) { break }
        }
      }
      attempt { $0.renumberValues(of: entity) }
    }
  }

  /// Neighbours that do not depend on each other stand in one order, so that different programs end
  /// as the same.
  mutating func sortSteps() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard let index = path.indexes.last, index > 0, ProgramEdit(best).paths.contains(path) else {
        continue
      }
      for earlier in 0..<index {
        if attempt({ $0.move(path, to: earlier) }) { break }
      }
    }
  }

  /// An object that a context inserts and hands to its parent by a save may as well be its
  /// parent's, and the context loads it; alone, or with a step less.
  mutating func insertAbove() {
    let count = best.program.steps.count
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) {
        for removed in [nil]
          + (0..<count).filter({ $0 != first && $0 != second }).map(Optional.some)
        where !shouldYield {
          guard best.program.steps.count == count else { return }
          attempt { draft in
            guard draft.insertAbove(first, second) else { return }
            if let removed { draft.lines.remove(at: removed) }
          }
        }
      }
    }
  }

  /// A6. Another step in the place of one, and another less. Removes the last local minima, and
  /// costs the square of the program.
  mutating func replaceAndDelete() {
    for removed in ProgramEdit(best).paths.reversed() {
      let paths = ProgramEdit(best).paths
      guard paths.contains(removed) else { continue }
      for path in paths where path != removed && !path.isInside(removed) && !shouldYield {
        for replacement in best.program.replacements(for: ProgramEdit(best)[path])
        where !shouldYield {
          let isSmaller = attempt {
            // What comes later first, so that the other path still leads where it did.
            if path.comes(before: removed) {
              $0.remove(removed)
              $0.replace(path, with: [replacement])
            } else {
              $0.replace(path, with: [replacement])
              $0.remove(removed)
            }
          }
          // Simpler passes go on from here.
          if isSmaller { return }
        }
      }
    }
  }
}

extension ProgramEdit {
  /// Whether the first step inserts what the second saves to the parent.
  fileprivate mutating func insertAbove(_ first: Int, _ second: Int) -> Bool {
    let context = lines[first].step.context
    guard case .insert(let entity, as: let name) = lines[first].step.step,
      lines[second].step == AddressedStep(context, .save), let parent = stack.parent(of: context)
    else { return false }
    lines[first].step = AddressedStep(parent, .insert(entity, as: name))
    let reference = HeldInstance(parent, name)
    lines[second].step = AddressedStep(context, .existingObject(with: reference, as: name))
    return true
  }
}

extension ProgramEdit.Path {
  fileprivate func isInside(_ other: ProgramEdit.Path) -> Bool {
    list == other.list && indexes.starts(with: other.indexes)
  }

  fileprivate func comes(before other: ProgramEdit.Path) -> Bool {
    list == other.list && indexes.lexicographicallyPrecedes(other.indexes)
  }
}

extension Program {
  /// Simple steps about the objects of `step`, then about its context.
  func weakerSteps(than step: AddressedStep) -> [AddressedStep] {
    var steps: [AddressedStep] = []
    var names: [ObjectName] = []
    step.visitNames { if !names.contains($0) { names.append($0) } }
    for name in names { steps += simpleSteps(about: name, in: step.context) }
    if case .existingObject(let reference, let name) = step.step {
      steps.append(AddressedStep(step.context, .object(with: reference, as: name)))
    }
    if case .count(let request) = step.step {
      steps.append(AddressedStep(step.context, .fetch(request)))
    }
    // Where nothing is inserted, any will do.
    for entity in entities.isEmpty ? Array(model.concreteEntities.prefix(1)) : entities {
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

  /// Simpler steps that may do for `step` at a later place.
  func laterForms(of step: AddressedStep) -> [AddressedStep] {
    switch step.step {
    case .object(_, let name), .existingObject(_, let name):
      guard let entity = entity(of: name) else { return [] }
      return [AddressedStep(step.context, .fetch(FetchRequest(entity: entity)))]
    case .refuseWrite(let store, after: let count):
      return (1..<max(1, count)).map { AddressedStep(step.context, .refuseWrite(store, after: $0)) }
    default: return []
    }
  }

  /// What stands in for a step when another goes: simple steps of every context, what the program
  /// does anyway, in every context, and for a save a request that writes what somebody has set.
  func replacements(for step: AddressedStep) -> [AddressedStep] {
    var steps: [AddressedStep] = []
    for context in stack.contextIDs {
      steps.append(AddressedStep(context, .save))
      for name in names.indices {
        let name = ObjectName(name)
        steps += simpleSteps(about: name, in: context)
        steps.append(AddressedStep(context, .delete(name)))
        steps.append(AddressedStep(context, .refresh(name, mergeChanges: false)))
        // What also loads it: `object` is tried in its place later.
        for other in stack.contextIDs where other != context {
          let reference = HeldInstance(other, name)
          steps.append(AddressedStep(context, .existingObject(with: reference, as: name)))
        }
      }
      steps += entities.map { AddressedStep(context, .fetch(FetchRequest(entity: $0))) }
      for other in self.steps where other.step.block == nil {
        steps.append(AddressedStep(context, other.step))
      }
      if step.step == .save { steps += updates.map { AddressedStep(context, .batch($0)) } }
    }
    var distinct: [AddressedStep] = []
    for candidate in steps where candidate != step && !distinct.contains(candidate) {
      distinct.append(candidate)
    }
    return distinct
  }

  /// What steps set, as batch updates.
  private var updates: [BatchRequest] {
    steps.flatMap(\.leaves).compactMap { step in
      guard case .set(let name, let property, let value) = step.step,
        let entity = entity(of: name), !value.isObject,
        model[entity][property].attribute?.isTransient == false
      else { return nil }
      return BatchRequest(entity: entity, kind: .update([PropertyValue(property, value)]))
    }
  }

  /// Of the objects that are inserted.
  private var entities: [EntityID] {
    var entities: [EntityID] = []
    for name in names.indices {
      if let entity = entity(of: ObjectName(name)), !entities.contains(entity) {
        entities.append(entity)
      }
    }
    return entities
  }

  /// Reading and setting the first attribute, and those that the program uses.
  private func simpleSteps(about name: ObjectName, in context: ContextID) -> [AddressedStep] {
    guard let entity = entity(of: name) else { return [] }
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

  /// Whether a step or a list is about objects of just this entity.
  fileprivate func speaks(of entity: EntityID) -> Bool {
    func speaks(_ step: AddressedStep) -> Bool {
      switch step.step {
      case .insert(entity, as: _): true
      case .fetch(let request), .count(let request): request.entity == entity
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
        case .set(name, property, _), .get(name, property), .increment(name, property),
          .setPrimitive(name, property, _):
          true
        default: isMentioned(step.step.block ?? [])
        }
      }
    }
    return isMentioned(steps)
  }

  /// The step with one argument changed, the simplest first.
  func simplerForms(of step: AddressedStep) -> [AddressedStep] {
    var forms: [AddressedStep] = []
    for context in stack.contextIDs where context < step.context {
      forms.append(AddressedStep(context, step.step))
    }
    func add(_ changed: Step) { forms.append(AddressedStep(step.context, changed)) }
    switch step.step {
    case .set(let name, let property, let value):
      for (property, value) in simplerValues(of: name, property, value) {
        add(.set(name, property, value))
      }
    case .setPrimitive(let name, let property, let value):
      for (property, value) in simplerValues(of: name, property, value) {
        add(.setPrimitive(name, property, value))
      }
    case .relate(let name, let property, _?): add(.relate(name, property, nil))
    case .setMetadata(let store, let number) where number > 1: add(.setMetadata(store, 1))
    case .get(let name, let property):
      for index in 0..<property.index { add(.get(name, PropertyID(index))) }
    case .fetch(let request):
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

  /// Of everything, of one row, with one small value.
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
      + general.map { BatchRequest(entity: $0, kind: request.kind) }
  }

  /// Attributes up to this one, with small values.
  private func simplerValues(
    of name: ObjectName, _ property: PropertyID, _ value: Value
  ) -> [(PropertyID, Value)] {
    guard let entity = entity(of: name) else { return [] }
    return (0...property.index).map { PropertyID($0) }.flatMap { property in
      guard let attribute = model[entity][property].attribute, !value.isObject else {
        return [(PropertyID, Value)]()
      }
      return (1...3).map { (property, attribute.value(numbered: $0)) }
    }
  }
}

extension BatchRequest {
  /// Whether it can be about all that is of an entity which its own inherits from.
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
